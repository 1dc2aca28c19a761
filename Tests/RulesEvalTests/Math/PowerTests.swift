import RulesEval
import Testing

@testable import RulesTesting

/// `math.pow`: special values, exact powers and the last bit.
@Suite struct PowerTests {
  @Test func powersAreTheEmulatorsOrTheCorrectlyRoundedOnes() throws {
    for row in try ConformanceRow.all(of: "pow.tsv") {
      let power = Power.power(of: try row.float(0), to: try row.float(1))
      let expected = try row.float(row[3].isEmpty ? 2 : 3)
      #expect(isSame(power, expected), "\(row) but \(power)")
    }
  }

  @Test func powersOfSmallIntegersAreExact() {
    for base in 2...20 {
      var product: UInt64 = 1
      for exponent in 0...60 {
        #expect(Power.power(of: Double(base), to: Double(exponent)) == Double(product))
        let (next, overflow) = product.multipliedReportingOverflow(by: UInt64(base))
        if overflow { break }
        product = next
      }
    }
  }

  @Test func powersHalfWayBetweenFloatsGoToTheEvenOne() {
    // 7^19 and 3^34 have 54 bits and are odd.
    #expect(Power.power(of: 7, to: 19) == 11_398_895_185_373_144)
    #expect(Power.power(of: -7, to: 19) == -11_398_895_185_373_144)
    #expect(Power.power(of: 81, to: 8.5) == 16_677_181_699_666_568)
    #expect(Power.power(of: 2, to: -1075) == 0)
    #expect(Power.power(of: 2, to: -1074) == 0x1p-1074)
    #expect(Power.power(of: 0x1.8p-1, to: 2) == 0x1.2p-1)
  }

  @Test func powersNearerToHalfWayThanCanBeComputedGoTheRightWay() {
    let below = 1 - 0x1p-53
    #expect(Power.power(of: below, to: -1) == 1 + 0x1p-52)
    #expect(Power.power(of: below, to: 0.5) == below)
    #expect(Power.power(of: 1 + 0x1p-52, to: 2.5) == 1 + 0x1.8p-51)
    #expect(Power.power(of: 0x1p53 - 1, to: -1) == 0x1p-53 * (1 + 0x1p-52))
    #expect(Power.power(of: .greatestFiniteMagnitude, to: 0.5) == 0x1p512 * below)
  }

  @Test func twoIsRaisedExactly() {
    for exponent in -1074...1023 {
      let expected = Double(sign: .plus, exponent: exponent, significand: 1)
      #expect(Power.power(of: 2, to: Double(exponent)) == expected)
      #expect(Power.power(of: 0.5, to: Double(-exponent)) == expected)
    }
  }

  @Test func squaresAndSquareRootsAreThoseOfTheHardware() {
    var generator = SplitMix(seed: 41)
    for _ in 0..<5000 {
      let base = Double(bitPattern: generator.next() >> 1)
      guard base.isFinite else { continue }
      #expect(Power.power(of: base, to: 2) == base * base, "\(base)")
      #expect(Power.power(of: base, to: 0.5) == base.squareRoot(), "\(base)")
      #expect(Power.power(of: base, to: -1) == 1 / base, "\(base)")
      #expect(Power.power(of: base, to: 1) == base, "\(base)")
    }
  }
}
