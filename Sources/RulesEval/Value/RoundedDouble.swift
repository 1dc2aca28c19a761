extension Double {
  /// Rounds significand × 2^exponent to the nearest float, a tie to the even one.
  ///
  /// `hasMore` says that the exact value is greater by less than one unit of the significand, which
  /// then has to have at least 54 bits in use.
  /// Results too large are infinite, results too small are subnormal or 0.
  init(rounding significand: UInt64, exponent: Int, hasMore: Bool = false) {
    guard significand != 0 else {
      self = 0
      return
    }
    let shift = significand.leadingZeroBitCount
    let bits = significand << UInt64(shift)
    // The value is bits × 2^-63 × 2^scale with 1 ≤ bits × 2^-63 < 2.
    let scale = exponent - shift + 63
    if scale > 1023 {
      self = .infinity
    } else if scale < -1075 {
      self = 0
    } else {
      // Normal floats keep 53 bits, subnormal ones fewer, the half of the least one none.
      let dropped = scale >= -1022 ? 11 : -1011 - scale
      let kept = dropped == 64 ? 0 : bits >> UInt64(dropped)
      let half: UInt64 = 1 << UInt64(dropped - 1)
      let rest = dropped == 64 ? bits : bits & ((half << 1) - 1)
      let isUp = rest > half || (rest == half && (hasMore || kept & 1 == 1))
      // The leading bit of `kept` adds one to the exponent field, and so does a carry out of it.
      let field = scale >= -1022 ? UInt64(scale + 1022) << 52 : 0
      self = Double(bitPattern: field + kept + (isUp ? 1 : 0))
    }
  }
}
