import RulesLang

/// Conversion of texts to UTF-8. Lone surrogates, which texts of the rules language may contain, become `?`,
/// as in Java.
enum WireText {
  /// Returns the bytes of a text.
  static func utf8(of text: Text) -> [UInt8] {
    UTF8Check.firstInvalidByte(in: text.bytes) == nil ? text.bytes : Array(String(text).utf8)
  }

  /// Returns the text after conversion to UTF-8 and back.
  static func repaired(_ text: Text) -> Text {
    UTF8Check.firstInvalidByte(in: text.bytes) == nil ? text : Text(String(text))
  }
}
