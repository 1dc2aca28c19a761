import Testing

@testable import RulesEval
@testable import RulesTesting

/// Rounding exact binary values to floats.
@Suite struct RoundedDoubleTests {
  @Test func everyFloatIsItsOwnRounding() {
    var generator = SplitMix(seed: 31)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: generator.next() >> 1)
      guard value.isFinite else { continue }
      let isSubnormal = value.exponentBitPattern == 0
      let significand = value.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
      let exponent = isSubnormal ? -1074 : Int(value.exponentBitPattern) - 1075
      #expect(Double(rounding: significand, exponent: exponent) == value)
      if !isSubnormal {
        let shifted = significand << 11
        #expect(Double(rounding: shifted, exponent: exponent - 11, hasMore: true) == value)
      }
    }
  }

  @Test func halvesGoToTheEvenFloatUnlessThereIsMore() {
    #expect(Double(rounding: 0x3F_FFFF_FFFF_FFFF, exponent: 0) == 0x1p54)
    #expect(Double(rounding: 0x20_0000_0000_0001, exponent: 0) == 0x1p53)
    #expect(Double(rounding: 0x20_0000_0000_0001, exponent: 0, hasMore: true) == 0x1p53 + 2)
    #expect(Double(rounding: 1, exponent: -1075) == 0)
    #expect(Double(rounding: 1 << 63, exponent: -1138) == 0)
    #expect(Double(rounding: 1 << 63, exponent: -1138, hasMore: true) == 0x1p-1074)
    #expect(Double(rounding: .max, exponent: -1138, hasMore: true) == 0x1p-1074)
    #expect(Double(rounding: .max, exponent: -1139, hasMore: true) == 0)
    #expect(Double(rounding: 0x7F_FFFF_FFFF_FFFF, exponent: 969) == .infinity)
    #expect(Double(rounding: 0x7F_FFFF_FFFF_FFFB, exponent: 969).isFinite)
    #expect(Double(rounding: 0, exponent: 5000) == 0)
  }
}
