import RulesLang

/// Makes UTF-8 of texts. Half of a surrogate pair, which a text of the rules language may have, becomes `?`,
/// as it does in Java.
enum WireText {
  /// Returns the bytes of a text.
  static func utf8(of text: Text) -> [UInt8] {
    UTF8Check.firstInvalidByte(in: text.bytes) == nil ? text.bytes : Array(String(text).utf8)
  }

  /// Returns the text as it comes back from the wire.
  static func repaired(_ text: Text) -> Text {
    UTF8Check.firstInvalidByte(in: text.bytes) == nil ? text : Text(String(text))
  }
}
