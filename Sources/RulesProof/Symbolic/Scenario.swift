import RulesEval
import RulesLang

/// A kind of request: the method, the length of the path and, for a list, the kind of query.
///
/// A question is asked for one scenario after the other; within one, all requests of the kind are
/// considered at once. Docs/Proofs.md numbers what is assumed of requests.
struct Scenario: Hashable {
  /// How a document is reached.
  enum Access: Hashable {
    /// By its path.
    case document
    /// By a query of its collection.
    case query
    /// By a query whose filters name the document.
    case namedQuery
    /// By a query of the collection group, below the first so many segments.
    case group(below: Int)
  }

  /// The method.
  var method: Method
  /// How the document is reached.
  var access: Access
  /// The segments of the document's path: texts, or nil where any text may stand.
  var path: [Text?]
  /// Whether it stands for all longer paths, too. Which statements are for them does not depend on the
  /// length, and conditions cannot either, for here nothing is known of a path but its ends.
  var isOpen = false
}

/// The terms of a scenario.
struct ScenarioTerms {
  /// The kind of request.
  let scenario: Scenario
  /// The segments of the path.
  let segments: [TermID]
  /// `request.auth.uid`.
  let uid: TermID
  /// `request.auth.token`.
  let token: TermID
  /// Whether nobody is signed in.
  let signedOut: Ref
  /// The data of the document before the request.
  let before: TermID
  /// Whether the document is stored before the request.
  let isStored: Ref
  /// The data of the document after the request.
  let after: TermID
  /// Whether there is a document after the request.
  let isWritten: Ref
  /// What the filters of a query promise.
  let promise: TermID
  /// `request.time`.
  let time: TermID
  /// Which write of the commit it is; 0 for the one that is asked about.
  let number: Int

  /// Types that the fields of stored documents have.
  static let storable: TypeSet = [
    .null, .bool, .int, .float, .string, .bytes, .timestamp, .list, .map, .latlng, .path, .vector,
  ]
  /// Types that the claims of a token have.
  static let claims: TypeSet = [.null, .bool, .int, .float, .string, .list, .map]

  /// Makes the terms, and states what is assumed of them.
  init(_ scenario: Scenario, _ problem: inout Problem) {
    self.scenario = scenario
    number = 0
    segments = Self.segments(scenario, &problem)
    uid = problem.terms.variable(.uid, .string)
    token = problem.terms.variable(.token, .map)
    time = problem.terms.variable(.time, .timestamp)
    before = problem.terms.variable(.before, .map)
    after = problem.terms.variable(.after, .map)
    promise = problem.terms.variable(.promise, .map)
    signedOut = problem.flag(.signedOut)
    switch scenario.method {
    case .create: isStored = .no
    case .update, .list: isStored = .yes
    case .get, .delete: isStored = problem.flag(.stored)
    }
    isWritten = scenario.method == .create || scenario.method == .update ? .yes : .no
    assumeToken(&problem)
  }

  /// Makes the terms of another write of the same commit, of a document that is stored before or not.
  init(
    _ method: Method, _ segments: [TermID], before: TermID?, after: TermID, number: Int,
    with home: ScenarioTerms, _ terms: TermTable
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

  private static func segments(_ scenario: Scenario, _ problem: inout Problem) -> [TermID] {
    var segments: [TermID] = []
    for (place, text) in scenario.path.enumerated() {
      if let text {
        segments.append(problem.text(text))
      } else {
        let segment = problem.terms.variable(.segment(place), .string)
        problem.require(problem.isSegment(segment))
        segments.append(segment)
      }
    }
    return segments
  }

  /// Every ID token says who it is for, and how the user signed in (Docs/Proofs.md, assumption 3).
  private func assumeToken(_ problem: inout Problem) {
    problem.require(!problem.same(uid, problem.text(Text())))
    for name in ["sub", "user_id"] as [Text] {
      let key = problem.text(name)
      problem.require(problem.has(token, key))
      problem.require(problem.same(problem.field(token, key, Self.claims), uid))
    }
    let firebase = problem.field(token, problem.text("firebase"), Self.claims)
    problem.require(problem.has(token, problem.text("firebase")))
    problem.require(problem.isType(firebase, .map))
    let provider = problem.text("sign_in_provider")
    problem.require(problem.has(firebase, provider))
    problem.require(problem.isType(problem.field(firebase, provider, Self.claims), .string))
  }
}

extension Problem {
  /// A string can be a segment of a document's path: it is not empty and has no slash.
  mutating func isSegment(_ term: TermID) -> Ref {
    if case .string(let text) = terms.value(of: term) {
      return text.isEmpty || text.bytes.contains(UInt8(ascii: "/")) ? .no : .yes
    }
    return patterns.addSegment().map { graph.atom(.matches(term, $0)) } ?? .yes
  }

  /// Whether a text is a pattern, and larger than what is modelled.
  mutating func isTooLarge(pattern source: Text) -> Bool {
    budget?.charge(1000 + 200 * source.bytes.count)
    return patterns.isTooLarge(source)
  }

  /// A term is a string that a pattern matches; nil if the pattern cannot be reasoned about.
  mutating func matches(_ term: TermID, _ source: Text) -> Ref? {
    // A pattern takes from ten microseconds to ten milliseconds, and is compiled for each question.
    budget?.charge(1000 + 200 * source.bytes.count)
    guard let pattern = patterns.add(source) else { return nil }
    if let value = terms.value(of: term) {
      guard case .string(let text) = value else { return .no }
      return patterns.matches(pattern, text) ? .yes : .no
    }
    guard patterns.machine(pattern) != nil else { return nil }
    return graph.atom(.matches(term, pattern))
  }
}
