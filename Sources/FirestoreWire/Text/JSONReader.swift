import RulesEval
import RulesLang

/// A reader of proto3 JSON, which accepts all forms of scalars that Google's libraries accept.
struct JSONReader {
  /// The converter of references, which knows the message's project.
  let references: ReferenceName
  /// The number of open objects.
  private var depth = 0
  /// The number of further messages that are allowed.
  private var messagesLeft = WireLimits.messages

  /// Creates a reader of messages of a project.
  init(project: Text) { references = ReferenceName(project: project) }

  // MARK: Objects

  /// Returns the members of an object, which is an open message until `leave`.
  mutating func enter(_ json: JSON) throws(WireProblem) -> [JSON.Member] {
    guard case .object(let members) = json.kind else { throw Self.wrong(json, "an object") }
    guard depth < WireLimits.depth else {
      throw .json("messages are nested more than \(WireLimits.depth) deep")
    }
    depth += 1
    return members
  }

  /// Leaves an object.
  mutating func leave() { depth -= 1 }

  /// Counts a message that is not a value. Throws at the limit.
  mutating func countMessage() throws(WireProblem) {
    guard messagesLeft > 0 else {
      throw .json("there are more than \(WireLimits.messages) messages in the message")
    }
    messagesLeft -= 1
  }

  /// Returns the problem of JSON of the wrong kind.
  static func wrong(_ json: JSON, _ wanted: String) -> WireProblem {
    .json("\(json.kindName) stands where \(wanted) is needed")
  }

  /// Returns the elements of a list.
  static func list(_ json: JSON) throws(WireProblem) -> [JSON] {
    guard case .array(let elements) = json.kind else { throw wrong(json, "a list") }
    return elements
  }

  // MARK: Scalars

  /// Reads a bool.
  static func bool(_ json: JSON) throws(WireProblem) -> Bool {
    switch json.kind {
    case .bool(let flag): return flag
    case .string("true"): return true
    case .string("false"): return false
    case .null, .number, .string, .array, .object: throw wrong(json, "a bool")
    }
  }

  /// Reads an int64: a number or a string. A fraction must be zero.
  static func int64(_ json: JSON) throws(WireProblem) -> Int64 {
    let digits: Text
    switch json.kind {
    case .number(let number): digits = Text(number)
    case .string(let text): digits = text
    case .null, .bool, .array, .object: throw wrong(json, "an integer")
    }
    guard isNumber(digits) else { throw wrong(json, "an integer") }
    if let number = IntegerText.value(of: digits) { return number }
    guard let number = FloatText.value(of: digits), let exact = Int64(exactly: number) else {
      throw .json("the integer is not one of 64 bits")
    }
    return exact
  }

  /// Reads an int32.
  static func int32(_ json: JSON) throws(WireProblem) -> Int32 {
    guard let number = Int32(exactly: try int64(json)) else {
      throw .json("the integer is not one of 32 bits")
    }
    return number
  }

  /// Reads a double: a number, or a string with a number or the name of a non-finite one.
  static func double(_ json: JSON) throws(WireProblem) -> Double {
    let digits: Text
    switch json.kind {
    case .number(let number): digits = Text(number)
    case .string("NaN"): return .nan
    case .string("Infinity"): return .infinity
    case .string("-Infinity"): return -.infinity
    case .string(let text): digits = text
    case .null, .bool, .array, .object: throw wrong(json, "a number")
    }
    guard isNumber(digits), let number = FloatText.value(of: digits) else {
      throw wrong(json, "a number")
    }
    guard number.isFinite else { throw .json("the number is too large for a double") }
    return number
  }

  /// Reads a string; lone surrogates become `?`.
  static func text(_ json: JSON) throws(WireProblem) -> Text {
    guard case .string(let text) = json.kind else { throw wrong(json, "a string") }
    return WireText.repaired(text)
  }

  /// Reads bytes in base64 of either alphabet, with or without padding.
  static func octets(_ json: JSON) throws(WireProblem) -> [UInt8] {
    guard case .string(let text) = json.kind else { throw wrong(json, "a string in base 64") }
    guard let octets = Base64.standard.octets(of: text) ?? Base64.urlSafe.octets(of: text) else {
      throw .json("the string is not base 64")
    }
    return octets
  }

  /// Reads an instant in RFC 3339.
  static func timestamp(_ json: JSON) throws(WireProblem) -> Timestamp {
    guard case .string(let text) = json.kind, let time = Timestamp(rfc3339: text) else {
      throw .json("there is no time of RFC 3339 between the years 1 and 9999")
    }
    return time
  }

  /// Reads the number of an enumeration: a name of the table, or any number.
  static func enumeration(_ json: JSON, _ type: EnumType) throws(WireProblem) -> Int64 {
    guard case .string(let text) = json.kind else { return Int64(try int32(json)) }
    guard let known = type.names.first(where: { text == $0.name.description }) else {
      throw .json("the enumeration has no value `\(String(text))`")
    }
    return Int64(known.number)
  }

  /// Returns true if a text consists of characters of JSON numbers and has a digit.
  private static func isNumber(_ text: Text) -> Bool {
    var hasDigit = false
    for byte in text.bytes {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigit = true
      case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"),
        UInt8(ascii: "E"):
        break
      default: return false
      }
    }
    return hasDigit
  }
}
