import RulesLang

/// The message of a failed lookup, in which the engine prints the path in the text form of its
/// protocol buffers (Docs/Language.md §8).
enum ServiceCallText {
  /// The message of a lookup function and the segments that it was asked for.
  static func message(_ function: String, _ path: [Text]) -> String {
    var text = "Service call error. Function: [\(function)], Argument: [path_value {\n"
    for segment in path { text += "  segments {\n    simple: \"\(escaped(segment))\"\n  }\n" }
    return text + "}\n]."
  }

  private static func escaped(_ segment: Text) -> String {
    String(segment).utf8.reduce(into: "") { $0 += escaped($1) }
  }

  private static func escaped(_ octet: UInt8) -> String {
    switch octet {
    case 0x07: "\\a"
    case 0x08: "\\b"
    case 0x09: "\\t"
    case 0x0A: "\\n"
    case 0x0B: "\\v"
    case 0x0C: "\\f"
    case 0x0D: "\\r"
    case UInt8(ascii: "\""): "\\\""
    case UInt8(ascii: "'"): "\\'"
    case UInt8(ascii: "\\"): "\\\\"
    case 0x20...0x7E: String(UnicodeScalar(octet))
    default: "\\" + octal(octet)
    }
  }

  private static func octal(_ octet: UInt8) -> String {
    let digits = String(octet, radix: 8)
    return String(repeating: "0", count: 3 - digits.utf8.count) + digits
  }
}
