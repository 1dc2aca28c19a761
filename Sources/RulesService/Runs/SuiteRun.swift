import RulesEncoding
package import RulesEval
package import RulesLang
package import RulesProof
package import RulesSolver

/// The results of running a suite against a text of rules.
package struct SuiteRun: Sendable {
  /// The result of one test.
  package struct TestOutcome: Sendable {
    /// The test's name with its groups and the client.
    package var name: String
    /// The test's range in the suite.
    package var range: SourceRange
    /// The reasons why it failed; empty if it passed.
    package var failures: [String]
  }

  /// The result of one claim.
  package struct ClaimOutcome: Sendable {
    /// The claim's name.
    package var name: String
    /// The claim's range in the suite.
    package var range: SourceRange
    /// `proved`, `violated`, `undecided` or `vacuous`.
    package var word: String
    /// True if the verdict is the expected one.
    package var isExpected: Bool
    /// True if the claim could not be decided.
    package var isUndecided: Bool
    /// The evidence, if the verdict is not the expected one.
    package var reasons: [String]
  }

  /// The tests that were run.
  package var tests: [TestOutcome] = []
  /// The claims that were decided.
  package var claims: [ClaimOutcome] = []
  /// Errors of the claims, in which case none was decided.
  package var refusals: [Diagnostic] = []
  /// By `AllowID`, the tests in which the statement was tried, as indices in `tests`.
  package var tried: [[Int]] = []
  /// The outcome counts of conditions and their parts, over all tests.
  package var coverage: RuleCoverage
  /// The values of the last test that was run, by expression.
  package var lastValues: [(expression: ExprID, text: String)] = []

  /// The number of tests that failed.
  package var failed: Int { tests.count { !$0.failures.isEmpty } }
}

/// The results of all suites of some rules.
package struct RulesRuns: Sendable {
  /// The runs, with the names of the suites.
  package var suites: [(name: String, run: SuiteRun)] = []
  /// The name and the values of the last test that was run.
  package var last: (name: String, values: [(expression: ExprID, text: String)])?

  /// Creates results without any run.
  package init() {}

  /// Returns the number of passed and of failed tests that tried a statement.
  package func tests(of allow: AllowID) -> (passed: Int, failed: Int) {
    var (passed, failed) = (0, 0)
    for (_, run) in suites where allow.index < run.tried.count {
      for test in run.tried[allow.index] {
        if run.tests[test].failures.isEmpty { passed += 1 } else { failed += 1 }
      }
    }
    return (passed, failed)
  }

  /// Returns how often an expression was true, was false, had another value and was an error.
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

  /// Prepares to run a suite.
  package init(_ suite: Suite, rules: Checked, profile: Profile) {
    // A suite that names no database is about that of the rules.
    let database = suite.namedDatabase ?? rules.database
    let isOfIt = suite.database == database
    let read = isOfIt ? nil : SuiteReader.read(suite.source, database: database).suite
    self.suite = read ?? suite
    self.rules = rules.deployed(to: database)
    self.profile = profile
  }

  /// Runs the tests, or the one at `place`; nil if it was cancelled.
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

  /// Decides the claims, or the one at `place`; `budget` makes a budget for each.
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
  /// True if the claim could not be decided.
  var isUndecided: Bool {
    if case .undecided = self { return true }
    return false
  }

  /// Returns the evidence for the verdict, a sentence each; none for a proof.
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
  /// Returns the run with new results of some of its tests and claims.
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
