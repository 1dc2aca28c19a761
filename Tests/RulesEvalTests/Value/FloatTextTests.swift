import RulesEval
import RulesLang
import Testing

@testable import RulesTesting

/// Floats and ints as text.
@Suite struct FloatTextTests {
  @Test func conversionsAnswerAsTheEmulatorDoes() throws {
    for row in try ConformanceRow.all(of: "floats.tsv") {
      switch row[0] {
      case "string":
        let text = String(FloatText.text(of: try row.float(1)))
        #expect(text == (row[3].isEmpty ? row[2] : row[3]), "\(row)")
      case "float":
        let value = FloatText.value(of: try row.text(1))
        let answer = row[2] == "error" ? nil : try row.float(2)
        #expect(value?.isNaN == answer?.isNaN, "\(row)")
        #expect(isSame(value ?? .nan, answer ?? .nan), "\(row)")
      case "int":
        let value = IntegerText.value(of: try row.text(1))
        #expect(value.map(String.init) ?? "error" == row[2], "\(row)")
      default:
        Issue.record("unknown kind of row: \(row)")
      }
    }
  }

  @Test func whatIsPrintedReadsBackAsTheSameFloat() {
    var generator = SplitMix(seed: 11)
    for _ in 0..<Wanted.cases(2_500, of: 20_000) {
      let value = Double(bitPattern: generator.next())
      let text = FloatText.text(of: value)
      #expect(isSame(FloatText.value(of: text) ?? 1, value), "\(value)")
    }
  }

  @Test func readingAgreesWithTheStandardLibrary() throws {
    var generator = SplitMix(seed: 12)
    for _ in 0..<Wanted.cases(2_500, of: 20_000) {
      let digits = String(generator.next() >> UInt64.random(in: 0..<64, using: &generator))
      let fraction = String(generator.next() >> UInt64.random(in: 0..<64, using: &generator))
      let text = "\(digits).\(fraction)e\(Int.random(in: -340...310, using: &generator))"
      let value = try #require(FloatText.value(of: Text(text)))
      #expect(Double(text) == value, "\(text)")
    }
  }

  @Test func hexadecimalFloatsAgreeWithTheStandardLibrary() throws {
    var generator = SplitMix(seed: 13)
    for _ in 0..<Wanted.cases(2_500, of: 20_000) {
      let number = generator.next() >> UInt64.random(in: 0..<64, using: &generator)
      let exponent = Int.random(in: -1100...1030, using: &generator)
      let text = "0x0.\(String(number, radix: 16))p\(exponent)"
      let value = try #require(FloatText.value(of: Text(text)))
      #expect(Double(text) == value, "\(text)")
    }
  }

  @Test func valuesHalfWayBetweenFloatsGoToTheEvenOne() {
    #expect(FloatText.value(of: "9007199254740993") == 9_007_199_254_740_992)
    #expect(FloatText.value(of: "9007199254740995") == 9_007_199_254_740_996)
    let zeros = String(repeating: "0", count: 2000)
    #expect(FloatText.value(of: Text("9007199254740993.\(zeros)")) == 9_007_199_254_740_992)
    #expect(FloatText.value(of: Text("9007199254740993.\(zeros)1")) == 9_007_199_254_740_994)
    #expect(FloatText.value(of: Text("0x1.00000000000008\(zeros)p0")) == 1)
    #expect(FloatText.value(of: Text("0x1.00000000000008\(zeros)1p0")) == 1 + 0x1p-52)
  }

  @Test func longTextsOfZerosAreNothingSpecial() {
    let zeros = String(repeating: "0", count: 5000)
    #expect(FloatText.value(of: Text("1\(zeros)e-5000")) == 1)
    #expect(FloatText.value(of: Text("0.\(zeros)1e5001")) == 1)
    #expect(FloatText.value(of: Text("0x1\(zeros)p-20000")) == 1)
    #expect(FloatText.value(of: Text("0x0.\(zeros)1p20004")) == 1)
    #expect(FloatText.value(of: Text("\(zeros)e5000")) == 0)
    #expect(IntegerText.value(of: Text("-\(zeros)7")) == -7)
  }

  @Test func partOfATextCanBeRead() {
    let bytes = Array("[1.5,2]".utf8)
    #expect(FloatText.value(of: bytes[1..<4]) == 1.5)
    #expect(FloatText.value(of: bytes[1..<5]) == nil)
  }
}
