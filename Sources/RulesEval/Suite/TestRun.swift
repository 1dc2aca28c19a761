public import RulesLang

/// The result of a test.
public struct TestResult: Sendable {
  /// The test.
  public var test: Test
  /// The decision; nil if the request could not be decided.
  public var decision: Decision?
  /// The reasons why the test failed, in sentences; empty if it passed.
  public var failures: [String]
  /// The results of the steps that were run, in order; empty for a test of one request.
  public var steps: [TestResult] = []

  /// True if the test passed.
  public var isPassed: Bool { failures.isEmpty }

  /// The results of all decided requests: those of the steps, or the test's own.
  public var requests: [TestResult] { steps.isEmpty ? [self] : steps }
}

extension Engine {
  /// Runs one test of a suite.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - documents: What the suite stores.
  ///   - now: The time of tests that set none.
  ///   - tracing: True to keep the values of all sub-expressions.
  ///   - isRemarking: True to search an allowed query for documents that the rules refuse, which takes many
  ///     more decisions and only adds a note.
  public func run(
    _ test: Test, documents: Documents, now: Timestamp, tracing: Bool = false,
    isRemarking: Bool = true
  ) -> TestResult {
    if let unsupported = test.unsupported {
      return TestResult(test: test, decision: nil, failures: ["UNSUPPORTED: \(unsupported)"])
    }
    if case .steps(let steps) = test.subject {
      var run = StepRun(of: test, on: documents)
      for step in steps where run.goesOn {
        run.add(
          self.run(
            step, documents: run.documents, now: now, tracing: tracing, isRemarking: isRemarking),
          at: step.time ?? now)
      }
      return run.result
    }
    do throws(RequestProblem) {
      let decision = try decide(
        test, on: documents, now: now, tracing: tracing, isRemarking: isRemarking)
      return TestResult(
        test: test, decision: decision, failures: failures(of: test, with: decision))
    } catch {
      switch error {
      case .unsupported(let what):
        return TestResult(test: test, decision: nil, failures: ["UNSUPPORTED: \(what)"])
      }
    }
  }

  private func decide(
    _ test: Test, on documents: Documents, now: Timestamp, tracing: Bool, isRemarking: Bool
  ) throws(RequestProblem) -> Decision {
    switch test.subject {
    case .supplied(let access, let mocks):
      return try decide(access, mocks: mocks, tracing: tracing)
    case .steps: throw .unsupported("steps inside a step")
    case .operation(let operation):
      var stored = documents
      for (path, data) in test.documents { stored[path] = data }
      let request = Request(
        principal: test.principal, time: test.time ?? now, operation: operation)
      let decision = try decide(request, on: stored, tracing: tracing)
      return isRemarking ? noting(decision, of: request, on: stored) : decision
    }
  }

  /// Adds a note to a decision that allows a query which may return documents that the rules refuse.
  fileprivate func noting(
    _ decision: Decision, of request: Request, on stored: Documents
  ) -> Decision {
    guard decision.isAllowed, let refused = refusedResult(of: request, on: stored) else {
      return decision
    }
    var decision = decision
    decision.notes.append(
      "rules see of a query only what its filters say: this one may return a document that "
        + "they refuse, such as \(ValueText.short(.map(refused)))")
    return decision
  }

  /// Returns the reasons why a test fails, in sentences; none if the decision is as expected.
  func failures(of test: Test, with decision: Decision) -> [String] {
    var failures: [String] = []
    if decision.isAllowed != (test.expectation == .allow) {
      failures.append(
        "expected \(test.expectation.word), the rules \(decision.isAllowed ? "allow" : "deny") it")
    }
    if let line = test.expectedLine {
      failures += lineFailures(wanting: line, of: test, with: decision)
    }
    let failed = decision.tried.filter { $0.isError }.map { line(of: $0.allow) }
    switch test.expectsErrors {
    case .some(false) where !failed.isEmpty:
      failures.append("expected no errors, the condition of line \(failed[0]) ended in one")
    case .some(true) where failed.isEmpty:
      failures.append("expected an error, no condition ended in one")
    case .some, .none: break
    }
    return failures
  }

  private func lineFailures(wanting wanted: Int, of test: Test, with decision: Decision) -> [String]
  {
    let lines = decision.tried.map { line(of: $0.allow) }
    switch test.expectation {
    case .allow:
      let deciding = decision.accesses.compactMap { access in
        access.isGranted ? access.tried.last.map { line(of: $0.allow) } : nil
      }
      if deciding.contains(wanted) { return [] }
      let actual = deciding.isEmpty ? "none does" : "line \(deciding[0]) does"
      return ["expected line \(wanted) to decide, \(actual)"]
    case .deny:
      if lines.contains(wanted) { return [] }
      let actual =
        lines.isEmpty
        ? "no statement was"
        : "the lines tried were \((lines.map { "\($0)" }).joined(separator: ", "))"
      return ["expected line \(wanted) to be tried, \(actual)"]
    }
  }

  /// Returns the line of an allow statement.
  public func line(of allow: AllowID) -> Int {
    rules.ruleset.source.line(of: rules.ruleset[allow].keyword.start)
  }
}

extension Machine {
  /// Runs one test of a suite, with the same result as `Engine.run`.
  public mutating func run(
    _ test: Test, documents: Documents, now: Timestamp, tracing: Bool = false
  ) -> TestResult {
    if let unsupported = test.unsupported {
      return TestResult(test: test, decision: nil, failures: ["UNSUPPORTED: \(unsupported)"])
    }
    if case .steps(let steps) = test.subject {
      var run = StepRun(of: test, on: documents)
      for step in steps where run.goesOn {
        run.add(
          self.run(
            step, documents: run.documents, now: now, tracing: tracing),
          at: step.time ?? now)
      }
      return run.result
    }
    do throws(RequestProblem) {
      let decision = try decide(test, on: documents, now: now, tracing: tracing)
      return TestResult(
        test: test, decision: decision, failures: engine.failures(of: test, with: decision))
    } catch {
      switch error {
      case .unsupported(let what):
        return TestResult(test: test, decision: nil, failures: ["UNSUPPORTED: \(what)"])
      }
    }
  }

  private mutating func decide(
    _ test: Test, on documents: Documents, now: Timestamp, tracing: Bool
  ) throws(RequestProblem) -> Decision {
    switch test.subject {
    case .supplied(let access, let mocks):
      return try decide(access, mocks: mocks, tracing: tracing)
    case .steps: throw .unsupported("steps inside a step")
    case .operation(let operation):
      var stored = documents
      for (path, data) in test.documents { stored[path] = data }
      let request = Request(
        principal: test.principal, time: test.time ?? now, operation: operation)
      return engine.noting(
        try decide(request, on: stored, tracing: tracing), of: request, on: stored)
    }
  }
}

extension Tried {
  /// The unsupported feature that the condition met; nil if none.
  var unsupported: String? {
    guard case .failed(let error) = result else { return nil }
    switch error.reason {
    case .patternTooLarge: return "the regular expression is too large"
    case .valueTooLarge: return "the value is too large"
    default: return nil
    }
  }

  /// True if the condition ended in an error.
  public var isError: Bool {
    if case .failed = result { return true }
    return false
  }
}
