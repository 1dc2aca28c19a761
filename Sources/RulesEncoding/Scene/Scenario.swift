import RulesEval
package import RulesLang
package import RulesSolver

/// A kind of request: the method, the length of the path and, for a list, the kind of query.
///
/// The prover decides one scenario after the other; one query covers all requests of a scenario.
/// Docs/Proofs.md numbers the assumptions about requests.
package struct Scenario: Hashable {
  /// The way in which a request reaches a document.
  package enum Access: Hashable {
    /// By the document's path.
    case document
    /// By a query of the document's collection.
    case query
    /// By a query whose filters name the document.
    case namedQuery
    /// By a query of the collection group below an ancestor of `below` segments.
    case group(below: Int)

    /// True if the document is reached by a query of the collection group that does not name it.
    package var isGroup: Bool {
      if case .group = self { return true }
      return false
    }
  }

  /// The method.
  package var method: Method
  /// The way in which the request reaches the document.
  package var access: Access
  /// The segments of the document's path; nil for a segment that may be any text.
  package var path: [Text?]
  /// True if the scenario also represents all longer paths. Which statements match does not depend on the
  /// length, and neither does any condition, because only the ends of the path are known.
  package var isOpen = false

  /// Creates a scenario.
  package init(method: Method, access: Access, path: [Text?], isOpen: Bool = false) {
    self.method = method
    self.access = access
    self.path = path
    self.isOpen = isOpen
  }
}

/// The terms of a scenario.
package struct ScenarioTerms {
  /// The kind of request.
  package let scenario: Scenario
  /// The segments of the path.
  package let segments: [TermID]
  /// `request.auth.uid`.
  package let uid: TermID
  /// `request.auth.token`.
  package let token: TermID
  /// True if the client is signed out.
  package let signedOut: Ref
  /// The data of the document before the request.
  package let before: TermID
  /// True if the document is stored before the request.
  package let isStored: Ref
  /// The data of the document after the request.
  package let after: TermID
  /// True if the document is stored after the request.
  package let isWritten: Ref
  /// The data that the filters of a query promise.
  package let promise: TermID
  /// `request.time`.
  package let time: TermID
  /// The number of the write within its commit; 0 for the write that is decided.
  package let number: Int

  /// Creates the terms of a scenario and states the assumptions about them.
  package init(of scenario: Scenario, in problem: inout Problem) {
    self.scenario = scenario
    number = 0
    segments = Self.segments(of: scenario, in: &problem)
    uid = problem.terms.variable(.uid, types: .string)
    token = problem.terms.variable(.token, types: .map)
    time = problem.terms.variable(.time, types: .timestamp)
    before = problem.terms.variable(.before, types: .map)
    after = problem.terms.variable(.after, types: .map)
    promise = problem.terms.variable(.promise, types: .map)
    signedOut = problem.flag(.signedOut)
    switch scenario.method {
    case .create: isStored = .no
    case .update, .list: isStored = .yes
    case .get, .delete: isStored = problem.flag(.stored)
    }
    isWritten = scenario.method == .create || scenario.method == .update ? .yes : .no
    assumeToken(&problem)
  }

  /// Creates the terms of another write of the same commit. `before` is nil if the document is not stored.
  package init(
    _ method: Method, segments: [TermID], before: TermID?, after: TermID, number: Int,
    with home: ScenarioTerms, terms: TermTable
  ) {
    scenario = Scenario(
      method: method, access: .document,
      path: segments.map { segment in
        if case .string(let text) = terms.value(of: segment) { return text }
        return nil
      })
    self.segments = segments
    self.number = number
    (self.before, self.after) = (before ?? home.before, after)
    (uid, token, signedOut) = (home.uid, home.token, home.signedOut)
    (time, promise) = (home.time, home.promise)
    isStored = before == nil ? .no : .yes
    isWritten = method == .delete ? .no : .yes
  }

  private static func segments(of scenario: Scenario, in problem: inout Problem) -> [TermID] {
    var segments: [TermID] = []
    for (place, text) in scenario.path.enumerated() {
      if let text {
        segments.append(problem.text(text))
      } else {
        let segment = problem.terms.variable(.segment(place), types: .string)
        problem.require(problem.isSegment(segment))
        segments.append(segment)
      }
    }
    return segments
  }

  /// Requires that the ID token names its user, whose ID is not empty, and the sign-in provider
  /// (Docs/Proofs.md, assumption 3).
  private func assumeToken(_ problem: inout Problem) {
    problem.require(!problem.same(uid, problem.text(Text())))
    for name in ["sub", "user_id"] as [Text] {
      let key = problem.text(name)
      problem.require(problem.has(token, key: key))
      problem.require(
        problem.same(problem.field(of: token, at: key, types: RequestVariable.claims), uid))
    }
    let firebase = problem.field(
      of: token, at: problem.text("firebase"), types: RequestVariable.claims)
    problem.require(problem.has(token, key: problem.text("firebase")))
    problem.require(problem.isType(of: firebase, in: .map))
    let provider = problem.text("sign_in_provider")
    problem.require(problem.has(firebase, key: provider))
    problem.require(
      problem.isType(
        of: problem.field(of: firebase, at: provider, types: RequestVariable.claims), in: .string))
  }
}
