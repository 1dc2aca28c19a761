import RulesEval
import RulesLang
import RulesReport
import RulesVerify
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesProofReport
@testable import RulesProofTesting
@testable import RulesSolver
@testable import RulesTesting
@testable import rules_check

/// What all questions of a report may cost together is a number of steps: where it ends is the same each
/// time, and what is left is open, not left out.
@Suite struct TotalTests {
  /// Rules in which each block costs a little.
  private static func blocks(_ count: Int) -> String {
    (0..<count).map {
      "match /c\($0)/{id} { allow get: if request.auth.uid == resource.data.o\($0); "
        + "allow create: if request.resource.data.keys().hasOnly(['a', 'b\($0)']); }"
    }.joined(separator: " ")
  }

  private static func limits(_ steps: Int) -> QuestionLimits {
    var limits = QuestionLimits()
    (limits.steps, limits.questions) = (steps, 1)
    return limits
  }

  @Test func anAuditEndsAtTheSameAnswerEachTime() throws {
    let rules = try Scripted.checked(Self.blocks(Wanted.cases(12, of: 40)))
    let steps = Wanted.cases(1_000_000, of: 3_000_000)
    func audit() -> (answers: [AccessMatrix.Answer], reasons: Set<String>, used: Int) {
      let whole = Budget.whole(steps: steps)
      let matrix = Auditor(rules) { whole.question(steps: steps / 3) }.matrix()
      let openReasons = matrix.cells.flatMap { $0.openReasons }
      return (matrix.cells.map { $0.answer }, Set(openReasons.map { $0.reason }), whole.used)
    }
    let (one, other) = (audit(), audit())
    #expect(one.answers == other.answers && one.used == other.used)
    #expect(one.answers.contains(.undecided) && one.answers.contains(.onlyIf))
    let spent =
      "the budget of \(steps / 1_000_000),000,000 steps for all questions together was spent"
    #expect(one.reasons == [spent])
    // The last question and the encoding that it makes for others may each use their own share.
    #expect(one.used < steps / 3 * 5)
  }

  @Test func aMutationRunEndsAtTheSameChangeEachTime() throws {
    let rules = try Scripted.checked(Self.blocks(Wanted.cases(10, of: 40)))
    let group = MutationSuites.Group(path: "r", rules: rules, suites: [])
    func run() -> [String] {
      let run = MutationRun(
        limits: Self.limits(Wanted.cases(1_000_000, of: 5_000_000)), profile: .emulator,
        showsProgress: false)
      return run.run(group).mutants.map { mutant in
        switch mutant.fate {
        case .killed: "killed"
        case .survived: "survived"
        case .equivalent: "equivalent"
        case .unknown: "unknown"
        case .invalid: "invalid"
        }
      }
    }
    let fates = run()
    #expect(fates == run())
    #expect(fates.first == "survived" && fates.last == "unknown")
  }

  /// A change that takes a line break out does not move the lines that tests expect.
  @Test func aTestDoesNotNoticeThatLinesMove() throws {
    let rules = try Scripted.checked(
      """
      match /a/{id} {
        allow get: if request.auth.uid == 'x' &&
          resource.data.a == 1;
      }
      match /b/{id} { allow get: if true; }
      """)
    let test = #"{"name": "t", "get": "/b/b", "expect": "allow", "line": 8}"#
    let text = "{\"documents\": {\"/b/b\": {}}, \"tests\": [\(test)]}"
    let suite = try #require(SuiteReader.read(SourceText(name: "s", text)).suite)
    let loaded = LoadedSuite(
      suite.tests, in: suite.source, of: suite, rulesPath: "r", engine: Engine(rules))
    let file = MutationRun(limits: QuestionLimits(), profile: .emulator).run(
      MutationSuites.Group(path: "r", rules: rules, suites: [loaded]))
    #expect(file.failing.isEmpty)
    let killed = file.mutants.filter { mutant in
      if case .killed = mutant.fate { return true }
      return false
    }
    let lines = Set(killed.map { rules.ruleset.source.line(of: $0.edit.range.start) })
    #expect(lines == [8], "\(killed.map { $0.edit.summary })")
  }

  /// Tests that are run before the first change, and again for each change, are work, too.
  @Test func testsCountInAMutationRun() throws {
    let rules = try Scripted.checked(Self.blocks(1))
    let test = #"{"name": "t", "get": "/zz/zz", "expect": "deny"}"#
    let text = "{\"tests\": [" + Array(repeating: test, count: 500).joined(separator: ", ") + "]}"
    let suite = try #require(SuiteReader.read(SourceText(name: "s", text)).suite)
    let loaded = LoadedSuite(
      suite.tests, in: suite.source, of: suite, rulesPath: "r", engine: Engine(rules))
    let group = MutationSuites.Group(path: "r", rules: rules, suites: [loaded])
    let run = MutationRun(
      limits: Self.limits(20_000), profile: .emulator, showsProgress: false)
    let mutants = run.run(group).mutants
    #expect(!mutants.isEmpty)
    for mutant in mutants {
      guard case .unknown = mutant.fate else {
        Issue.record("\(mutant.edit.summary) is decided without budget")
        continue
      }
    }
  }

