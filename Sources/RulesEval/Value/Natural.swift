/// An arbitrary-precision natural number, for exact conversions between bases.
struct Natural {
  /// The digits to the base 2^32, least significant first, without leading zeros.
  private var limbs: [UInt32]

  /// Creates a small number.
  init(_ value: UInt32) { limbs = value == 0 ? [] : [value] }

  /// Creates the number with these decimal digits, each 0 to 9. O(n²).
  init(digits: [UInt8]) {
    self.init(0)
    for digit in digits { multiply(by: 10, adding: UInt32(digit)) }
  }

  /// The number of bits without leading zeros.
  var bitWidth: Int {
    guard let last = limbs.last else { return 0 }
    return limbs.count * 32 - last.leadingZeroBitCount
  }

  /// Multiplies by a number and adds another.
  mutating func multiply(by factor: UInt32, adding addend: UInt32) {
    var carry = UInt64(addend)
    for index in limbs.indices {
      carry += UInt64(limbs[index]) * UInt64(factor)
      limbs[index] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    if carry != 0 { limbs.append(UInt32(carry)) }
  }

  /// Multiplies by 2^`count`.
  mutating func shiftLeft(by count: Int) {
    guard !limbs.isEmpty else { return }
    let bits = UInt64(count % 32)
    var carry: UInt64 = 0
    for index in limbs.indices {
      carry |= UInt64(limbs[index]) << bits
      limbs[index] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    if carry != 0 { limbs.append(UInt32(carry)) }
    limbs.insert(contentsOf: [UInt32](repeating: 0, count: count / 32), at: 0)
  }

  /// Multiplies by 5^`power`.
  mutating func multiply(byPowerOfFive power: Int) {
    for _ in 0..<power / 13 { multiply(by: 1_220_703_125, adding: 0) }  // 5^13
    for _ in 0..<power % 13 { multiply(by: 5, adding: 0) }
  }

  /// Divides by a number with 63 bits less, so that the quotient has 63 or 64 bits.
  func quotient(by divisor: Natural) -> (quotient: UInt64, hasRemainder: Bool) {
    var aligned = divisor
    aligned.shiftLeft(by: 63)
    var rest = self
    var quotient: UInt64 = 0
    for _ in 0..<64 {
      quotient <<= 1
      if !rest.isLess(than: aligned) {
        rest.subtract(aligned)
        quotient |= 1
      }
      rest.shiftLeft(by: 1)
    }
    return (quotient, !rest.limbs.isEmpty)
  }

  /// Subtracts a number.
  ///
  /// - Requires: It is not greater.
  private mutating func subtract(_ other: Natural) {
    var borrow: UInt32 = 0
    for index in limbs.indices {
      let digit = index < other.limbs.count ? other.limbs[index] : 0
      let (first, overflow) = limbs[index].subtractingReportingOverflow(digit)
      let (second, underflow) = first.subtractingReportingOverflow(borrow)
      limbs[index] = second
      borrow = overflow || underflow ? 1 : 0
    }
    while limbs.last == 0 { limbs.removeLast() }
  }

  private func isLess(than other: Natural) -> Bool {
    if limbs.count != other.limbs.count { return limbs.count < other.limbs.count }
    for index in limbs.indices.reversed() where limbs[index] != other.limbs[index] {
      return limbs[index] < other.limbs[index]
    }
    return false
  }
}
