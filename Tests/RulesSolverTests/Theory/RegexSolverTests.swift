import RulesLang
import Testing

@testable import RulesSolver

/// The shortest texts for some patterns.
@Suite struct RegexSolverTests {
  /// The texts, shortest first; nil if the search was given up.
  private func texts(
    _ count: Int, matching wanted: [String], but unwanted: [String] = [], lower: Int = 0,
    upper: Int? = nil, gaps: Set<Int> = [], excluding excluded: Set<Text> = [],
    within budget: Budget? = nil
  ) throws -> [Text]? {
    var table = PatternTable()
    var patterns: [(pattern: PatternID, matches: Bool)] = []
    for (sources, matches) in [(wanted, true), (unwanted, false)] {
      for source in sources {
        let pattern = table.add(Text(source))
        patterns.append((try #require(pattern), matches))
      }
    }
    let words = try #require(
      RegexSolver(patterns, lower: lower, upper: upper, gaps: gaps, table: table, budget: budget))
    switch words.shortest(count, excluding: excluded) {
    case .found(let texts): return texts
    case .unknown: return nil
    }
  }

  @Test func theShortestTextsComeFirst() throws {
    #expect(try texts(4, matching: ["a+b?"]) == ["a", "aa", "ab", "aaa"])
    #expect(try texts(3, matching: ["a+b?"], but: ["..", "a"]) == ["aaa", "aab", "aaaa"])
  }

  @Test func allThatThereAreAreFoundAndNoOthers() throws {
    #expect(try texts(9, matching: ["a|bb|ccc"]) == ["a", "bb", "ccc"])
    #expect(try texts(9, matching: ["a|bb|ccc"], lower: 2, upper: 2) == ["bb"])
    #expect(try texts(9, matching: ["a|bb|ccc"], excluding: ["bb"]) == ["a", "ccc"])
    #expect(try texts(9, matching: ["a+", "b+"]) == [])
    #expect(try texts(9, matching: ["a*"], but: ["a?"], upper: 1) == [])
  }

  @Test func lengthsCountUTF16Units() throws {
    #expect(try texts(1, matching: ["😀"], lower: 2, upper: 2) == ["😀"])
    #expect(try texts(1, matching: ["😀"], upper: 1) == [])
    #expect(try texts(1, matching: ["😀+"], lower: 3) == ["😀😀"])
  }

  @Test func someLengthsCanBeLeftOut() throws {
    #expect(try texts(3, matching: ["a*"], gaps: [0, 2, 3]) == ["a", "aaaa", "aaaaa"])
    #expect(try texts(3, matching: ["a*"], lower: 1, upper: 4, gaps: [1, 3, 9]) == ["aa", "aaaa"])
    #expect(try texts(1, matching: ["[a-z]{6}"], gaps: [6]) == [])
    #expect(try texts(1, matching: ["[a-z]{6}"], gaps: [5, 7, .max, -1]) == ["aaaaaa"])
    #expect(try texts(1, matching: ["."], gaps: [1]) == ["😀"])
    #expect(try texts(1, matching: ["."], gaps: [1, 2]) == [])
  }

  @Test func anythingButSomeTexts() throws {
    let all = try #require(try texts(3, matching: [".?"], excluding: ["", "a", "b"]))
    #expect(all.count == 3 && Set(all).count == 3)
    #expect(all.allSatisfy { $0.unitCount == 1 && $0 != "a" && $0 != "b" })
  }

  /// What was found for one question is the answer to no other one.
  @Test func whatIsKnownIsKnownOfOneQuestion() throws {
    var table = PatternTable()
    let known = (table.add("a|bb|ccc"), table.add("b+"))
    let (one, other) = (try #require(known.0), try #require(known.1))
    func found(_ patterns: [(PatternID, Bool)], lower: Int = 0, but excluded: Set<Text> = [])
      throws -> [Text]
    {
      let words = try #require(
        RegexSolver(
          patterns.map { (pattern: $0.0, matches: $0.1) }, lower: lower, upper: nil, table: table))
      guard case .found(let texts) = words.shortest(1, excluding: excluded) else { return [] }
      return texts
    }
    for _ in 0..<2 {
      #expect(try found([(one, true)]) == ["a"])
      #expect(try found([(one, true)], lower: 2) == ["bb"])
      #expect(try found([(one, true)], but: ["a"]) == ["bb"])
      #expect(try found([(one, true)], but: ["a", "bb", "x"]) == ["ccc"])
      #expect(try found([(one, true), (one, true)]) == ["a"])
      #expect(try found([(one, true), (other, true)]) == ["bb"])
      #expect(try found([(one, true), (other, false)]) == ["a"])
      #expect(try found([(one, true), (one, false)]) == [])
    }
  }

  @Test func aSpentBudgetEndsTheSearch() throws {
    let budget = Budget(steps: 1000)
    #expect(try texts(1, matching: [".*a.{9}"], lower: 200, within: budget) == nil)
    #expect(budget.isSpent)
  }
}
