import RulesEval
import RulesLang

/// JSON to be printed. Objects keep the order of their members.
indirect enum JSONText: Sendable {
  case null
  case bool(Bool)
  case int(Int)
  /// A number as it is to be written.
  case number(String)
  case string(String)
  case array([JSONText])
  case object([(String, JSONText)])

  /// The text on one line.
  var compact: String {
    var text = ""
    write(to: &text, indent: nil)
    return text
  }

  /// The text on many lines, indented by two spaces, ended.
  var pretty: String {
    var text = ""
    write(to: &text, indent: 0)
    return text + "\n"
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .int(let number): text += "\(number)"
    case .number(let digits): text += digits
    case .string(let string): Self.quote(string, into: &text)
    case .array(let elements):
      Self.write(elements.map { (nil, $0) }, "[", "]", to: &text, indent)
    case .object(let members):
      Self.write(members.map { ($0.0, $0.1) }, "{", "}", to: &text, indent)
    }
  }

  private static func write(
    _ parts: [(String?, JSONText)], _ open: String, _ close: String, to text: inout String,
    _ indent: Int?
  ) {
    text += open
    for (index, part) in parts.enumerated() {
      if index > 0 { text += "," }
      if let indent { text += "\n" + String(repeating: "  ", count: indent + 1) }
      if let key = part.0 {
        quote(key, into: &text)
        text += indent == nil ? ":" : ": "
      }
      part.1.write(to: &text, indent: indent.map { $0 + 1 })
    }
    if let indent, !parts.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
    text += close
  }

  private static func quote(_ string: String, into text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension JSONText {
  /// JSON that was read or made, to be printed.
  init(_ json: JSON) {
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
