import RulesLang

/// The message of a failed lookup, in which the engine prints the path in the text form of its
/// protocol buffers (Docs/Language.md §8).
enum ServiceCallText {
  /// The message of a lookup function and the path that it was asked for.
  static func message(_ function: String, for path: PathValue) -> String {
    "Service call error. Function: [\(function)], Argument: [path_value {\n"
      + segments(of: path, indent: "  ") + "}\n]."
  }

  private static func segments(of path: PathValue, indent: String) -> String {
    path.segments.reduce("") { text, segment in
      text + indent + "segments {\n" + inside(segment, indent: indent + "  ") + indent + "}\n"
    }
  }

  private static func inside(_ segment: PathValue.Segment, indent: String) -> String {
    switch segment {
    case .plain(let text): return line("simple", text: text, indent: indent)
    case .capture(let name, let bound):
      return indent + "capture {\n" + line("variable_name", text: name, indent: indent + "  ")
        + (bound.map { line("bound_value", text: $0, indent: indent + "  ") } ?? "") + indent
        + "}\n"
    case .glob(let name, let bound):
      let value = bound.map { run in
        indent + "  bound_value {\n" + segments(of: PathValue(plain: run), indent: indent + "    ")
          + indent
          + "  }\n"
      }
      return indent + "glob_capture {\n" + line("variable_name", text: name, indent: indent + "  ")
        + (value ?? "") + indent + "}\n"
    }
  }

  private static func line(_ field: String, text: Text, indent: String) -> String {
    "\(indent)\(field): \"\(escaped(text))\"\n"
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
