// Power series in about 100 bits. They are summed from the far end, each term by one multiplication
// and one division, with as many terms as the widest argument needs; none is fast and none has to be.

extension DoubleDouble {
  /// The natural logarithm of 2.
  private static let ln2 = DoubleDouble(0x1.62e42fefa39efp-1, plus: 0x1.abc9e3b39803fp-56)
  /// Half the circumference of the unit circle.
  private static let pi = DoubleDouble(0x1.921fb54442d18p+1, plus: 0x1.1a62633145c07p-53)
  private static let halfPi = DoubleDouble(0x1.921fb54442d18p+0, plus: 0x1.1a62633145c07p-54)
  private static let one = DoubleDouble(1)

  /// The natural logarithm of a positive finite float, with a relative error of about 2^-100.
  ///
  /// With x = 2^e × m and m near 1, ln x = e × ln 2 + 2 × artanh((m - 1) / (m + 1)).
  static func logarithm(_ value: Double) -> DoubleDouble {
    let (significand, exponent) = split(value)
    let ratio = DoubleDouble(significand - 1) / sum(significand, 1)
    let square = ratio * ratio
    // |ratio| ≤ 0.1716, so that terms of the power 44 are below 2^-110.
    var series = DoubleDouble(0)
    for divisor in stride(from: 43, through: 1, by: -2) {
      series = one / DoubleDouble(Double(divisor)) + square * series
    }
    let artanh = ratio * series
    return ln2 * exponent + artanh + artanh
  }

  /// A positive finite float as significand × 2^exponent, the significand between √½ and √2.
  static func split(_ value: Double) -> (significand: Double, exponent: Double) {
    let exponent = Double(value.exponent)
    let significand = value.significand
    return significand > 1.4142135623730951
      ? (significand / 2, exponent + 1) : (significand, exponent)
  }

  /// The exponential function as `scaled` × 2^`exponent`, for arguments up to ±750.
  ///
  /// `scaled` is between 0.7 and 1.42 and has an absolute error of about 2^-102 and the error of the
  /// argument.
  static func exponential(_ value: DoubleDouble) -> (scaled: DoubleDouble, exponent: Int) {
    let exponent = Arithmetic.floor(value.high / ln2.high + 0.5)
    let rest = value - ln2 * exponent
    // |rest| ≤ 0.347, so that the term of the power 25 is below 2^-120.
    var series = one
    for divisor in stride(from: 24, through: 1, by: -1) {
      series = one + rest * series / DoubleDouble(Double(divisor))
    }
    return (series, Int(exponent))
  }

  /// The sine of an angle in radians from -π to π, with a relative error of about 2^-100.
  static func sine(_ angle: DoubleDouble) -> DoubleDouble {
    if angle.high < 0 {
      let mirrored = sine(DoubleDouble(-angle.high, plus: -angle.low))
      return DoubleDouble(-mirrored.high, plus: -mirrored.low)
    }
    let acute = angle.high > halfPi.high ? pi - angle : angle
    let square = acute * acute
    // The angle is at most 1.5708, so that the term of the power 35 is below 2^-110.
    var series = one
    for power in stride(from: 33, through: 3, by: -2) {
      series = one - square * series / DoubleDouble(Double(power * (power - 1)))
    }
    return acute * series
  }

  /// The cosine of an angle in radians from -π/2 to 3π/2.
  static func cosine(_ angle: DoubleDouble) -> DoubleDouble { sine(halfPi - angle) }

  /// The angle in radians, 0 to π/2, of a sine from 0 to 1, with an error of about 2^-98.
  static func arcsine(_ sine: Double) -> DoubleDouble {
    guard sine > 0.5 else { return arcsine(upToHalf: DoubleDouble(sine)) }
    // Near 1 the sine hardly moves: half of the complementary angle is found by its own sine.
    let half = arcsine(upToHalf: squareRoot((one - DoubleDouble(sine)) * 0.5))
    return halfPi - half - half
  }

  /// The angle of a sine from 0 to 1/2: a power series in floats, then one step of Newton's method,
  /// which doubles the number of good bits.
  private static func arcsine(upToHalf sine: DoubleDouble) -> DoubleDouble {
    let square = sine.high * sine.high
    var term = sine.high
    var angle = term
    for power in stride(from: 1, through: 53, by: 2) {
      term *= square * Double(power) / Double(power + 1)
      angle += term / Double(power + 2)
    }
    let error = sine - self.sine(DoubleDouble(angle))
    return ordered(angle, plus: error.high / Arithmetic.squareRoot(1 - square))
  }

  /// The square root of a number that is not negative.
  private static func squareRoot(_ value: DoubleDouble) -> DoubleDouble {
    guard value.high > 0 else { return DoubleDouble(0) }
    let root = Arithmetic.squareRoot(value.high)
    let rest = value - product(root, root)
    return ordered(root, plus: rest.high / (2 * root))
  }
}
