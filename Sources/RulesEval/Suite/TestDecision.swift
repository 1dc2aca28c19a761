import RulesLang

extension Engine: RequestDecider {
  var engine: Engine { self }

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
    var decider = self
    return decider.result(
      of: test, on: documents, now: now, tracing: tracing, isRemarking: isRemarking)
  }
}

extension Machine: RequestDecider {
  /// Runs one test of a suite, with the same result as `Engine.run`.
  public mutating func run(
    _ test: Test, documents: Documents, now: Timestamp, tracing: Bool = false,
    isRemarking: Bool = true
  ) -> TestResult {
    result(of: test, on: documents, now: now, tracing: tracing, isRemarking: isRemarking)
  }
}

/// An evaluator of single requests: the reference, or the machine.
protocol RequestDecider: ~Copyable {
  /// The reference for the same rules.
  var engine: Engine { get }

  /// Decides a request on stored documents; keeps the values of all sub-expressions if it is traced.
  mutating func decide(
    _ request: Request, on documents: Documents, tracing: Bool
  ) throws(RequestProblem) -> Decision

  /// Decides an access with exactly what a case of Google's Rules Test API supplies.
  mutating func decide(
    _ access: Access, mocks: [FunctionMock], tracing: Bool
  ) throws(RequestProblem) -> Decision
}

extension RequestDecider where Self: ~Copyable {
  /// Returns the result of a test, whose steps are decided one after the other. The parameters are those of
  /// `Engine.run`.
  fileprivate mutating func result(
    of test: Test, on documents: Documents, now: Timestamp, tracing: Bool, isRemarking: Bool
  ) -> TestResult {
    if let unsupported = test.unsupported { return .unsupported(unsupported, test) }
    if case .steps(let steps) = test.subject {
      var run = StepRun(of: test, on: documents)
      for step in steps where run.goesOn {
        let result = result(
          of: step, on: run.documents, now: now, tracing: tracing, isRemarking: isRemarking)
        run.add(result, at: step.time ?? now)
      }
      return run.result
    }
    do throws(RequestProblem) {
      let decision = try decide(
        test, on: documents, now: now, tracing: tracing, isRemarking: isRemarking)
      return TestResult(
        test: test, decision: decision, failures: engine.failures(of: test, with: decision))
    } catch {
      switch error {
      case .unsupported(let what): return .unsupported(what, test)
      }
    }
  }

  private mutating func decide(
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
      var decision = try decide(request, on: stored, tracing: tracing)
      if isRemarking, decision.isAllowed,
        let refused = engine.refusedResult(of: request, on: stored)
      {
        decision.notes.append(
          "rules see only the filters of a query: this one may return a document that they "
            + "refuse, such as \(ValueText.short(.map(refused)))")
      }
      return decision
    }
  }
}

extension TestResult {
  /// Returns the result of a test whose request is not modelled.
  fileprivate static func unsupported(_ what: String, _ test: Test) -> TestResult {
    TestResult(test: test, decision: nil, failures: ["UNSUPPORTED: \(what)"])
  }
}
