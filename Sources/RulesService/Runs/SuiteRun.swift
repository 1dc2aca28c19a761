import RulesEncoding
package import RulesEval
package import RulesLang
package import RulesProof
package import RulesProofReport
package import RulesSolver

/// The results of running a suite against a text of rules.
package struct SuiteRun: Sendable {
  /// The result of one test.
  package struct TestOutcome: Sendable {
    /// The test's name with its groups, the client, and the database if there are several.
    package var name: String
    /// The test's range in the suite.
    package var range: SourceRange
    /// The reasons why it failed; empty if it passed.
    package var failures: [String]
  }

  /// The tests that were run.
  package var tests: [TestOutcome] = []
  /// The claims that were decided.
  package var claims: [ClaimResult] = []
  /// Errors of the suite or its claims, in which case these were not run.
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

extension SuiteRun {
  /// Runs the tests of the suite in a text, or the one at `place`; nil if it was cancelled. `deployed` are
  /// the databases of the rules; that of `rules` if there is none.
  package init?(
    testsIn text: SourceText, about rules: Checked, deployed: [DatabaseName] = [],
    profile: Profile, at place: SourceRange? = nil, now: Timestamp,
    isCancelled: () -> Bool = { false }
  ) {
    coverage = RuleCoverage(rules.ruleset)
    tried = Array(repeating: [], count: rules.ruleset.allows.count)
    let suites = load(.tests, of: text, about: rules, deployed, profile)
    for suite in suites {
      let database = suites.count > 1 ? " in \(String(suite.engine.rules.database.text))" : ""
      for test in suite.tests where place.map({ $0 == test.range }) ?? true {
        if isCancelled() { return nil }
        let result = suite.engine.run(
          test, documents: suite.documents, now: now, tracing: true, isRemarking: false)
        add(result, named: test.title + database)
      }
    }
  }

  /// Decides the claims of the suite in a text, or the one at `place`; `budget` makes a budget for each.
  package mutating func decideClaims(
    in text: SourceText, about rules: Checked, deployed: [DatabaseName] = [], profile: Profile,
    at place: SourceRange? = nil, within budget: () -> Budget, isCancelled: () -> Bool = { false }
  ) {
    let suites = load(.claims, of: text, about: rules, deployed, profile)
    decideClaims(of: suites, at: place, within: budget, isCancelled: isCancelled)
  }

  /// Loads a part of a suite; without it there are refusals.
  private mutating func load(
    _ part: LoadedSuite.Part, of text: SourceText, about rules: Checked,
    _ deployed: [DatabaseName], _ profile: Profile
  ) -> [LoadedSuite] {
    do throws(LoadedSuite.Refusal) {
      return try LoadedSuite.all(
        in: text, part, deployed: deployed, rulesPath: rules.ruleset.source.name, about: rules,
        profile: profile)
    } catch {
      refusals = error.diagnostics
      return []
    }
  }

  private mutating func add(_ result: TestResult, named name: String) {
    let number = tests.count
    tests.append(
      TestOutcome(name: name, range: result.test.range, failures: result.failures))
    var values: [ExprID: String] = [:]
    for request in result.requests {
      guard let decision = request.decision else { continue }
      coverage.add(decision, test: number)
      for attempt in decision.tried {
        if tried[attempt.allow.index].last != number { tried[attempt.allow.index].append(number) }
        for event in attempt.trace?.events ?? [] { values[event.expression] = event.outcome.words }
      }
    }
    lastValues = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Decides the claims of a suite, or the one at `place`; `budget` makes a budget for each.
  package mutating func decideClaims(
    of suites: [LoadedSuite], at place: SourceRange? = nil, within budget: () -> Budget,
    isCancelled: () -> Bool = { false }
  ) {
    for suite in suites {
      guard let set = suite.claims else { continue }
      let encodings = BaseEncodingCache()
      for (index, claim) in set.claims.enumerated() {
        guard place.map({ $0 == claim.claim.range }) ?? true else { continue }
        if isCancelled() { return }
        claims.append(
          suite.result(
            ofClaim: index, in: set, sharing: encodings, within: budget, shrinking: false,
            explaining: false))
      }
    }
  }
}

extension ClaimResult {
  /// The evidence for the verdict, a sentence each; none for a proof.
  package var reasons: [String] { verdict.reasons(in: rules) }
}

extension Verdict {
  /// Returns the evidence for the verdict, a sentence each; for a proof what restricts it.
  package func reasons(in rules: Ruleset) -> [String] {
    switch self {
    case .proved(let proof):
      (proof.grantsNothing ? [Proof.nothingGranted] : []) + proof.check.objections
    case .violated(let counterexample): [counterexample.sentence(in: rules)]
    case .undecided(let openReasons): openReasons.map { $0.reason }
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
    copy.claims.removeAll { claim in part.claims.contains { $0.claim.range == claim.claim.range } }
    copy.claims += part.claims
    copy.refusals = part.refusals
    return copy
  }
}
