import RulesEval
import Testing

@testable import RulesTesting

/// Sums, products, remainders and roundings at the borders of 64 bits and of floats.
@Suite struct ArithmeticTests {
  @Test func arithmeticAnswersAsTheEmulatorDoes() throws {
    for row in try ConformanceRow.all(of: "arithmetic.tsv") {
      if row[0] == "int" {
        let answer = try intAnswer(row)
        #expect(answer == row[4], "\(row)")
      } else if ["round", "int"].contains(row[1]) {
        let operand = try row.float(2)
        let answer = row[1] == "int" ? Arithmetic.truncated(operand) : Arithmetic.rounded(operand)
        #expect(String(answer) == row[4], "\(row)")
      } else {
        #expect(isSame(try floatAnswer(row), try row.float(4)), "\(row)")
      }
    }
  }

  private func intAnswer(_ row: ConformanceRow) throws -> String {
    let left = try row.int(2)
    if row[3].isEmpty {
      let answer = row[1] == "abs" ? Arithmetic.magnitude(left) : Arithmetic.negated(left)
      return answer.map(String.init) ?? "overflow"
    }
    let right = try row.int(3)
    switch row[1] {
    case "+": return Arithmetic.sum(of: left, and: right).map(String.init) ?? "overflow"
    case "-": return Arithmetic.difference(of: left, and: right).map(String.init) ?? "overflow"
    case "*": return Arithmetic.product(of: left, and: right).map(String.init) ?? "overflow"
    case "/": return Arithmetic.quotient(of: left, by: right).map(String.init) ?? "zero"
    case "%": return Arithmetic.remainder(of: left, by: right).map(String.init) ?? "zero"
    default: return "unknown operator"
    }
  }

  private func floatAnswer(_ row: ConformanceRow) throws -> Double {
    let left = try row.float(2)
    switch row[1] {
    case "ceil": return Arithmetic.ceiling(left)
    case "floor": return Arithmetic.floor(left)
    case "sqrt": return Arithmetic.squareRoot(left)
    case "abs": return Arithmetic.magnitude(left)
    case "negate": return Arithmetic.negated(left)
    case "+": return Arithmetic.sum(of: left, and: try row.float(3))
    case "-": return Arithmetic.difference(of: left, and: try row.float(3))
    case "*": return Arithmetic.product(of: left, and: try row.float(3))
    case "/": return Arithmetic.quotient(of: left, by: try row.float(3))
    default: return Arithmetic.remainder(of: left, by: try row.float(3))
    }
  }

  @Test func theFloatRemainderIsTheOneOfTheStandardLibrary() {
    var generator = SplitMix(seed: 21)
    for _ in 0..<20_000 {
      let left = Double(bitPattern: generator.next())
      let right = Double(bitPattern: generator.next())
      let expected = left.truncatingRemainder(dividingBy: right)
      #expect(isSame(Arithmetic.remainder(of: left, by: right), expected), "\(left) % \(right)")
    }
  }

  @Test func roundingIsTheFloorOfTheValueAndAHalf() {
    for quarters in Int64(-4000)...4000 {
      let expected = (quarters + 2) >> 2
      #expect(Arithmetic.rounded(Double(quarters) / 4) == expected)
    }
    #expect(Arithmetic.rounded(0.5.nextDown) == 0)
    #expect(Arithmetic.rounded((-0.5).nextDown) == -1)
    #expect(Arithmetic.rounded((-0.5).nextUp) == 0)
    #expect(Arithmetic.rounded(0x1p52 + 1) == 1 << 52 + 1)
  }

  @Test func rootsAndWholePartsAreThoseOfTheHardware() {
    var generator = SplitMix(seed: 22)
    for round in 0..<20_000 {
      // Half of them of middling size, where fractions are.
      let random = Double(bitPattern: generator.next())
      let value = round % 2 == 0 ? random : Double.random(in: -1e9...1e9, using: &generator)
      #expect(isSame(Arithmetic.squareRoot(value), value.squareRoot()), "\(value)")
      #expect(isSame(Arithmetic.floor(value), value.rounded(.down)), "\(value)")
      #expect(isSame(Arithmetic.ceiling(value), value.rounded(.up)), "\(value)")
    }
  }
}
