package import RulesEval
import RulesLang
package import RulesProof
package import RulesSolver

// Results of a suite's tests and claims, one at a time: the caller chooses which, in which order, and on how
// many threads.

extension LoadedSuite {
  /// The tests that are reported with traces.
  package enum Traced: String, CaseIterable, Sendable { case failed, all, none }

  /// Runs a test, again with traces if it failed and failures are traced. `now` is the time of tests that set
  /// none.
  package func result(of test: Test, at now: Timestamp, traced: Traced = .failed) -> TestResult {
    let result = engine.run(test, documents: documents, now: now, tracing: traced == .all)
    return traced == .failed && !result.isPassed ? self.traced(result, at: now) : result
  }

  /// Returns the result of a failed test again, with traces, except of the steps that passed.
  package func traced(_ result: TestResult, at now: Timestamp) -> TestResult {
    var traced = engine.run(result.test, documents: documents, now: now, tracing: true)
    traced.steps = traced.steps.map { $0.isPassed ? $0.withoutTraces : $0 }
    return traced
  }

  /// Decides a claim, beginning sequences of requests with the suite's documents.
  ///
  /// - Parameters:
  ///   - index: The index in the suite's compiled claims.
  ///   - set: These claims.
  ///   - encodings: The cache of the claims, which belongs to one thread.
  ///   - budget: Returns the budget of the claim, which begins then.
  ///   - shrinking: False to keep the irrelevant parts of a counterexample.
  ///   - explaining: True to name the conjuncts that make each statement safe.
  ///   - clock: Returns nanoseconds since some fixed moment.
  package func result(
    ofClaim index: Int, in set: ClaimSet, sharing encodings: BaseEncodingCache,
    within budget: () -> Budget,
    shrinking: Bool = true, explaining: Bool = true, clock: () -> UInt64 = { 0 }
  ) -> ClaimResult {
    let fields = set.unknownFields(of: index, others: { fieldNames })
    let start = clock()
    var prover = Prover(set, sharing: encodings, within: budget())
    prover.accepted = documents
    // A note about a field shows the counterexample, expected or not.
    let verdict = prover.decide(index, shrinking: shrinking || !fields.isEmpty)
    let nanoseconds = clock() - start
    var result = ClaimResult(
      claim: set.claims[index].claim,
      verdict: explaining ? prover.explain(verdict, of: index) : verdict,
      nanoseconds: nanoseconds, rules: set.engine.rules.ruleset, profile: set.engine.profile)
    result.unknownFields = fields
    return result
  }

  /// Decides all claims, one after the other. `progress` is called before each one, with the number of those
  /// that are decided.
  package func claimResults(
    within budget: () -> Budget, clock: () -> UInt64 = { 0 }, progress: (Int) -> Void = { _ in }
  ) -> [ClaimResult] {
    guard let set = claims else { return [] }
    let encodings = BaseEncodingCache()
    return set.claims.indices.map { index in
      progress(index)
      return result(ofClaim: index, in: set, sharing: encodings, within: budget, clock: clock)
    }
  }

  /// Runs all tests, one after the other, and returns the suite's part of a report. `progress` is called
  /// before each test, with the number of those that have run.
  package func testReport(
    at now: Timestamp, traced: Traced = .failed, clock: () -> UInt64 = { 0 },
    progress: (Int) -> Void = { _ in }
  ) -> TestReport.Suite {
    var tally = TestReport.Tally()
    let results = tests.enumerated().map { number, test in
      progress(number)
      let start = clock()
      let result = result(of: test, at: now, traced: traced)
      tally.add(result, nanoseconds: clock() - start)
      return result
    }
    var report = TestReport.Suite(
      source: source, rulesPath: rulesPath, rules: engine.rules, tally: tally, results: results)
    report.warnings = suite?.warnings ?? []
    return report
  }

  /// Returns the suite's part of a report of claims.
  package func proofFile(_ results: [ClaimResult]) -> ProofReport.File {
    ProofReport.File(
      source: source, rulesPath: rulesPath, rules: engine.rules.ruleset.source,
      database: engine.rules.database, results: results)
  }
}
