public import RulesLang

/// A JSON value with its place in the text, so that every later complaint can point at it.
public struct JSON: Sendable {
  /// One `"key": value` of an object.
  public struct Member: Sendable {
    /// The key.
    public var key: Text
    /// The source range of the key.
    public var keyRange: SourceRange
    /// The value.
    public var value: JSON

    /// Creates a member.
    public init(_ key: Text, at keyRange: SourceRange = .none, value: JSON) {
      self.key = key
      self.keyRange = keyRange
      self.value = value
    }
  }

  /// The type of a value, with its content.
  public enum Kind: Sendable {
    case null
    case bool(Bool)
    /// A number as it is written.
    case number(String)
    case string(Text)
    case array([JSON])
    /// The members in order; no key occurs twice.
    case object([Member])
  }

  /// The type and content.
  public var kind: Kind
  /// The source range.
  public var range: SourceRange

  /// Creates a value.
  public init(_ kind: Kind, at range: SourceRange = .none) {
    self.kind = kind
    self.range = range
  }

  /// The name of the type, for messages.
  public var kindName: String {
    switch kind {
    case .null: "null"
    case .bool: "a bool"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// A syntax error in a JSON text.
public struct JSONProblem: Error, Sendable {
  /// The mistake.
  public var message: String
  /// The source range.
  public var range: SourceRange
}

/// A parser for JSON (RFC 8259) that accepts `//` and `/* */` comments and trailing commas.
///
/// Integers keep their digits, strings every code unit. Repeated keys of an object are an error, because they
/// are ambiguous. Nesting is limited to 100 levels.
public struct JSONParser {
  let bytes: [UInt8]
  /// The index of the next byte.
  var index: Int
  let end: Int
  /// The number of open brackets.
  var depth = 0
  /// The keys read so far, for reuse.
  var keys = JSONKeys()

  private static let maximumDepth = 100

  /// Reads a text that is one JSON value.
  public static func parse(_ source: SourceText) throws(JSONProblem) -> JSON {
    if let place = source.isUTF16 ? 0 : source.firstInvalidByte {
      throw JSONProblem(
        message: source.isUTF16 ? "the text is UTF-16, and JSON is UTF-8" : "the text is not UTF-8",
        range: SourceRange(start: place, end: place + 1))
    }
    return try parse(source.bytes, in: 0..<source.bytes.count)
  }

  /// Parses a range of an array as one JSON value. Source ranges count from the start of the array.
  ///
  /// - Parameters:
  ///   - bytes: Well-formed UTF-8.
  ///   - range: The range of the value.
  ///   - depth: The nesting depth of the value in a larger text.
  public static func parse(
    _ bytes: [UInt8], in range: Range<Int>, depth: Int = 0
  ) throws(JSONProblem) -> JSON {
    var keys = JSONKeys()
    return try parse(bytes, in: range, depth: depth, keys: &keys)
  }

  /// Parses a range of an array as one JSON value, reusing the keys read before.
  public static func parse(
    _ bytes: [UInt8], in range: Range<Int>, depth: Int = 0, keys: inout JSONKeys
  ) throws(JSONProblem) -> JSON {
    var parser = JSONParser(bytes, in: range)
    parser.depth = depth
    swap(&parser.keys, &keys)
    defer { swap(&parser.keys, &keys) }
    try parser.skipBlanks()
    let value = try parser.value()
    try parser.skipBlanks()
    guard parser.index == parser.end else {
      throw parser.problem("there is more text after the value")
    }
    return value
  }

  /// Creates a parser at the beginning of a part of some bytes.
  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    index = range.lowerBound
    end = range.upperBound
  }

  /// Returns an error at the current position, or about everything since `start`.
  func problem(_ message: String, from start: Int? = nil) -> JSONProblem {
    let start = start ?? index
    return JSONProblem(
      message: message, range: SourceRange(start: start, end: min(max(index, start + 1), end)))
  }

  /// The byte that comes next.
  var next: UInt8? { index < end ? bytes[index] : nil }

  // MARK: Blanks

  /// Skips white space and comments.
  @inline(__always)
  mutating func skipBlanks() throws(JSONProblem) {
    // Texts that programs write have none.
    if let byte = next, byte > 0x20, byte != UInt8(ascii: "/") { return }
    try skipManyBlanks()
  }

  private mutating func skipManyBlanks() throws(JSONProblem) {
    while let byte = next {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      case UInt8(ascii: "/"): try skipComment()
      default: return
      }
    }
  }

  /// Skips a comment, which begins here.
  mutating func skipComment() throws(JSONProblem) {
    let start = index
    index += 1
    switch next {
    case UInt8(ascii: "/"):
      while let byte = next, byte != UInt8(ascii: "\n") { index += 1 }
    case UInt8(ascii: "*"):
      index += 1
      while index + 1 < end {
        if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
          index += 2
          return
        }
        index += 1
      }
      index = start + 2
      throw problem("the comment is not closed", from: start)
    default:
      throw problem("a comment begins with `//` or `/*`", from: start)
    }
  }

