public import RulesLang

/// Prints and parses floats in Java's forms, as the rules language does. (Docs/Language.md §8)
public enum FloatText {
  /// The text of a float, as `string(float)` returns it.
  ///
  /// From 0.001 up to but not including 10,000,000 plain with at least one decimal, otherwise
  /// `d.dddE±n` (`1.0E7`, `4.9E-324`); also `NaN`, `Infinity`, `-0.0`. The digits are the fewest, but
  /// at least two, that read back as the same float, and of those the nearest. The emulator, on an
  /// old Java, prints more of them for some floats: 2e23 as `1.9999999999999998E23`.
  public static func text(of value: Double) -> Text {
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity" }
    var bytes: [UInt8] = value.sign == .minus ? [UInt8(ascii: "-")] : []
    let size = value.magnitude
    if size == 0 {
      bytes += "0.0".utf8
    } else if size >= 1e-3 && size < 1e7 {
      appendPlain(Decimal(shortest: size), to: &bytes)
    } else {
      let decimal = Decimal(shortest: size)
      appendDecimal(decimal.digits, pointAfter: 1, to: &bytes)
      bytes += "E\(decimal.exponent)".utf8
    }
    return Text(wellFormed: bytes)
  }

  private static func appendPlain(_ decimal: Decimal, to bytes: inout [UInt8]) {
    if decimal.exponent < 0 {
      bytes += "0.".utf8
      bytes += [UInt8](repeating: UInt8(ascii: "0"), count: -decimal.exponent - 1)
      bytes += decimal.digits
    } else {
      appendDecimal(decimal.digits, pointAfter: decimal.exponent + 1, to: &bytes)
    }
  }

  /// Appends digits with a decimal point after `count` of them, and at least one digit on each side.
  private static func appendDecimal(
    _ digits: [UInt8], pointAfter count: Int, to bytes: inout [UInt8]
  ) {
    let zero = UInt8(ascii: "0")
    for index in 0..<count { bytes.append(index < digits.count ? digits[index] : zero) }
    bytes.append(UInt8(ascii: "."))
    if digits.count > count { bytes += digits[count...] } else { bytes.append(zero) }
  }
}

/// A positive number in decimal: d.ddd × 10^exponent, the digits in ASCII.
private struct Decimal {
  var digits: [UInt8]
  var exponent: Int

  /// The decimal that `text(of:)` prints for a positive finite float.
  init(shortest value: Double) {
    self.init(description: value.description)
    if digits.count == 1 && value.bitPattern <= 20 { useTwoDigits(multiple: value.bitPattern) }
  }

  /// Reads the standard library's form, whose digits are the fewest and nearest: `120.0`, `1.2e-05`.
  private init(description: String) {
    digits = []
    exponent = -1
    var sawPoint = false
    var rest = description.utf8[...]
    while let byte = rest.popFirst(), byte != UInt8(ascii: "e") {
      if byte == UInt8(ascii: ".") {
        sawPoint = true
      } else if byte != UInt8(ascii: "0") || !digits.isEmpty {
        digits.append(byte)
        if !sawPoint { exponent += 1 }
      } else if sawPoint {
        exponent -= 1
      }
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    exponent += Int(Substring(rest)) ?? 0
  }

  /// Replaces the one digit of a multiple, 1 to 20, of the least float by the two nearest digits.
  ///
  /// Only these floats, multiples of 2^-1074, lie so far apart that several decimals of two digits
  /// read back as one float, and the nearest need not end in zero: 4.9E-324, not 5.0E-324.
  private mutating func useTwoDigits(multiple: UInt64) {
    let value = multiple * 494_065_645_841_246_544  // × 10^-341
    var unit: UInt64 = 1
    for _ in -340..<exponent { unit *= 10 }
    let rounded = (value + unit / 2) / unit
    digits = [UInt8(ascii: "0") + UInt8(rounded / 10), UInt8(ascii: "0") + UInt8(rounded % 10)]
  }
}
