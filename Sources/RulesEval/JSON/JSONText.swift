import RulesLang

/// JSON to be printed. Objects keep the order of their members.
public indirect enum JSONText: Sendable {
  case null
  case bool(Bool)
  case int(Int)
  /// A number as it is to be written.
  case number(String)
  case string(String)
  case array([JSONText])
  case object([(String, JSONText)])
  /// An array whose elements are already written, with the indentation of the array except on their first
  /// lines. The function calls its argument with each of them.
  case written(@Sendable ((String) -> Void) -> Void)

  /// The text on one line.
  public var compact: String {
    var text = ""
    write(to: &text, indent: nil)
    return text
  }

  /// The text on many lines, indented by two spaces, with a line end.
  public var pretty: String {
    var text = ""
    write(to: &text, indent: 0)
    return text + "\n"
  }

  /// The text on many lines inside something at an indentation depth, with the first line not indented.
  public func pretty(inside depth: Int) -> String {
    var text = ""
    write(to: &text, indent: depth)
    return text
  }

  /// Writes the text on many lines, or on one without `indent`.
  public func write<Output: TextOutputStream>(to text: inout Output, indent: Int?) {
    switch self {
    case .null: text.write("null")
    case .bool(let flag): text.write(flag ? "true" : "false")
    case .int(let number): text.write("\(number)")
    case .number(let digits): text.write(digits)
    case .string(let string): Self.quote(string, into: &text)
    case .written(let forEach): Self.write(forEach, to: &text, indent: indent)
    case .array(let elements):
      Self.write(elements.map { (nil, $0) }, between: "[", and: "]", to: &text, indent: indent)
    case .object(let members):
      Self.write(members.map { ($0.0, $0.1) }, between: "{", and: "}", to: &text, indent: indent)
    }
  }

  private static func write<Output: TextOutputStream>(
    _ parts: [(String?, JSONText)], between open: String, and close: String, to text: inout Output,
    indent: Int?
  ) {
    text.write(open)
    for (index, part) in parts.enumerated() {
      if index > 0 { text.write(",") }
      if let indent { text.write(newLine(indent + 1)) }
      if let key = part.0 {
        quote(key, into: &text)
        text.write(indent == nil ? ":" : ": ")
      }
      part.1.write(to: &text, indent: indent.map { $0 + 1 })
    }
    if let indent, !parts.isEmpty { text.write(newLine(indent)) }
    text.write(close)
  }

  private static func write<Output: TextOutputStream>(
    _ forEach: ((String) -> Void) -> Void, to text: inout Output, indent: Int?
  ) {
    var isEmpty = true
    text.write("[")
    forEach { element in
      if !isEmpty { text.write(",") }
      isEmpty = false
      if let indent { text.write(newLine(indent + 1)) }
      text.write(element)
    }
    if let indent, !isEmpty { text.write(newLine(indent)) }
    text.write("]")
  }

  private static func newLine(_ indent: Int) -> String {
    "\n" + String(repeating: "  ", count: indent)
  }

  private static func quote<Output: TextOutputStream>(_ string: String, into text: inout Output) {
    let isPlain = string.utf8.allSatisfy { byte in
      switch byte {
      case 0..<0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "\\"): false
      // The first bytes of control characters outside ASCII.
      case 0xC2, 0xD8, 0xE2: false
      default: true
      }
    }
    if isPlain {
      text.write("\"")
      text.write(string)
      return text.write("\"")
    }
    var quoted = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      // Control characters in a report must not reach a terminal.
      case _ where Printable.isControl(scalar):
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    quoted += "\""
    text.write(quoted)
  }
}

extension JSONText {
  /// JSON that was read or made, to be printed.
  public init(_ json: JSON) {
    switch json.kind {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .number(let digits): self = .number(digits)
    case .string(let text): self = .string(String(text))
    case .array(let elements): self = .array(elements.map { JSONText($0) })
    case .object(let members):
      self = .object(members.map { (String($0.key), JSONText($0.value)) })
    }
  }
}
