// Everything here is exact or correctly rounded and needs no C library: what the standard library
// offers for remainders, roundings and roots calls one, which the WebAssembly page has not.

extension Arithmetic {
  /// The IEEE sum, except that -0.0 + -0.0 is 0.0 as in the emulator.
  public static func sum(of left: Double, and right: Double) -> Double { 0 + left + right }

  /// The IEEE difference.
  public static func difference(of left: Double, and right: Double) -> Double { left - right }

  /// The IEEE product.
  public static func product(of left: Double, and right: Double) -> Double { left * right }

  /// The IEEE quotient: division by zero gives an infinity or NaN.
  public static func quotient(of left: Double, by right: Double) -> Double { left / right }

  /// The exact remainder of division truncated toward zero, with the sign of the dividend.
  ///
  /// NaN for an infinite dividend and for a zero divisor. At most 2,098 steps, one for each bit of
  /// difference in size.
  public static func remainder(of left: Double, by right: Double) -> Double {
    guard left.isFinite, !right.isNaN, right != 0 else { return .nan }
    let (dividend, divisor) = (left.magnitude, right.magnitude)
    guard dividend >= divisor else { return left }
    let (numerator, upper) = integerForm(dividend)
    let (denominator, lower) = integerForm(divisor)
    var rest = numerator % denominator
    for _ in lower..<upper {
      rest <<= 1  // Below 2^54: `rest` was less than a significand.
      if rest >= denominator { rest -= denominator }
    }
    let result = Double(rounding: rest, exponent: lower)
    return left.sign == .minus ? -result : result
  }

  /// The operand with the other sign, zeros included.
  public static func negated(_ operand: Double) -> Double { -operand }

  /// The operand without its sign, zeros included. The result of `math.abs(float)`.
  public static func magnitude(_ operand: Double) -> Double { operand.magnitude }

  /// The greatest whole float not above the operand. The result of `math.floor`.
  public static func floor(_ value: Double) -> Double {
    guard value.magnitude < 0x1p52 else { return value }
    let whole = Double(Int64(value))
    // An equal whole number is not returned in place of the operand, which may be -0.0.
    return whole == value ? value : whole > value ? whole - 1 : whole
  }

  /// The least whole float not below the operand; -0.5 gives -0.0. The result of `math.ceil`.
  public static func ceiling(_ value: Double) -> Double { -floor(-value) }

  /// The nearest int, halves upward; saturates; NaN is 0. The result of `math.round(float)`.
  ///
  /// The result is the floor of x + 1/2 without the rounding of that sum. (Docs/Language.md §8)
  public static func rounded(_ value: Double) -> Int64 {
    let floor = floor(value)
    return truncated(value - floor >= 0.5 ? floor + 1 : floor)
  }

  /// Truncates toward zero; saturates at the limits of 64 bits; NaN is 0. The result of `int(float)`.
  public static func truncated(_ value: Double) -> Int64 {
    if value.isNaN { return 0 }
    if value >= 0x1p63 { return .max }
    if value <= -0x1p63 { return .min }
    return Int64(value)
  }

  /// The correctly rounded square root; NaN below zero, -0.0 for -0.0. The result of `math.sqrt`.
  public static func squareRoot(_ value: Double) -> Double {
    guard value > 0 else { return value == 0 ? value : .nan }
    guard value.isFinite else { return value }
    let (significand, exponent) = integerForm(value)
    // The radicand is the significand with an even exponent, in 54 bits and 54 zeros after them.
    var shift = significand.leadingZeroBitCount - 11
    if (exponent - shift) % 2 != 0 { shift += 1 }
    let radicand = significand << UInt64(shift)
    var root: UInt64 = 0
    var rest: UInt64 = 0
    // Long division's cousin: each step takes two more bits of the radicand and finds one of the root.
    for step in 1...54 {
      let bits = step <= 27 ? radicand >> UInt64(54 - 2 * step) & 3 : 0
      rest = rest << 2 | bits
      let trial = root << 2 | 1
      root <<= 1
      if rest >= trial {
        rest -= trial
        root |= 1
      }
    }
    return Double(rounding: root, exponent: (exponent - shift) / 2 - 27, hasMore: rest != 0)
  }

  /// A positive finite float as significand × 2^exponent, the exponent at least -1074.
  private static func integerForm(_ value: Double) -> (significand: UInt64, exponent: Int) {
    let stored = Int(value.exponentBitPattern)
    let fraction = value.significandBitPattern
    return stored == 0 ? (fraction, -1074) : (fraction | 1 << 52, stored - 1075)
  }
}
