/// A number written in decimal, kept exactly or exactly enough to be rounded to a float.
///
/// Digits past the 800th are not kept: a boundary between two floats has at most 767 digits, so only whether
/// the rest is zero matters. A last digit 1 represents a rest that is not zero.
struct DecimalNumber {
  private static let mostDigits = 800

  /// The first digits, without zeros in front.
  private var digits: [UInt8] = []
  /// The power of ten of the last digit kept.
  private var exponent = 0
  private var hasMore = false

  /// Appends a digit, 0 to 9, on the right, before or in the fraction.
  mutating func append(_ digit: UInt8, isFraction: Bool) {
    if digits.count < DecimalNumber.mostDigits {
      if digit != 0 || !digits.isEmpty { digits.append(digit) }
      if isFraction { exponent -= 1 }
    } else {
      if digit != 0 { hasMore = true }
      if !isFraction { exponent += 1 }
    }
  }

  /// The nearest float to the number times a power of ten, a tie going to the even one.
  func value(timesTenTo power: Int) -> Double {
    guard !digits.isEmpty else { return 0 }
    let scale = exponent + power
    // The number is at least 10^(leading) and less than ten times that.
    let leading = scale + digits.count - 1
    if leading > 309 { return .infinity }
    if leading < -325 { return 0 }
    if let exact = valueByOneOperation(scale) { return exact }
    return hasMore ? rounded(digits + [1], scale: scale - 1) : rounded(digits, scale: scale)
  }

  /// The float, if the digits and the power of ten are floats, so that one operation rounds.
  private func valueByOneOperation(_ scale: Int) -> Double? {
    guard digits.count <= 15, -22...22 ~= scale else { return nil }
    var significand = 0.0
    for digit in digits { significand = significand * 10 + Double(digit) }
    var power = 1.0
    for _ in 0..<abs(scale) { power *= 10 }
    return scale < 0 ? significand / power : significand * power
  }

  /// The float nearest to digits × 10^scale, by whole numbers of any size.
  private func rounded(_ digits: [UInt8], scale: Int) -> Double {
    var numerator = Natural(digits: digits)
    var denominator = Natural(1)
    if scale < 0 {
      denominator.multiply(byPowerOfFive: -scale)
    } else {
      numerator.multiply(byPowerOfFive: scale)
    }
    // A quotient of 63 or 64 bits and whether anything remains are enough to round.
    let shift = denominator.bitWidth + 63 - numerator.bitWidth
    if shift > 0 { numerator.shiftLeft(by: shift) } else { denominator.shiftLeft(by: -shift) }
    let (quotient, hasMore) = numerator.quotient(by: denominator)
    return Double(rounding: quotient, exponent: scale - shift, hasMore: hasMore)
  }
}
