import RulesEval
import Testing

/// `math.pow`: special values, exact powers and the last bit.
@Suite struct PowerTests {
  @Test func powersAreTheEmulatorsOrTheCorrectlyRoundedOnes() throws {
    for row in try ConformanceRow.all(of: "pow.tsv") {
      let power = Power.power(try row.float(0), try row.float(1))
      let expected = try row.float(row[3].isEmpty ? 2 : 3)
      #expect(isSame(power, expected), "\(row) but \(power)")
    }
  }

  @Test func powersOfSmallIntegersAreExact() {
    for base in 2...20 {
      var product: UInt64 = 1
      for exponent in 0...60 {
        #expect(Power.power(Double(base), Double(exponent)) == Double(product))
        let (next, overflow) = product.multipliedReportingOverflow(by: UInt64(base))
        if overflow { break }
        product = next
      }
    }
  }

  @Test func powersHalfWayBetweenFloatsGoToTheEvenOne() {
    // 7^19 and 3^34 have 54 bits and are odd.
    #expect(Power.power(7, 19) == 11_398_895_185_373_144)
    #expect(Power.power(-7, 19) == -11_398_895_185_373_144)
    #expect(Power.power(81, 8.5) == 16_677_181_699_666_568)
    #expect(Power.power(2, -1075) == 0)
    #expect(Power.power(2, -1074) == 0x1p-1074)
    #expect(Power.power(0x1.8p-1, 2) == 0x1.2p-1)
  }

  @Test func powersNearerToHalfWayThanCanBeComputedGoTheRightWay() {
    let below = 1 - 0x1p-53
    #expect(Power.power(below, -1) == 1 + 0x1p-52)
    #expect(Power.power(below, 0.5) == below)
    #expect(Power.power(1 + 0x1p-52, 2.5) == 1 + 0x1.8p-51)
    #expect(Power.power(0x1p53 - 1, -1) == 0x1p-53 * (1 + 0x1p-52))
    #expect(Power.power(.greatestFiniteMagnitude, 0.5) == 0x1p512 * below)
  }

  @Test func twoIsRaisedExactly() {
    for exponent in -1074...1023 {
      let expected = Double(sign: .plus, exponent: exponent, significand: 1)
      #expect(Power.power(2, Double(exponent)) == expected)
      #expect(Power.power(0.5, Double(-exponent)) == expected)
    }
  }

  @Test func squaresAndSquareRootsAreThoseOfTheHardware() {
    var generator = SplitMix(seed: 41)
    for _ in 0..<5000 {
      let base = Double(bitPattern: generator.next() >> 1)
      guard base.isFinite else { continue }
      #expect(Power.power(base, 2) == base * base, "\(base)")
      #expect(Power.power(base, 0.5) == base.squareRoot(), "\(base)")
      #expect(Power.power(base, -1) == 1 / base, "\(base)")
      #expect(Power.power(base, 1) == base, "\(base)")
    }
  }
}
