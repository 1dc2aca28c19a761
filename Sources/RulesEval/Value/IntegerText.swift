public import RulesLang

/// Parses ints as the rules language does. (Docs/Language.md §8)
public enum IntegerText {
  /// Returns the int in a text, as `int(string)` reads it; nil if malformed or over 64 bits.
  ///
  /// An optional `+` or `-`, then decimal digits of any script of the Basic Multilingual Plane, also mixed;
  /// no white space, no separators. Leading zeros are allowed.
  public static func value(of text: Text) -> Int64? {
    let isNegative = text.bytes.first == UInt8(ascii: "-")
    let hasSign = isNegative || text.bytes.first == UInt8(ascii: "+")
    var value: Int64 = 0
    var count = 0
    for codePoint in text.codePoints.dropFirst(hasSign ? 1 : 0) {
      guard let digit = digit(codePoint) else { return nil }
      // Counting downwards reaches the least int, which has no positive counterpart.
      let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
      let (next, underflow) = tenfold.subtractingReportingOverflow(digit)
      guard !overflow, !underflow else { return nil }
      value = next
      count += 1
    }
    guard count > 0 else { return nil }
    return isNegative ? value : Arithmetic.negated(value)
  }

  /// True if a code point is a digit that ints are read from.
  static func isDigit(_ codePoint: UInt32) -> Bool { digit(codePoint) != nil }

  /// The value of a decimal digit.
  static func digit(_ codePoint: UInt32) -> Int64? {
    if codePoint < 0x80 { return 0x30...0x39 ~= codePoint ? Int64(codePoint - 0x30) : nil }
    for zero in zeros where zero <= codePoint && codePoint < zero + 10 {
      return Int64(codePoint - zero)
    }
    return nil
  }

  /// The zeros of Unicode's decimal digits (general category Nd) outside ASCII up to U+FFFF; the
  /// other nine digits follow each. The emulator knows no digits beyond.
  private static let zeros: [UInt32] = [
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
    0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90,
    0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
  ]
}
