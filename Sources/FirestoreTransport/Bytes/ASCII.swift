extension UInt8 {
  /// True for `0` to `9`.
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  /// True for `A` to `Z`.
  var isUpperCase: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }

  /// The lower-case form of an upper-case letter; other bytes are unchanged.
  var lowerCased: UInt8 { isUpperCase ? self | 0x20 : self }

  /// True for a character of methods and header names, a `tchar` of RFC 9110 §5.6.2.
  var isTokenCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "*"),
      UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// The value of a hexadecimal digit in either case; nil for other bytes.
  var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Returns the upper-case hexadecimal digit of the low four bits of a value.
  static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    let low = value & 15
    return low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "A") + low - 10
  }
}

extension ArraySlice<UInt8> {
  /// The text of these bytes; invalid UTF-8 becomes U+FFFD.
  var text: String { String(decoding: self, as: UTF8.self) }

  /// The bytes without leading and trailing spaces and tabs.
  var trimmed: ArraySlice<UInt8> {
    guard let first = firstIndex(where: { $0 != 0x20 && $0 != 0x09 }),
      let last = lastIndex(where: { $0 != 0x20 && $0 != 0x09 })
    else { return self[endIndex...] }
    return self[first...last]
  }

  /// Returns the number of digits in a base; nil if there is another character, no digit, or the number
  /// exceeds `limit`.
  ///
  /// - Requires: `limit` times the base is an `Int`.
  func number(base: Int, limit: Int) -> Int? {
    guard !isEmpty else { return nil }
    var value = 0
    for byte in self {
      guard let digit = byte.hexadecimalValue, Int(digit) < base else { return nil }
      value = value * base + Int(digit)
      guard value <= limit else { return nil }
    }
    return value
  }
}