  // MARK: Values

  /// Parses the value that begins here.
  mutating func value() throws(JSONProblem) -> JSON {
    let start = index
    guard let byte = next else { throw problem("a value is missing at the end of the text") }
    switch byte {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""):
      return JSON(.string(try string()), at: SourceRange(start: start, end: index))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
      return try word()
    case UInt8(ascii: "'"): throw problem("strings need double quotes")
    default: throw problem("a value is missing here")
    }
  }

  /// Parses `null`, `true` or `false`.
  mutating func word() throws(JSONProblem) -> JSON {
    let start = index
    while let byte = next, (byte | 0x20) >= UInt8(ascii: "a"), (byte | 0x20) <= UInt8(ascii: "z") {
      index += 1
    }
    let range = SourceRange(start: start, end: index)
    switch String(decoding: bytes[start..<index], as: UTF8.self) {
    case "null": return JSON(.null, at: range)
    case "true": return JSON(.bool(true), at: range)
    case "false": return JSON(.bool(false), at: range)
    case let other:
      throw problem("`\(other)` is not a JSON value; strings need quotes", from: start)
    }
  }

  private mutating func number() throws(JSONProblem) -> JSON {
    let start = index
    try passNumber()
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    return JSON(.number(text), at: SourceRange(start: start, end: index))
  }

  /// Skips a number.
  mutating func passNumber() throws(JSONProblem) {
    let start = index
    if next == UInt8(ascii: "-") { index += 1 }
    if next == UInt8(ascii: "0") {
      index += 1
    } else {
      try digits(from: start)
    }
    if next == UInt8(ascii: ".") {
      index += 1
      try digits(from: start)
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      index += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      try digits(from: start)
    }
    if let byte = next, (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".") {
      index += 1
      throw problem("this is not a JSON number", from: start)
    }
  }

  private mutating func digits(from start: Int) throws(JSONProblem) {
    guard let first = next, (0x30...0x39).contains(first) else {
      throw problem("this is not a JSON number", from: start)
    }
    while let byte = next, (0x30...0x39).contains(byte) { index += 1 }
  }

  /// Skips an opening bracket and counts it.
  mutating func enter() throws(JSONProblem) {
    depth += 1
    if depth > Self.maximumDepth {
      throw problem("nested more than \(Self.maximumDepth) levels deep")
    }
    index += 1
    try skipBlanks()
  }

  /// Skips the comma after an element; false at the closing bracket.
  mutating func more(until close: UInt8, openedAt start: Int) throws(JSONProblem) -> Bool {
    try skipBlanks()
    if next == close { return false }
    guard next == UInt8(ascii: ",") else {
      throw next == nil
        ? problem("this is not closed", from: start)
        : problem("a comma or `\(close == UInt8(ascii: "}") ? "}" : "]")` is missing here")
    }
    index += 1
    try skipBlanks()
    return next != close
  }

  private mutating func array() throws(JSONProblem) -> JSON {
    let start = index
    try enter()
    var elements: [JSON] = []
    if next != UInt8(ascii: "]") {
      repeat {
        elements.append(try value())
      } while try more(until: UInt8(ascii: "]"), openedAt: start)
    }
    index += 1
    depth -= 1
    return JSON(.array(elements), at: SourceRange(start: start, end: index))
  }

  private mutating func object() throws(JSONProblem) -> JSON {
    let start = index
    try enter()
    var members: [JSON.Member] = []
    var known = KnownKeys()
    if next != UInt8(ascii: "}") {
      repeat {
        let member = try member()
        guard known.insert(member.key, after: members) else {
          throw JSONProblem(
            message: "the key \"\(String(member.key))\" is repeated here", range: member.keyRange)
        }
        members.append(member)
      } while try more(until: UInt8(ascii: "}"), openedAt: start)
    }
    index += 1
    depth -= 1
    return JSON(.object(members), at: SourceRange(start: start, end: index))
  }

  /// Parses a key and skips the colon after it.
  mutating func key() throws(JSONProblem) -> (key: Text, range: SourceRange) {
    let start = index
    guard next == UInt8(ascii: "\"") else {
      throw problem("a key in double quotes is missing here")
    }
    let key = if let plain = plainKey() { plain } else { try string() }
    let keyRange = SourceRange(start: start, end: index)
    try skipBlanks()
    guard next == UInt8(ascii: ":") else { throw problem("a colon is missing after the key") }
    index += 1
    try skipBlanks()
    return (key, keyRange)
  }

  /// Parses a key without escapes, as most are; nil for others.
  private mutating func plainKey() -> Text? {
    let plain = index + 1
    if let key = keys.expected(bytes, from: plain, to: end) {
      index = plain + key.bytes.count + 1
      return key
    }
    let quote = bytes.endOfPlainString(in: plain..<end)
    guard quote < end, bytes[quote] == UInt8(ascii: "\"") else { return nil }
    index = quote + 1
    return keys.text(of: bytes, in: plain..<quote)
  }

  private mutating func member() throws(JSONProblem) -> JSON.Member {
    let (key, keyRange) = try key()
    return JSON.Member(key, at: keyRange, value: try value())
  }

  // MARK: Strings

  /// Parses a string. Returns `twin` itself, without an allocation, if the string equals it and has no
  /// escapes.
  mutating func string(orRather twin: Text? = nil) throws(JSONProblem) -> Text {
    let start = index
    index = bytes.endOfPlainString(in: start + 1..<end)
    if next == UInt8(ascii: "\"") {
      index += 1
      if let twin, bytes.isSame(as: twin.bytes, in: start + 1..<index - 1) { return twin }
      return Text(wellFormed: Array(bytes[start + 1..<index - 1]))
    }
    var result = Text()
    var plainStart = start + 1
    while true {
      index = bytes.endOfPlainString(in: index..<end)
      guard let byte = next else { break }
      switch byte {
      case UInt8(ascii: "\""):
        result.append(Text(wellFormed: Array(bytes[plainStart..<index])))
        index += 1
        return result
      case UInt8(ascii: "\\"):
        result.append(Text(wellFormed: Array(bytes[plainStart..<index])))
        result.append(try escape())
        plainStart = index
      default: throw problem("a string ends on the line where it begins")
      }
    }
    throw problem("the string is not closed", from: start)
  }

  private mutating func escape() throws(JSONProblem) -> UInt32 {
    let start = index
    index += 1
    let byte = next
    index = min(index + 1, end)
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt32(byte ?? 0)
    case UInt8(ascii: "b"): return 8
    case UInt8(ascii: "f"): return 12
    case UInt8(ascii: "n"): return 10
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "t"): return 9
    case UInt8(ascii: "u"): return try unit(from: start)
    default: throw problem("this is not a JSON escape", from: start)
    }
  }

  private mutating func unit(from start: Int) throws(JSONProblem) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Self.hexValue(byte) else {
        throw problem("`\\u` takes four hexadecimal digits", from: start)
      }
      code = code << 4 | digit
      index += 1
    }
    return code
  }

  private static func hexValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
  }
}

/// The keys of an object so far: few are compared one by one, many are hashed.
struct KnownKeys {
  private var hashed: Set<Text> = []

  private static let comparedSize = 12

  /// Adds the key that comes after the given members; false if one of them has it already.
  mutating func insert(_ key: Text, after members: [JSON.Member]) -> Bool {
    if members.count < Self.comparedSize { return !members.contains { $0.key == key } }
    if hashed.isEmpty { for member in members { hashed.insert(member.key) } }
    return hashed.insert(key).inserted
  }
}
