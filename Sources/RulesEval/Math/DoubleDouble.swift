// A number as the exact sum of two floats, about 106 bits. Dekker and Knuth have shown that the
// error of one sum or product of floats is itself a float and can be computed; everything here rests
// on that. There is no fused multiply-add, which not every machine has. Intermediate results have to
// stay between about 2^-900 and 2^900, so that no step overflows or loses bits to subnormals.

/// An unevaluated sum of two floats, the second at most half a unit in the last place of the first.
struct DoubleDouble {
  /// The nearest float to the number.
  var high: Double
  /// The rest of the number beyond `high`.
  var low: Double

  /// Creates the number from parts that already are in this form.
  init(_ high: Double, plus low: Double = 0) {
    self.high = high
    self.low = low
  }

  /// The exact sum of two floats.
  static func sum(_ left: Double, _ right: Double) -> DoubleDouble {
    let high = left + right
    let part = high - left
    return DoubleDouble(high, plus: (left - (high - part)) + (right - part))
  }

  /// The exact sum of two floats of which the first is not smaller in magnitude.
  static func ordered(_ left: Double, plus right: Double) -> DoubleDouble {
    let high = left + right
    return DoubleDouble(high, plus: right - (high - left))
  }

  /// The exact product of two floats.
  static func product(_ left: Double, _ right: Double) -> DoubleDouble {
    let high = left * right
    let (leftTop, leftRest) = halves(left)
    let (rightTop, rightRest) = halves(right)
    let error = leftTop * rightTop - high + leftTop * rightRest + leftRest * rightTop
    return DoubleDouble(high, plus: error + leftRest * rightRest)
  }

  /// A float as the sum of two floats of 26 bits, whose products are exact.
  private static func halves(_ value: Double) -> (top: Double, rest: Double) {
    let scaled = value * 134_217_729  // 2^27 + 1
    let top = scaled - (scaled - value)
    return (top, value - top)
  }

  /// The sum, with a relative error of about 2^-104.
  static func + (left: DoubleDouble, right: DoubleDouble) -> DoubleDouble {
    let high = sum(left.high, right.high)
    let low = sum(left.low, right.low)
    let middle = ordered(high.high, plus: high.low + low.high)
    return ordered(middle.high, plus: middle.low + low.low)
  }

  /// The difference.
  static func - (left: DoubleDouble, right: DoubleDouble) -> DoubleDouble {
    left + DoubleDouble(-right.high, plus: -right.low)
  }

  /// The product, with a relative error of about 2^-103.
  static func * (left: DoubleDouble, right: DoubleDouble) -> DoubleDouble {
    let main = product(left.high, right.high)
    return ordered(main.high, plus: main.low + (left.high * right.low + left.low * right.high))
  }

  /// The product with a float.
  static func * (left: DoubleDouble, right: Double) -> DoubleDouble {
    let main = product(left.high, right)
    return ordered(main.high, plus: main.low + left.low * right)
  }

  /// The quotient, with a relative error of about 2^-102; the divisor is not zero.
  static func / (left: DoubleDouble, right: DoubleDouble) -> DoubleDouble {
    let first = left.high / right.high
    let rest = left - right * first
    let second = rest.high / right.high
    let last = (rest - right * second).high / right.high
    return ordered(first, plus: second) + DoubleDouble(last)
  }
}
