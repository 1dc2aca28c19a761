import RulesEval
import RulesLang
import RulesReport

extension Rules {
  /// Decides a request. Throws if it is malformed, or needs something that is not supported.
  public func decide(_ request: Request) throws(Failure) -> Decision {
    var test = request.members
    test.append(JSON.Member("expect", value: JSON(.string("allow"))))
    let suite = try self.suite([JSON.Member("tests", value: JSON(.array([JSON(.object(test))])))])
    guard let scripted = suite.tests.first else {
      throw Failure(.unusable, saying: "the request cannot be understood")
    }
    let result = engine.run(
      scripted, documents: suite.documents, now: SystemClock.now, tracing: true)
    guard var decision = result.decision else {
      throw Failure(.unusable, saying: result.failures.joined(separator: "; "))
    }
    decision.notes += suite.warnings.map { warning in warning.message }
    let report = SimulationReport(test: scripted, decision: decision, rules: engine.rules)
    let picture = SimulationText(.plain, isQuiet: false, explainsAll: false).render(report)
    let deciding = decision.isAllowed ? decision.tried.last : nil
    return Decision(
      isAllowed: decision.isAllowed, line: deciding.map { engine.line(of: $0.allow) },
      hasErrors: decision.tried.contains { $0.isError }, description: picture)
  }

  /// Expects the rules to allow or deny a request; throws the explanation if they do not.
  ///
  /// Thrown from a test of Swift Testing or XCTest, the failure shows the values of the condition's parts,
  /// and begins with the place of the call.
  public func expect(
    _ expectation: Expectation, request: Request, file: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) {
    do throws(Failure) {
      let decision = try decide(request)
      if decision.isAllowed == (expectation == .allow) { return }
      let wanted = expectation == .allow ? "allow" : "deny"
      let found = decision.isAllowed ? "allow" : "deny"
      throw Failure(
        .unexpected, saying: "expected \(wanted), the rules \(found) it\n\(decision.description)")
    } catch {
      throw error.at(file, line)
    }
  }

  /// Reads a suite with these members and the stored documents.
  func suite(_ members: [JSON.Member]) throws(Failure) -> Suite {
    let stored = JSON.Member("documents", value: FieldValue.object(documents))
    let name = SourceText(name: "the request", "")
    let (suite, diagnostics) = SuiteReader.read(JSON(.object(members + [stored])), in: name)
    guard let suite else {
      let problems = diagnostics.map { problem in
        problem.message + (problem.help.map { "; \($0)" } ?? "")
      }
      throw Failure(.unusable, saying: problems.joined(separator: "\n"))
    }
    return suite
  }
}

// MARK: One request a call

extension Rules {
  /// Expects the rules to allow or deny a client to read a document.
  public func expect(
    _ expectation: Expectation, get path: String, as client: Client,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) {
    try expect(expectation, request: .get(path, as: client), file: file, line: line)
  }

  /// Expects the rules to allow or deny a client to query a collection.
  public func expect(
    _ expectation: Expectation, list collection: String, where filters: [Filter] = [],
    orderBy orders: [Order] = [], limit: Int? = nil, inGroup: Bool = false, as client: Client,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) {
    try expect(
      expectation,
      request: .list(
        collection, where: filters, orderBy: orders, limit: limit, inGroup: inGroup, as: client),
      file: file, line: line)
  }

  /// Expects the rules to allow or deny a client to create a document.
  public func expect(
    _ expectation: Expectation, create path: String, data: [String: FieldValue], as client: Client,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) {
    try expect(expectation, request: .create(path, data: data, as: client), file: file, line: line)
  }

  /// Expects the rules to allow or deny a client to set a document, whether it exists or not.
  public func expect(
    _ expectation: Expectation, set path: String, data: [String: FieldValue], merge: Bool = false,
    as client: Client,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) {
    try expect(
      expectation, request: .set(path, data: data, merge: merge, as: client), file: file, line: line
    )
  }

  /// Expects the rules to allow or deny a client to update an existing document.
  public func expect(
    _ expectation: Expectation, update path: String, data: [String: FieldValue], as client: Client,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) {
    try expect(expectation, request: .update(path, data: data, as: client), file: file, line: line)
  }

  /// Expects the rules to allow or deny a client to delete a document.
  public func expect(
    _ expectation: Expectation, delete path: String, as client: Client,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) {
    try expect(expectation, request: .delete(path, as: client), file: file, line: line)
  }

  /// Expects the rules to allow or deny a client to commit writes together.
  public func expect(
    _ expectation: Expectation, batch writes: [Write], as client: Client,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) {
    try expect(expectation, request: .batch(writes, as: client), file: file, line: line)
  }
}
