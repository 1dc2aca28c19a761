import RulesEval
import RulesLang

/// A writer of JSON in the layout of Google's library for Java: each member on its own line, the elements of
/// a list in sequence.
struct JSONWriter {
  /// The written bytes.
  private(set) var bytes: [UInt8] = []
  /// The converter of references, which knows the message's project.
  let references: ReferenceName
  private let isPretty: Bool
  /// The number of open objects.
  private var depth = 0

  private static let hexDigits = Array("0123456789abcdef".utf8)

  /// Creates an empty writer.
  init(layout: JSONLayout, project: Text) {
    references = ReferenceName(project: project)
    isPretty = layout == .pretty
  }

  // MARK: Objects

  /// Writes an object whose members `body` writes.
  mutating func object(_ body: (inout Self) -> Void) {
    raw("{")
    depth += 1
    body(&self)
    depth -= 1
    // Even an object without members has a line break.
    if isPretty { newLine() }
    raw("}")
  }

  /// Writes the key of a member. `isFirst` is true for the first member of an object, and set to false.
  mutating func key(_ key: Text, isFirst: inout Bool) {
    if !isFirst { raw(",") }
    isFirst = false
    if isPretty { newLine() }
    string(key)
    raw(isPretty ? ": " : ":")
  }

  /// Writes a list.
  mutating func list<Elements: Sequence>(
    _ elements: Elements, _ body: (inout Self, Elements.Element) -> Void
  ) {
    raw("[")
    var isFirst = true
    for element in elements {
      if !isFirst { raw(isPretty ? ", " : ",") }
      isFirst = false
      body(&self, element)
    }
    raw("]")
  }

  private mutating func newLine() {
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { raw("  ") }
  }

  // MARK: Scalars

  /// Writes ASCII without escapes.
  mutating func raw(_ text: StaticString) {
    // Safe: the buffer does not leave the closure.
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes `true` or `false`.
  mutating func bool(_ flag: Bool) { raw(flag ? "true" : "false") }

  /// Writes an integer as a number.
  mutating func int(_ number: Int64) { bytes.append(contentsOf: String(number).utf8) }

  /// Writes an integer in quotes, the JSON form of 64-bit integers.
  mutating func quoted(_ number: Int64) {
    raw("\"")
    int(number)
    raw("\"")
  }

  /// Writes a double as a number, or as a name in quotes if it is not finite.
  mutating func double(_ number: Double) {
    if !number.isFinite { raw("\"") }
    bytes.append(contentsOf: FloatText.text(of: number).bytes)
    if !number.isFinite { raw("\"") }
  }

  /// Writes bytes in base64.
  mutating func octets(_ octets: [UInt8]) {
    raw("\"")
    bytes.append(contentsOf: Base64.standard.text(of: octets).bytes)
    raw("\"")
  }

  /// Writes an instant.
  mutating func timestamp(_ time: Timestamp) {
    raw("\"")
    bytes.append(contentsOf: time.description.utf8)
    raw("\"")
  }

  /// Writes a string.
  mutating func string(_ text: Text) {
    raw("\"")
    let utf8 = WireText.utf8(of: text)
    var plainStart = 0
    for (place, byte) in utf8.enumerated() where Self.isSpecial(byte) {
      bytes.append(contentsOf: utf8[plainStart..<place])
      escape(byte)
      plainStart = place + 1
    }
    if plainStart == 0 {
      bytes.append(contentsOf: utf8)
    } else {
      bytes.append(contentsOf: utf8[plainStart...])
    }
    raw("\"")
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): raw("\\\"")
    case UInt8(ascii: "\\"): raw("\\\\")
    case UInt8(ascii: "\n"): raw("\\n")
    case UInt8(ascii: "\r"): raw("\\r")
    case UInt8(ascii: "\t"): raw("\\t")
    default:
      raw("\\u00")
      bytes.append(Self.hexDigits[Int(byte >> 4)])
      bytes.append(Self.hexDigits[Int(byte & 15)])
    }
  }
}
