import RulesEval
import RulesLang
import Testing

@testable import RulesTesting

/// What counts as a place, and what is told of the gaps.
@Suite struct RuleCoverageTests {
  /// The coverage of `match /c/{id} { BODY }` after requests as `bob`, `eve` or nobody.
  private func coverage(_ body: String, _ users: [String?]) throws -> (RuleCoverage, Checked) {
    let rules = try Scripted.checked("match /c/{id} { \(body) }")
    var coverage = RuleCoverage(rules.ruleset)
    for (number, user) in users.enumerated() {
      let who = user.map { "{\"uid\": \"\($0)\"}" } ?? "null"
      let decided = try Scripted.decide(
        "match /c/{id} { \(body) }", "\"as\": \(who), \"get\": \"/c/d\"")
      coverage.add(decided.decision, test: number)
    }
    return (coverage, rules)
  }

  private func gaps(_ body: String, _ users: [String?]) throws -> [String] {
    let (coverage, rules) = try coverage(body, users)
    return coverage.gaps(in: rules).map {
      "\($0.gap.words): \(SourceSnippet.text($0.range, in: rules.ruleset.source))"
    }
  }

  private func total(_ body: String, _ users: [String?]) throws -> [Int] {
    let (coverage, rules) = try coverage(body, users)
    let summary = CoverageSummary(coverage.places(in: rules))
    return [
      summary.statements.seen, summary.statements.possible, summary.conditions.seen,
      summary.conditions.possible, summary.expressions.seen, summary.expressions.possible,
    ]
  }

  @Test func anUnconditionalStatementIsOneOutcome() throws {
    #expect(try total("allow get;", []) == [0, 1, 0, 0, 0, 0])
    #expect(try total("allow get;", [nil]) == [1, 1, 0, 0, 0, 0])
    #expect(try total("allow get: if true;", [nil]) == [1, 1, 0, 0, 0, 0])
  }

  @Test func aConditionHasTwoOutcomesAndItsPartsTheirs() throws {
    // `request.auth` is one place, and its comparison is the condition itself.
    let body = "allow get: if request.auth != null;"
    #expect(try total(body, ["bob"]) == [1, 1, 1, 2, 1, 1])
    #expect(try total(body, ["bob", nil]) == [1, 1, 2, 2, 1, 1])
  }

  @Test func anErrorIsNotGrantingButNeitherTrueNorFalse() throws {
    let body = "allow get: if request.auth.uid == 'bob' && request.method == 'get';"
    #expect(
      try gaps(body, [nil]) == [
        "never grants: request.auth.uid == 'bob' && request.method == 'get'",
        "never true: request.auth.uid == 'bob'", "never false: request.auth.uid == 'bob'",
        "never false: request.method == 'get'",
      ])
  }

  @Test func ofWhatWasNeverEvaluatedOnlyTheOutermostIsTold() throws {
    let body = "allow get: if request.auth.uid == 'bob' && (request.time != null || id == 'x');"
    #expect(
      try gaps(body, ["eve"]) == [
        "never grants: request.auth.uid == 'bob' && (request.time != null || id == 'x')",
        "never true: request.auth.uid == 'bob'",
        "never evaluated: request.time != null || id == 'x'",
      ])
  }

  @Test func aStatementThatWasNeverTriedAndAFunctionThatWasNeverCalledAreToldOnce() throws {
    let body = """
      function f(a) { let b = a + 1; return b == 2 || b == 3; }
      allow get: if request.auth != null; allow list: if f(1) && f(2);
      """
    #expect(
      try gaps(body, ["bob", nil]) == [
        "never called: f", "never tried: allow list: if f(1) && f(2);",
      ])
  }

  @Test func aFunctionThatIsUsedAsAConditionHasTwoOutcomes() throws {
    let body = "function f(a) { return a.flag; } allow get: if !f({'flag': request.auth != null});"
    #expect(try gaps(body, ["bob"]).contains("never false: a.flag"))
    #expect(try gaps(body, ["bob", nil]) == [])
  }

  @Test func theOutcomesOfAFunctionAreCountedOnce() throws {
    let body = """
      function signedIn() { return request.auth != null; }
      function known() { return signedIn(); }
      allow get: if signedIn() && request.auth.uid == 'bob';
      allow get: if known() && request.auth.uid == 'eve';
      allow get: if signedIn() && id == 'd' && request.auth.uid in ['zoe'];
      """
    let users = ["bob", "eve", "zoe", "kim"]
    #expect(
      try gaps(body, users) == ["never false: request.auth != null", "never false: id == 'd'"])
    // Missing is `signedIn() && id == 'd'` as false, too.
    #expect(try total(body, users) == [3, 3, 6, 6, 18, 21])
    #expect(try total(body, users + [nil]) == [3, 3, 6, 6, 20, 21])
    #expect(try gaps(body, users + [nil]) == ["never false: id == 'd'"])
  }

  @Test func theGapOfAJunctionIsToldIfOnlyAnotherCallClosesThatOfItsPart() throws {
    let body = """
      function signedIn() { return request.auth != null; }
      function open() { return true; }
      allow get: if signedIn() && id == 'x';
      allow get: if request.auth.uid == 'bob' || (signedIn() && open());
      """
    #expect(try gaps(body, ["bob", "eve"]).contains("never false: request.auth != null"))
    #expect(!(try gaps(body, ["bob", "eve"])).contains("never false: signedIn() && open()"))
    let apart = body.replacing(
      "request.auth.uid == 'bob'", with: "request.auth == null || request.auth.uid == 'bob'")
    #expect(try gaps(apart, ["bob", "eve", nil]).contains("never false: signedIn() && open()"))
  }

  @Test func valuesAreCountedWithTheirTests() throws {
    let (coverage, rules) = try coverage(
      "allow get: if request.auth.uid == 'bob';", ["bob", "eve", "eve"])
    let place = try #require(
      rules.ruleset.expressions.firstIndex {
        rules.ruleset.source.string($0.range) == "request.auth.uid"
      })
    let samples = coverage.expressions[place].samples
    #expect(samples.map { $0.count } == [1, 2])
    #expect(samples.map { $0.tests } == [[0], [1, 2]])
    #expect(coverage.statements[0].grantedIn == [0])
    #expect(coverage.statements[0].refusedIn == [1, 2])
  }

  @Test func valuesBeyondTheLimitAreOnlyCounted() throws {
    let users = (0..<30).map { "user\($0)" }
    let (coverage, rules) = try coverage("allow get: if request.auth.uid == 'bob';", users)
    let place = try #require(
      rules.ruleset.expressions.firstIndex {
        rules.ruleset.source.string($0.range) == "request.auth.uid"
      })
    let tally = coverage.expressions[place]
    #expect(tally.samples.count == RuleCoverage.mostSamples)
    #expect(tally.unlisted == 30 - RuleCoverage.mostSamples)
    #expect(tally.total == 30)
  }
}
