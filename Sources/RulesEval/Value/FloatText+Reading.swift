public import RulesLang

// The grammar, after characters up to U+0020 are cut at both ends:
//
//   float    = [+-]? ( "NaN" | "Infinity" | ( decimal | hex ) [fFdD]? )
//   decimal  = ( digit+ ( "." digit* )? | "." digit+ ) ( [eE] [+-]? digit+ )?
//   hex      = "0" [xX] ( hexDigit+ ( "." hexDigit* )? | "." hexDigit+ ) [pP] [+-]? digit+
//
// Digits are ASCII only.

extension FloatText {
  /// Returns the float in a text, as `float(string)` reads it; nil if there is none.
  ///
  /// Correctly rounded; too large is infinite, too small is zero. Characters up to U+0020 at both ends are
  /// ignored. Reads `1`, `1.`, `.5`, exponents, a suffix of `fFdD`, `NaN`, `Infinity`, and hexadecimal floats
  /// such as `0x1.8p1`. (Docs/Language.md §8)
  public static func value(of text: Text) -> Double? { value(of: text.bytes[...]) }

  /// Parses the bytes of an ASCII text as `value(of:)` does.
  public static func value(of bytes: ArraySlice<UInt8>) -> Double? {
    var reader = FloatReader(bytes)
    reader.trim()
    let isNegative = reader.readSign()
    guard let size = reader.readUnsigned() else { return nil }
    return isNegative ? -size : size
  }
}

/// Parses a float from the front of some bytes.
private struct FloatReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Drops characters up to U+0020 at both ends.
  mutating func trim() {
    while let first = rest.first, first <= 0x20 { rest.removeFirst() }
    while let last = rest.last, last <= 0x20 { rest.removeLast() }
  }

  /// Skips an optional sign. True if it was a minus.
  mutating func readSign() -> Bool {
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    return isNegative
  }

  /// Parses all that is left as a float without a sign.
  mutating func readUnsigned() -> Double? {
    if rest.elementsEqual("NaN".utf8) { return .nan }
    if rest.elementsEqual("Infinity".utf8) { return .infinity }
    let isHex = rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8)
    if isHex { rest.removeFirst(2) }
    guard let value = isHex ? readHex() : readDecimal() else { return nil }
    if let suffix = rest.first, "fFdD".utf8.contains(suffix) { rest.removeFirst() }
    return rest.isEmpty ? value : nil
  }

  private mutating func readDecimal() -> Double? {
    var number = DecimalNumber()
    var hasDigits = false
    var isFraction = false
    while let byte = rest.first {
      if let digit = asciiDigit(byte) {
        number.append(digit, isFraction: isFraction)
        hasDigits = true
      } else if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else {
        break
      }
      rest.removeFirst()
    }
    guard hasDigits, let exponent = readExponent("e", or: "E") else { return nil }
    return number.value(timesTenTo: exponent ?? 0)
  }

  private mutating func readHex() -> Double? {
    var significand: UInt64 = 0
    var exponent = 0
    var hasMore = false
    var hasDigits = false
    var isFraction = false
    while let byte = rest.first {
      if let digit = hexDigit(byte) {
        hasDigits = true
        if significand >> 60 == 0 {
          significand = significand << 4 | UInt64(digit)
          if isFraction { exponent -= 4 }
        } else {
          if digit != 0 { hasMore = true }
          if !isFraction { exponent += 4 }
        }
      } else if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else {
        break
      }
      rest.removeFirst()
    }
    guard hasDigits, case .some(.some(let power)) = readExponent("p", or: "P") else { return nil }
    return Double(rounding: significand, exponent: exponent + power, hasMore: hasMore)
  }

  /// Parses an optional exponent: nil if it is malformed, `.some(nil)` if there is none.
  ///
  /// Large exponents are clamped, so that adding to them cannot overflow.
  private mutating func readExponent(
    _ lower: Unicode.Scalar, or upper: Unicode.Scalar
  ) -> Int?? {
    guard let mark = rest.first, mark == UInt8(ascii: lower) || mark == UInt8(ascii: upper) else {
      return .some(nil)
    }
    rest.removeFirst()
    let isNegative = readSign()
    var value = 0
    var hasDigits = false
    while let byte = rest.first, let digit = asciiDigit(byte) {
      if value < 100_000_000 { value = value * 10 + Int(digit) }
      hasDigits = true
      rest.removeFirst()
    }
    return hasDigits ? .some(isNegative ? -value : value) : nil
  }
}

/// The value of an ASCII digit.
private func asciiDigit(_ byte: UInt8) -> UInt8? {
  let value = byte &- UInt8(ascii: "0")
  return value < 10 ? value : nil
}

/// The value of an ASCII hexadecimal digit.
private func hexDigit(_ byte: UInt8) -> UInt8? {
  let letter = (byte | 0x20) &- UInt8(ascii: "a")
  return letter < 6 ? letter + 10 : asciiDigit(byte)
}
