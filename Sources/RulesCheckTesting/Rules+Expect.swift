public import RulesCheck

extension Rules {
  /// Expects the rules to allow or deny a request. If they do not, records an issue at the line of the call,
  /// and the test goes on.
  ///
  /// ```swift
  /// rules.expect(.deny, .update("/users/alice", data: ["fcmToken": token], as: "mallory"))
  /// ```
  public func expect(
    _ expectation: Expectation, _ request: Request, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    IssueRecorder.record(at: place) { () throws(Failure) in try check(expectation, request) }
  }

  /// Expects the rules to allow or deny requests one after the other, of which each finds the documents that
  /// the allowed writes before it left. Records an issue at the line of each step that is decided otherwise.
  ///
  /// ```swift
  /// rules.expect(steps: [
  ///   .deny(.update("/users/mallory", data: ["role": "admin"], as: "mallory")),
  ///   .deny(.get("/admin/page", as: "mallory")),
  /// ])
  /// ```
  public func expect(
    steps: [Step], fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    IssueRecorder.record(at: place) { () throws(Failure) in
      for (step, failure) in try failures(of: steps) {
        IssueRecorder.record(failure, at: step.place)
      }
    }
  }

  /// Expects a verdict on a claim about all requests. If it is another one, records an issue at the line of
  /// the call, with the request that violates the claim or the reason why the prover stopped.
  ///
  /// ```swift
  /// rules.expect(.proved, .only(if: "request.auth.uid == uid", on: "/users/{uid}", methods: [.write]))
  /// ```
  public func expect(
    _ outcome: Verdict.Outcome, _ claim: Claim, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    IssueRecorder.record(at: place) { () throws(Failure) in try check(outcome, claim) }
  }
}
