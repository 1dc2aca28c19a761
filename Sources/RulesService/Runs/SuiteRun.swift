import RulesEncoding
package import RulesEval
package import RulesLang
package import RulesProof
package import RulesSolver

/// What came of running a suite against a text of rules.
package struct SuiteRun: Sendable {
  /// What came of one test.
  package struct TestOutcome: Sendable {
    /// The test's name with its groups and who asks.
    package var name: String
    /// Where it stands in the suite.
    package var range: SourceRange
    /// Why it failed; empty if it passed.
    package var failures: [String]
  }

  /// What came of one claim.
  package struct ClaimOutcome: Sendable {
    /// The claim's name.
    package var name: String
    /// Where it stands in the suite.
    package var range: SourceRange
    /// `proved`, `violated`, `undecided` or `vacuous`.
    package var word: String
    /// Whether this is what the suite expects.
    package var isExpected: Bool
    /// Whether it is not known.
    package var isUndecided: Bool
    /// What shows it, if it is not expected.
    package var reasons: [String]
  }

  /// The tests that were run.
  package var tests: [TestOutcome] = []
  /// The claims that were decided.
  package var claims: [ClaimOutcome] = []
  /// What is wrong with the claims, so that none was decided.
  package var refusals: [Diagnostic] = []
  /// By `AllowID`, the tests in which the statement was tried, as places in `tests`.
  package var tried: [[Int]] = []
  /// What the parts of conditions came to, over all tests.
  package var coverage: RuleCoverage
  /// The values of the last test that was run, by expression.
  package var lastValues: [(expression: ExprID, text: String)] = []

  /// The number of tests that failed.
  package var failed: Int { tests.count { !$0.failures.isEmpty } }
}

/// What the suites of some rules have shown, all together.
package struct RulesRuns: Sendable {
  /// The runs, with the names of the suites.
  package var suites: [(name: String, run: SuiteRun)] = []
  /// The name of the test whose values are shown, and they.
  package var last: (name: String, values: [(expression: ExprID, text: String)])?

  /// No run yet.
  package init() {}

  /// How many tests have tried a statement: those that passed, and those that failed.
  package func tests(of allow: AllowID) -> (passed: Int, failed: Int) {
    var (passed, failed) = (0, 0)
    for (_, run) in suites where allow.index < run.tried.count {
      for test in run.tried[allow.index] {
        if run.tests[test].failures.isEmpty { passed += 1 } else { failed += 1 }
      }
    }
    return (passed, failed)
  }

  /// How often an expression came out true, false, with another value and with an error.
  package func tally(of id: ExprID) -> (trues: Int, falses: Int, values: Int, errors: Int) {
    var sum = (trues: 0, falses: 0, values: 0, errors: 0)
    for (_, run) in suites where id.index < run.coverage.expressions.count {
      let tally = run.coverage.expressions[id.index]
      sum.trues += tally.trues
      sum.falses += tally.falses
      sum.values += tally.values
      sum.errors += tally.errors
    }
    return sum
  }
}

/// Runs a suite against rules.
package struct SuiteRunner: Sendable {
  private let suite: Suite
  private let rules: Checked
  private let profile: Profile

  /// Prepares for rules.
  package init(_ suite: Suite, rules: Checked, profile: Profile) {
    // A suite that names no database is about that of the rules.
    let database = suite.namedDatabase ?? rules.database
    let isOfIt = suite.database == database
    let read = isOfIt ? nil : SuiteReader.read(suite.source, database: database).suite
    self.suite = read ?? suite
    self.rules = rules.deployed(to: database)
    self.profile = profile
  }

  /// Runs the tests, or the one at `place`; nil if that was cancelled.
  package func tests(
    at place: SourceRange? = nil, now: Timestamp, isCancelled: () -> Bool = { false }
  ) -> SuiteRun? {
    let engine = Engine(rules, profile: profile)
    var run = SuiteRun(coverage: RuleCoverage(rules.ruleset))
    run.tried = Array(repeating: [], count: rules.ruleset.allows.count)
    for test in suite.tests where place.map({ $0 == test.range }) ?? true {
      if isCancelled() { return nil }
      let result = engine.run(
        test, documents: suite.documents, now: now, tracing: true, isRemarking: false)
      add(result, to: &run)
    }
    return run
  }

  private func add(_ result: TestResult, to run: inout SuiteRun) {
    let number = run.tests.count
    run.tests.append(
      SuiteRun.TestOutcome(
        name: result.test.title, range: result.test.range, failures: result.failures))
    var values: [ExprID: String] = [:]
    for request in result.requests {
      guard let decision = request.decision else { continue }
      run.coverage.add(decision, test: number)
      for tried in decision.tried {
        if run.tried[tried.allow.index].last != number {
          run.tried[tried.allow.index].append(number)
        }
        for event in tried.trace?.events ?? [] { values[event.expression] = event.outcome.words }
      }
    }
    run.lastValues = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Decides the claims, or the one at `place`, each within a budget that `budget` makes.
  package func claims(
    at place: SourceRange? = nil, into run: inout SuiteRun, within budget: () -> Budget,
    isCancelled: () -> Bool = { false }
  ) {
    let claims = suite.claims.filter { claim in place.map { $0 == claim.range } ?? true }
    guard !claims.isEmpty else { return }
    run.refusals = suite.foreignClaims
    if !run.refusals.isEmpty { return }
    do throws(ClaimSet.Refusal) {
      let set = try ClaimSet(claims, about: rules, profile: profile)
      let grounds = Grounds()
      for index in claims.indices where !isCancelled() {
        let prover = Prover(set, sharing: grounds, within: budget())
        let verdict = prover.decide(index, shrinking: false)
        run.claims.append(
          SuiteRun.ClaimOutcome(
            name: claims[index].name, range: claims[index].range, word: verdict.word,
            isExpected: verdict.isExpected(claims[index].expectation),
            isUndecided: verdict.isUndecided,
            reasons: verdict.reasons(in: set.engine.rules.ruleset)))
      }
    } catch {
      run.refusals = error.problems.map {
        Diagnostic(.suite, severity: .error, message: $0.message, at: $0.range, help: $0.help)
      }
    }
  }
}

extension Verdict {
  /// Whether nothing is known.
  var isUndecided: Bool {
    if case .undecided = self { return true }
    return false
  }

  /// What shows the verdict, a sentence each; nothing for a proof.
  package func reasons(in rules: Ruleset) -> [String] {
    switch self {
    case .proved(let proof): proof.grantsNothing ? [Proof.nothingGranted] : []
    case .violated(let counterexample): [counterexample.sentence(in: rules)]
    case .undecided(let doubts): doubts.map { $0.reason }
    case .vacuous(let vacuity): [vacuity.sentence]
    }
  }
}

extension Outcome {
  /// The value or the error in a few words.
  fileprivate var words: String {
    switch self {
    case .value(let value): ValueText.short(value)
    case .error(let error): "error: " + (error.reason.message ?? "unknown")
    }
  }
}

extension SuiteRun {
  /// The run with what came of some of its tests and claims anew.
  package func replacing(_ part: SuiteRun) -> SuiteRun {
    var copy = self
    for (index, test) in tests.enumerated() {
      let anew = part.tests.first { $0.range == test.range && $0.name == test.name }
      if let anew { copy.tests[index] = anew }
    }
    copy.claims.removeAll { claim in part.claims.contains { $0.range == claim.range } }
    copy.claims += part.claims
    copy.refusals = part.refusals
    return copy
  }
}
