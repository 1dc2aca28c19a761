import Testing

@testable import RulesLang
@testable import RulesTesting

/// The algebra of sets, against membership in arrays of flags.
@Suite struct CodePointSetTests {
  private static let universe: UInt32 = 40

  private func flags(_ set: CodePointSet) -> [Bool] {
    (0..<Self.universe).map { set.contains($0) }
  }

  private func randomSet(_ generator: inout SplitMix) -> CodePointSet {
    let count = Int.random(in: 0...4, using: &generator)
    return CodePointSet(
      (0..<count).map { _ in
        let lower = UInt32.random(in: 0..<Self.universe, using: &generator)
        let upper = UInt32.random(in: lower..<Self.universe, using: &generator)
        return CodePointSet.Interval(from: lower, through: min(upper, lower + 6))
      })
  }

  @Test func operationsAreThoseOfMembership() {
    var generator = SplitMix(seed: 5)
    for _ in 0..<2_000 {
      let one = randomSet(&generator)
      let other = randomSet(&generator)
      let pairs = zip(flags(one), flags(other))
      #expect(flags(one.union(other)) == pairs.map { $0 || $1 })
      #expect(flags(one.intersection(other)) == pairs.map { $0 && $1 })
      #expect(flags(one.subtracting(other)) == pairs.map { $0 && !$1 })
      #expect(flags(one.complement) == flags(one).map { !$0 })
      #expect(one.complement.complement == one)
    }
  }

  @Test func equalSetsAreEqualHoweverTheyWereWritten() {
    let pieces = CodePointSet([
      .init(from: 5, through: 6), .init(from: 1, through: 2), .init(from: 3, through: 4),
      .init(from: 2, through: 5),
    ])
    #expect(pieces == CodePointSet(from: 1, through: 6))
    #expect(CodePointSet.all.complement == .empty)
    #expect(CodePointSet.empty.complement == .all)
  }
}
