/// `math.pow` of the rules language. (Docs/Language.md §8)
public enum Power {
  /// `base` to the power of `exponent`, with the special cases of Java's `Math.pow`.
  ///
  /// Correctly rounded, except for a power that happens to lie within about 2^-90 of half-way between two
  /// floats. A power of zero is 1 even for NaN; any other NaN gives NaN; so do ±1 to an infinite power and a
  /// negative base to a power that is not whole.
  public static func power(of base: Double, to exponent: Double) -> Double {
    if exponent == 0 { return 1 }
    if base.isNaN || exponent.isNaN { return .nan }
    let size = base.magnitude
    let isOdd = isOddInteger(exponent)
    let result: Double
    if exponent.isInfinite {
      return size == 1 ? .nan : (size > 1) == (exponent > 0) ? .infinity : 0
    } else if size == 0 || size == .infinity {
      result = (size == 0) == (exponent > 0) ? 0 : .infinity
    } else if base < 0 && Arithmetic.floor(exponent) != exponent {
      return .nan
    } else {
      result = finitePower(of: size, to: exponent)
    }
    return base.sign == .minus && isOdd ? -result : result
  }

  private static func isOddInteger(_ value: Double) -> Bool {
    // From 2^53 on all floats are even.
    value.magnitude < 0x1p53 && Arithmetic.floor(value) == value && Int64(value) & 1 == 1
  }

  /// The power of a positive finite base other than by zero.
  private static func finitePower(of base: Double, to exponent: Double) -> Double {
    if base == 1 { return 1 }
    // |ln base| is between 2^-53 and 745, so these powers are 1 to within 2^-55, or out of range.
    if exponent.magnitude < 0x1p-65 { return 1 }
    if exponent.magnitude > 0x1p65 { return (base > 1) == (exponent > 0) ? .infinity : 0 }
    let logarithm = DoubleDouble.logarithm(base) * exponent
    if logarithm.high > 710 { return .infinity }
    if logarithm.high < -746 { return 0 }
    let (scaled, scale) = DoubleDouble.exponential(logarithm)
    return rounded(scaled, scale: scale, from: base, to: exponent)
  }

  /// The float nearest to `value` × 2^`scale`, which is a power computed to some 90 bits.
  ///
  /// A power may lie exactly half-way between floats (7^19 does), or nearer to it than 90 bits can
  /// tell ((1 - 2^-53)^-1 does). So a value that is so near to a multiple of a quarter unit is taken
  /// to be that multiple, unless `excess` knows better.
  private static func rounded(
    _ value: DoubleDouble, scale: Int, from base: Double, to exponent: Double
  ) -> Double {
    let unit = value.high.ulp
    let offset = value.low / unit * 4
    let nearest = Arithmetic.floor(offset + 0.5)
    var floor = Arithmetic.floor(offset)
    var hasMore = true
    if (offset - nearest).magnitude < 0x1p-34 {
      let rest = (value.high - 1) + nearest * (unit / 4)
      let excess = excess(of: base, to: exponent, over: rest, scale: scale)
      floor = excess < 0 ? nearest - 1 : nearest
      hasMore = excess != 0
    }
    // `value` in quarter units: at least 2^54 - 1 of them.
    let quarters = Int64(value.high / unit) * 4 + Int64(floor)
    return Double(
      rounding: UInt64(quarters), exponent: scale + Int(unit.exponent) - 2, hasMore: hasMore)
  }

  /// Returns a number with the sign of `base`^`exponent` - (1 + `rest`) × 2^`scale`.
  ///
  /// With the base as (1 + a) × 2^e, a tiny, the power (1 + a)^y is 1 + ya + y(y - 1)a²/2 + …. Bases of any
  /// other kind come so near only when the two are equal: 0.
  ///
  /// - Requires: The two are very near.
  private static func excess(
    of base: Double, to exponent: Double, over rest: Double, scale: Int
  ) -> Double {
    let (significand, binary) = DoubleDouble.split(base)
    let part = significand - 1
    guard part.magnitude < 0x1p-40, rest.magnitude < 0x1p-12, binary * exponent == Double(scale)
    else { return 0 }
    let first = DoubleDouble.product(exponent, part) - DoubleDouble(rest)
    return first.high + exponent * (exponent - 1) * part * part / 2
  }
}