  @Test func aFullSuiteEndsAtTheSameTestEachTime() throws {
    let rules = try Scripted.checked(Self.blocks(Wanted.cases(6, of: 20)))
    func suite(_ steps: Int) -> FullSuite {
      FullSuite(rules, profile: .emulator, now: .epoch, limits: Self.limits(steps))
    }
    let steps = Wanted.cases(1_000_000, of: 5_000_000)
    let (one, other) = (suite(steps), suite(steps))
    func text(_ suite: FullSuite) -> String {
      FirstSuiteText(suite.entries, remarks: [], time: .epoch, rules: "r").text
    }
    #expect(text(one) == text(other))
    #expect(one.changes.open == other.changes.open && one.changes.open > 0)
    #expect(one.testCount > 0)
  }

  /// A certificate of what is too large to be checked is not written.
  @Test func whatIsTooLargeToCheckHasNoCertificate() throws {
    let rules = try Scripted.checked(try #require(HostileRules.all["lists"]))
    let claim = try Asked(
      try #require(HostileRules.all["lists"]),
      #"{"name": "c", "path": "/c/{id}", "onlyIf": "request.auth == null || true"}"#
    ).claims.claims[0].claim
    var certificate = Certificate()
    let addition = certificate.add(claim, about: rules, rulesPath: "r", profile: .emulator)
    guard case .refused(let reason) = addition else {
      Issue.record("there is a certificate")
      return
    }
    #expect(reason == "the conditions are too large to be checked")
  }
}

/// Many conditions that are added at once are what they are by themselves.
@Suite struct AddedConditionTests {
  /// Once a text does not parse, nothing else is looked at: so those that do are put together.
  @Test(
    arguments: [
      ["id == 'b'", "id +", "", "id == 'c' && true", ") id"],
      ["id == 'b'", "nowhere.x == 1", "id == 'c' && true", "unknown(id)"],
    ] as [[Text]])
  func eachConditionHasItsOwnFunctionAndMistakes(_ texts: [Text]) throws {
    let rules = try Scripted.checked("match /c/{id} { allow get: if id == 'a'; }")
    let conditions = texts.map {
      AddedCondition(name: "c", parameters: [], owner: .match(MatchID(1)), text: $0)
    }
    func said(_ diagnostics: [Diagnostic]) -> [String] {
      diagnostics.map { "\($0.message) \(String(describing: $0.range))" }
    }
    let all = Checker.extend(rules, with: conditions)
    #expect(all.functions.map { $0.index } == Array(0..<texts.count))
    for (place, condition) in conditions.enumerated() {
      let alone = Checker.extend(rules, with: [condition])
      #expect(said(all.diagnostics[place]) == said(alone.diagnostics[0]), "\(condition.text)")
    }
  }

  @Test func eachFunctionIsItsCondition() throws {
    let rules = try Scripted.checked("match /c/{id} { allow get: if id == 'a'; }")
    let conditions = (["id == 'b'", "id == 'c' && true"] as [Text]).map {
      AddedCondition(name: "c", parameters: [], owner: .match(MatchID(1)), text: $0)
    }
    let good = Checker.extend(rules, with: conditions)
    let checked = try #require(good.checked)
    for (function, condition) in zip(good.functions, conditions) {
      let body = checked.ruleset[function].result
      #expect(
        checked.ruleset.source.string(checked.ruleset[body.root].range) == String(condition.text))
    }
  }
}

/// Replacements that come in order are put behind the others without a look at them.
@Suite struct PatchOrderTests {
  @Test func theOrderInWhichPiecesComeDoesNotMatter() throws {
    var ranges: [SourceRange] = []
    for place in 0..<40 {
      ranges.append(SourceRange(start: 10 * place, end: 10 * place + 4 + place % 7))
    }
    var inOrder = Patch()
    for range in ranges { inOrder.replace(range, with: "\(range.start)") }
    var shuffled = Patch()
    for place in ranges.indices {
      shuffled.replace(ranges[place * 7 % 40], with: "\(ranges[place * 7 % 40].start)")
    }
    #expect(inOrder == shuffled)
    // What lies inside another one is lost in it, and what comes around others takes their place.
    inOrder.replace(SourceRange(start: 1, end: 3), with: "lost")
    #expect(inOrder == shuffled)
    inOrder.replace(SourceRange(start: 375, end: 400), with: "end")
    #expect(inOrder.pieces.count == 39)
    inOrder.replace(SourceRange(start: 0, end: 400), with: "all")
    #expect(inOrder.pieces.map { $0.text } == ["all"])
  }
}
