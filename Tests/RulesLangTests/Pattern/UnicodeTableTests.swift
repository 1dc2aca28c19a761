import Testing

@testable import RulesLang
@testable import RulesTesting

/// The packed tables hold what was measured, for every code point.
@Suite struct UnicodeTableTests {
  @Test func everyNamedClassHasTheMeasuredMembers() throws {
    for row in try ConformanceRow.all(of: "classes.tsv") {
      let syntax = try Pattern.syntax(of: Text(row[0]))
      guard case .set(let id) = syntax[syntax.root] else {
        Issue.record("\(row)")
        continue
      }
      var count: UInt64 = 0
      var sum: UInt64 = 0
      for interval in syntax[id].intervals {
        let length = UInt64(interval.upper - interval.lower + 1)
        count += length
        sum += length * UInt64(interval.lower + interval.upper) / 2
      }
      #expect("\(count)" == row[1], "\(row)")
      #expect("\(sum)" == row[2], "\(row)")
    }
  }

  @Test func everyLetterHasTheMeasuredVariantsAndNoOtherCodePointHasAny() throws {
    var letters: Set<UInt32> = []
    for row in try ConformanceRow.all(of: "case-variants.tsv") {
      let ring = try row.fields.map { try #require(UInt32($0, radix: 16)) }
      let expected = CodePointSet(ring.map { CodePointSet.Interval(from: $0, through: $0) })
      for letter in ring {
        #expect(CaseFolding.variants(of: letter) == expected, "\(row)")
        letters.insert(letter)
      }
    }
    // All letters with case are in the first two planes.
    for point in 0..<UInt32(0x20000) where !letters.contains(point) {
      let variants = CaseFolding.variants(of: point)
      if variants != CodePointSet(point) { Issue.record("\(point) has variants") }
    }
  }
}
