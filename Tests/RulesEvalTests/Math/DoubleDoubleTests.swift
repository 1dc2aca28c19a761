import Foundation
import Testing

@testable import RulesEval
@testable import RulesTesting

/// Arithmetic with pairs of floats.
@Suite struct DoubleDoubleTests {
  @Test func sumsAndProductsOfFloatsAreExact() {
    var generator = SplitMix(seed: 51)
    for _ in 0..<5000 {
      let left = Double(Int64.random(in: -(1 << 53)...(1 << 53), using: &generator))
      let right = Double(Int64.random(in: -(1 << 53)...(1 << 53), using: &generator))
      let product = DoubleDouble.product(left, right)
      #expect(product.low == (-product.high).addingProduct(left, right))
      let sum = DoubleDouble.sum(left * 0x1p40, right)
      #expect(Int128(sum.high) + Int128(sum.low) == Int128(left) << 40 + Int128(right))
    }
  }

  @Test func functionsAgreeWithTheSystemsToTheLastBits() {
    var generator = SplitMix(seed: 52)
    for _ in 0..<2000 {
      let value = Double.random(in: 0.001...1.57, using: &generator)
      let angle = DoubleDouble(value)
      #expect((DoubleDouble.sine(angle).high / sin(value) - 1).magnitude < 0x1p-51)
      #expect((DoubleDouble.cosine(angle).high - cos(value)).magnitude < 0x1p-52)
      let sine = Double.random(in: 0...1, using: &generator)
      #expect((DoubleDouble.arcsine(sine).high - asin(sine)).magnitude < 0x1p-51)
      #expect((DoubleDouble.logarithm(value * 1e9).high / log(value * 1e9) - 1).magnitude < 0x1p-51)
    }
  }

  @Test func theExponentialUndoesTheLogarithm() {
    var generator = SplitMix(seed: 53)
    for _ in 0..<2000 {
      let value = Double(bitPattern: .random(in: 1...0x7FEF_FFFF_FFFF_FFFF, using: &generator))
      let (scaled, exponent) = DoubleDouble.exponential(DoubleDouble.logarithm(value))
      let back = Double(sign: .plus, exponent: exponent, significand: scaled.high)
      #expect(back == value)
    }
  }

  @Test func anArcsineHasTheSineItWasMadeFrom() {
    var generator = SplitMix(seed: 54)
    for _ in 0..<2000 {
      let sine = Double.random(in: 0...1, using: &generator)
      let back = DoubleDouble.sine(DoubleDouble.arcsine(sine))
      #expect(back.high == sine)
      #expect(back.low.magnitude < 0x1p-90)
    }
  }
}
