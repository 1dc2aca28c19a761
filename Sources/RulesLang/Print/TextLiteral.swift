extension Text {
  /// The text as a string literal of the rules language (Docs/Language.md §2.6), whose value is the text.
  public var literal: String {
    var literal = "'"
    for point in codePoints {
      switch point {
      case 0x27: literal += "\\'"
      case 0x5C: literal += "\\\\"
      case 0x08: literal += "\\b"
      case 0x0A: literal += "\\n"
      case 0x0C: literal += "\\f"
      case 0x0D: literal += "\\r"
      default:
        if let character = Unicode.Scalar(point) {
          literal.unicodeScalars.append(character)
        } else {
          // Half a character, which has four digits.
          literal += "\\u" + String(point, radix: 16)
        }
      }
    }
    return literal + "'"
  }
}
