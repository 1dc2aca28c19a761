import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesSolver
@testable import RulesTesting

/// What decides is a number of steps, not how fast or busy a machine is.
@Suite struct BudgetTests {
  private static let claims = [
    #""onlyIf": "request.auth.uid == 'u'""#, #""never": true"#,
    #""alwaysIf": "request.auth.uid == 'u'""#, #""errors": false"#,
  ]
  private static let names = HostileRules.all.keys.sorted()
  /// Names that a debug build asks about.
  private static let sample = names.prefix(Wanted.cases(1, of: names.count))

  private static func claim(_ obligation: String) -> String {
    #"{"name": "c", "path": "/c/{id}", "methods": ["get"], "# + obligation + "}"
  }

  /// One question may overdraw its budget by what is done between two looks at it.
  @Test(arguments: sample) func aQuestionEndsWithItsBudget(_ name: String) throws {
    let blocks = try #require(HostileRules.all[name])
    let asked = try Asked(blocks, Self.claims.map { Self.claim($0) }.joined(separator: ", "))
    for index in asked.claims.claims.indices {
      var used: [Int] = []
      var words: [String] = []
      for _ in 0..<2 {
        let budget = Budget(steps: 300_000)
        let verdict = Prover(asked.claims, within: budget).decide(index)
        used.append(budget.used)
        words.append("\(verdict.word) \(budget.exhaustion?.reason ?? "")")
        if budget.isSpent, case .proved = verdict { Issue.record("proved without budget") }
      }
      #expect(used[0] == used[1] && words[0] == words[1])
      #expect(used[0] < 1_500_000, "\(name), \(Self.claims[index])")
    }
  }

  @Test(arguments: sample) func aComparisonEndsWithItsBudget(_ name: String) throws {
    let blocks = try #require(HostileRules.all[name])
    let old = Engine(try Scripted.checked(blocks))
    let new = Engine(
      try Scripted.checked(blocks + " match /d/{id} { allow get: if resource.data.a == 1; }"))
    let budget = Budget.whole(steps: 1_000_000)
    _ = RulesComparison(from: old, to: new, within: budget, steps: 200_000).run()
    #expect(budget.used < 3_000_000)
    let deep = Budget.whole(steps: 1_000_000)
    var search = RedundancySearch(old, within: deep, steps: 200_000)
    let report = search.run()
    #expect(deep.used < 3_000_000)
    #expect(!deep.isSpent || report.openCount > 0)
  }

  @Test func theReasonSaysWhetherStepsOrTheClockDecided() throws {
    let asked = try Asked(
      try #require(HostileRules.all["pigeons"]), Self.claim(Self.claims[1]))
    func reasons(_ budget: Budget) -> [String] {
      guard case .undecided(let openReasons) = Prover(asked.claims, within: budget).decide(0) else {
        return []
      }
      return openReasons.map { $0.reason }
    }
    #expect(
      reasons(Budget(steps: 200_000)) == ["the budget of 200,000 steps was spent (searching)"])
    let deadline = Budget.Deadline(seconds: 2.5) { true }
    #expect(
      reasons(Budget(steps: 50_000_000, deadline: deadline))
        == ["the time limit of 2.5 s was reached"])
    let whole = Budget.whole(steps: 50_000)
    let question = whole.question(steps: 200_000)
    #expect(
      reasons(question) == ["the budget of 50,000 steps for all questions together was spent"])
    question.settle()
    #expect(whole.used == question.used)
    #expect(whole.question(steps: 10).isSpent)
  }

  /// A ground that another claim has compiled costs as much as one of its own.
  @Test func aQuestionCostsTheSameAfterOthers() throws {
    let asked = try Asked(
      "match /c/{id} { allow get: if resource.data.owner == request.auth.uid; }",
      Self.claims.map { Self.claim($0) }.joined(separator: ", "))
    let encodings = BaseEncodingCache()
    for index in asked.claims.claims.indices {
      let (shared, alone) = (Budget(), Budget())
      _ = Prover(asked.claims, sharing: encodings, within: shared).decide(index)
      _ = Prover(asked.claims, within: alone).decide(index)
      #expect(shared.used == alone.used)
    }
  }

  /// What no changed statement is about is not looked at pair by pair.
  @Test func aSmallChangeOfManyBlocksCostsLittle() throws {
    func engine(_ last: String) throws -> Engine {
      let blocks = (0..<300).map {
        "match /c\($0)/{id} { allow get: if resource.data.o == request.auth.uid; }"
      }
      return Engine(
        try Scripted.checked(
          blocks.joined(separator: " ") + " match /last/{id} { allow get: if \(last); }"))
    }
    let budget = Budget()
    let old = try engine("resource.data.a == 1")
    let new = try engine("resource.data.a == 1 || resource.data.a == 2")
    let effect = RulesComparison(from: old, to: new, within: budget).effect()
    guard case .something(_, let isLoosened) = effect else {
      Issue.record("no difference found")
      return
    }
    #expect(isLoosened && budget.used < 2_000_000, "\(budget.used)")
  }

  @Test func whatTheWholeHasNoStepsForIsUndecided() throws {
    let old = Engine(
      try Scripted.checked("match /c/{id} { allow get: if resource.data.a == 1; }"))
    let new = Engine(
      try Scripted.checked("match /c/{id} { allow get: if resource.data.a == 2; }"))
    let whole = Budget.whole(steps: 1)
    whole.charge(1)
    let diffs = RulesComparison(from: old, to: new, within: whole, steps: 1000).run()
    let methods = diffs.flatMap { $0.methods }
    #expect(methods.map { $0.method } == [.get])
    #expect(methods.allSatisfy { $0.verdict == .undecided && $0.mayBeLoosened })
  }

  /// An attack is work, too.
  @Test func attacksCount() throws {
    // Nothing but the attack makes requests here: that some are in scope goes without saying.
    let asked = try Asked(
      "match /c/{id} { allow get: if resource.data.a == 1 && resource.data.a == 2; }",
      Self.claim(Self.claims[1]))
    func used(_ validation: ValidationPolicy) -> Int {
      let budget = Budget()
      _ = Prover(asked.claims, validation: validation, within: budget).decide(0)
      return budget.used
    }
    #expect(used(ValidationPolicy()) > used(ValidationPolicy(attacks: false)))
  }
}
