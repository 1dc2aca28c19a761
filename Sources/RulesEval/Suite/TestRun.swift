public import RulesLang

/// What came of a test.
public struct TestResult: Sendable {
  /// The test.
  public var test: Test
  /// What the rules said; nil if the request could not be decided.
  public var decision: Decision?
  /// Why the test failed, in sentences; empty if it passed.
  public var failures: [String]
  /// What came of its steps, in order, as far as they were run; empty for a test of one request.
  public var steps: [TestResult] = []

  /// Whether the test passed.
  public var isPassed: Bool { failures.isEmpty }

  /// What came of each request that was decided: those of the steps, or the test's own.
  public var requests: [TestResult] { steps.isEmpty ? [self] : steps }
}

extension Engine {
  /// Runs one test of a suite.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - documents: What the suite stores.
  ///   - now: The time for tests that set none.
  ///   - tracing: Whether the values of all sub-expressions are kept.
  ///   - isRemarking: Whether an allowed query is looked at for documents that the rules refuse, which
  ///     takes many more decisions and changes nothing about the test.
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

  /// A decision with a note if a query is allowed that may return what the rules refuse.
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

  /// Why a test fails, in sentences; none if the decision is what it expects.
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

  /// The line of an allow statement.
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
  /// What the condition came upon that is not modelled; nil if nothing.
  var unsupported: String? {
    guard case .failed(let error) = result else { return nil }
    switch error.reason {
    case .patternTooLarge: return "the regular expression is too large"
    case .valueTooLarge: return "the value is too large"
    default: return nil
    }
  }

  /// Whether the condition ended in an error.
  public var isError: Bool {
    if case .failed = result { return true }
    return false
  }
}
