import RulesEval
import RulesLang
import RulesReport

extension Rules {
  /// Decides a request. Throws if it is malformed, or needs something that is not supported.
  public func decide(_ request: Request) throws(Failure) -> Decision {
    let (result, warnings) = try run(Self.test(request, expecting: .allow))
    return try decision(of: result, warnings: warnings)
  }

  /// Requires the rules to allow or deny a request; throws the explanation if they do not.
  ///
  /// The failure shows the values of the condition's parts, and begins with the place of the call. In tests,
  /// `expect` of the module `RulesCheckTesting` records the failure at the line of the call and goes on.
  public func require(
    _ expectation: Expectation, _ request: Request, fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(Failure) {
    do throws(Failure) {
      try check(expectation, request)
    } catch {
      throw error.at(fileID, line)
    }
  }

  /// Requires the rules to allow or deny a request; a failure does not name the place of the call.
  package func check(_ expectation: Expectation, _ request: Request) throws(Failure) {
    let decision = try decide(request)
    if decision.isAllowed == (expectation == .allow) { return }
    throw Failure(.unexpected, saying: Self.surprise(expectation, decision))
  }
}

// MARK: Steps

extension Rules {
  /// Decides requests one after the other. Each finds the documents that the allowed writes before it left;
  /// a denied write, or one that Firestore refuses, changes nothing.
  public func decide(steps requests: [Request]) throws(Failure) -> [Decision] {
    let (result, warnings) = try run(
      Self.test(steps: requests.map { Self.test($0, expecting: .allow) }))
    var decisions: [Decision] = []
    for step in result.steps { decisions.append(try decision(of: step, warnings: warnings)) }
    return decisions
  }

  /// Requires the rules to allow or deny requests one after the other, of which each finds the documents that
  /// the allowed writes before it left; throws the explanation of the first other decision, with the place of
  /// that step.
  public func require(
    steps: [Step], fileID: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) {
    do throws(Failure) {
      guard let failed = try failures(of: steps).first else { return }
      throw failed.failure.at(failed.step.place.fileID, failed.step.place.line)
    } catch {
      throw error.reason == .unexpected ? error : error.at(fileID, line)
    }
  }

  /// Returns the steps that are decided otherwise than expected, each with its explanation.
  package func failures(of steps: [Step]) throws(Failure) -> [(step: Step, failure: Failure)] {
    guard !steps.isEmpty else { throw Failure(.unusable, saying: "there is no step") }
    let decisions = try decide(steps: steps.map { step in step.request })
    var failures: [(step: Step, failure: Failure)] = []
    for (index, (step, decision)) in zip(steps, decisions).enumerated()
    where decision.isAllowed != (step.expectation == .allow) {
      let number = steps.count == 1 ? "" : "step \(index + 1) of \(steps.count): "
      let text = number + Self.surprise(step.expectation, decision)
      failures.append((step, Failure(.unexpected, saying: text)))
    }
    return failures
  }
}

// MARK: Suites of one test

extension Rules {
  /// Returns a request as a test of a suite.
  private static func test(_ request: Request, expecting expectation: Expectation) -> JSON {
    let expected = JSON.Member("expect", value: Notation("\(expectation)").json)
    return JSON(.object(request.notation.members + [expected]))
  }

  /// Returns a test with steps.
  private static func test(steps: [JSON]) -> JSON {
    JSON(.object([JSON.Member("steps", value: JSON(.array(steps)))]))
  }

  /// Returns the message about another decision than the expected one.
  private static func surprise(_ expectation: Expectation, _ decision: Decision) -> String {
    let found = decision.isAllowed ? "allow" : "deny"
    return "expected \(expectation), the rules \(found) it\n\(decision.description)"
  }

  /// Runs a test on the stored documents; returns the result, and the warnings about its data.
  private func run(_ test: JSON) throws(Failure) -> (result: TestResult, warnings: [String]) {
    let suite = try self.suite([JSON.Member("tests", value: JSON(.array([test])))])
    guard let scripted = suite.tests.first else {
      throw Failure(.unusable, saying: "the request cannot be understood")
    }
    let result = engine.run(
      scripted, documents: suite.documents, now: SystemClock.now, tracing: true)
    return (result, suite.warnings.map { warning in warning.message })
  }

  /// Returns the decision of a result. Throws if the request could not be decided.
  private func decision(of result: TestResult, warnings: [String]) throws(Failure) -> Decision {
    guard var decision = result.decision else {
      throw Failure(.unusable, saying: result.failures.joined(separator: "; "))
    }
    decision.notes += warnings
    let report = SimulationReport(test: result.test, decision: decision, rules: engine.rules)
    let picture = SimulationText(.plain, isQuiet: false, explainsAll: false).render(report)
    let deciding = decision.isAllowed ? decision.tried.last : nil
    return Decision(
      isAllowed: decision.isAllowed, line: deciding.map { engine.line(of: $0.allow) },
      hasErrors: decision.tried.contains { $0.isError }, description: picture)
  }

  /// Reads a suite with these members and the stored documents.
  func suite(_ members: [JSON.Member]) throws(Failure) -> Suite {
    let stored = documents.sorted { $0.key < $1.key }
      .map { JSON.Member(Text($0.key), value: $0.value.json) }
    let json = JSON(
      .object(members + [JSON.Member("documents", value: JSON(.object(stored)))]))
    if let reason = Notation.failure(in: json) { throw Failure(.unusable, saying: reason) }
    let name = SourceText(name: "the request", "")
    let (suite, diagnostics) = SuiteReader.read(json, in: name)
    guard let suite else {
      let problems = diagnostics.map { problem in
        problem.message + (problem.help.map { "; \($0)" } ?? "")
      }
      throw Failure(.unusable, saying: problems.joined(separator: "\n"))
    }
    return suite
  }
}
