import Foundation
import RulesEval
import RulesLang
import RulesProof
import Testing

@testable import RulesTesting
@testable import rules_check

/// `init --full`: its suites pass, notice every change that can be noticed, and have no test too many.
@Suite struct FullSuiteTests {
  static let files = [
    "rules/psst.rules", "rules/psst-todo.rules", "rules/messageai.rules", "rules/sorted.rules",
    "rules/sorted-before.rules", "Tests/RulesTests/Golden/deep/parts.rules",
    "Tests/RulesTests/Golden/deep/errors.rules",
  ]
  private static let now = Timestamp.epoch

  @Test(arguments: files.prefix(Wanted.cases(1, of: files.count)))
  func theSuitePassesAndNoticesEveryChangeThatMatters(_ path: String) throws {
    let rules = try Self.rules(path)
    let suite = FullSuite(rules, profile: .emulator, now: Self.now, limits: QuestionLimits())
    #expect(suite.outcomes.open == 0 && suite.changes.open == 0)
    let tests = try Self.tests(suite)
    #expect(tests.count == suite.testCount)
    let engine = Engine(rules)
    let judge = EditJudge(engine)
    var reached: Set<String> = []
    for test in tests {
      let result = engine.run(test, documents: Documents(), now: Self.now)
      #expect(result.isPassed, "\(result.failures)")
      for tried in result.decision?.tried ?? [] { reached.insert(Self.outcome(tried)) }
    }
    #expect(reached.count == suite.outcomes.reached)
    for edit in rules.ruleset.mutants() {
      guard let changed = engine.reading(edit) else { continue }
      let isNoticed = Self.isNoticed(changed, by: tests)
      guard case .nothing = judge.effect(of: edit) else {
        #expect(isNoticed, "\(edit.summary)")
        continue
      }
      #expect(!isNoticed, "proved to do nothing: \(edit.summary)")
    }
  }

  @Test(arguments: ["rules/psst.rules", "rules/sorted.rules"])
  func noTestCanBeLeftOut(_ path: String) throws {
    let rules = try Self.rules(path)
    let suite = FullSuite(rules, profile: .emulator, now: Self.now, limits: QuestionLimits())
    let tests = try Self.tests(suite)
    let engine = Engine(rules)
    func shown(_ tests: [RulesEval.Test]) -> Set<String> {
      var shown: Set<String> = []
      for test in tests {
        let decision = engine.run(test, documents: Documents(), now: Self.now, tracing: true)
          .decision
        for tried in decision?.tried ?? [] {
          shown.insert(Self.outcome(tried))
          for event in tried.trace?.events ?? [] { shown.insert(Self.part(event)) }
        }
      }
      for (index, edit) in rules.ruleset.mutants().enumerated() {
        guard let changed = engine.reading(edit) else { continue }
        if Self.isNoticed(changed, by: tests) { shown.insert("change \(index)") }
      }
      return shown
    }
    let all = shown(tests)
    for index in tests.indices {
      var fewer = tests
      fewer.remove(at: index)
      #expect(shown(fewer) != all, "\(tests[index].displayName) is one too many")
    }
  }

  private static func isNoticed(_ changed: Engine, by tests: [RulesEval.Test]) -> Bool {
    tests.contains { !changed.run($0, documents: Documents(), now: now).isPassed }
  }

  /// An expression and whether it is true, false, or something else.
  private static func part(_ event: Trace.Event) -> String {
    guard case .value(.bool(let flag)) = event.outcome else {
      return "part \(event.expression.index)"
    }
    return "part \(event.expression.index) \(flag)"
  }

  /// What no test covers is what is proved that none can.
  @Test(arguments: files.prefix(Wanted.cases(1, of: files.count)))
  func whatIsNotCoveredIsProvedImpossible(_ path: String) throws {
    let rules = try Self.rules(path)
    let suite = FullSuite(rules, profile: .emulator, now: Self.now, limits: QuestionLimits())
    #expect(suite.parts.open == 0)
    var coverage = RuleCoverage(rules.ruleset)
    for test in try Self.tests(suite) {
      let result = Engine(rules).run(
        test, documents: Documents(), now: Self.now, tracing: true)
      if let decision = result.decision { coverage.add(decision, test: 0) }
    }
    let parts = coverage.places(in: rules).filter { place in
      if case .expression = place.subject { true } else { false }
    }
    #expect(parts.reduce(0) { $0 + $1.seen } == suite.parts.reached)
    #expect(parts.reduce(0) { $0 + $1.possible - $1.seen } == suite.parts.impossible)
  }

  private static func outcome(_ tried: Tried) -> String {
    let word =
      switch tried.result {
      case .granted: "granted"
      case .refused: "refused"
      case .failed: "failed"
      }
    return "\(tried.allow.index) \(word)"
  }

  private static func rules(_ path: String) throws -> Checked {
    let file = CommandLineCase.package.appendingPathComponent(path)
    let text = try String(contentsOf: file, encoding: .utf8)
    return try #require(Checker.check(SourceText(name: path, text)).checked)
  }

  private static func tests(_ suite: FullSuite) throws -> [RulesEval.Test] {
    let text = FirstSuiteText(suite.entries, remarks: [], time: now, rules: "app.rules").text
    let (read, diagnostics) = SuiteReader.read(SourceText(name: "full.suite.json", text))
    #expect(!diagnostics.hasErrors)
    return try #require(read).tests
  }
}
