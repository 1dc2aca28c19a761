import RulesEval
import RulesLang

/// The subject of conditions: a document before and after a write, or a read of it.
struct Scene {
  /// The method.
  let method: Method
  /// The segments of the document's path.
  let segments: [Term]
  /// The document's data before and after the request.
  let before, after: Term
  /// The propositions that the document is stored before the request, and after a write.
  let isStored, isWritten: Prop
  /// The number of the write in its commit; 0 for the request that the claim is about.
  let number: Int

  /// Creates the request of a kind, and adds the axioms about all requests (Docs/Proofs.md §3).
  init(_ kind: RequestKind, in question: inout Question) {
    (method, number) = (kind.method, 0)
    var segments: [Term] = []
    for (place, text) in kind.path.enumerated() {
      let segment =
        text.map { question.text($0) } ?? question.unknown(.segment(place), of: .string)
      segments.append(segment)
      question.require(question.isSegment(segment))
    }
    self.segments = segments
    before = question.unknown(.before, of: .map)
    after = question.unknown(.after, of: .map)
    switch kind.method {
    case .create: isStored = .no
    case .update, .list: isStored = .yes
    case .get, .delete:
      isStored = question.same(question.unknown(.stored, of: .bool), question.yes)
    }
    isWritten = kind.method == .create || kind.method == .update ? .yes : .no
    Self.assumeToken(&question)
  }

  /// Creates another write of the same commit.
  init(_ method: Method, at segments: [Term], before: Term, after: Term, number: Int) {
    (self.method, self.segments, self.number) = (method, segments, number)
    (self.before, self.after) = (before, after)
    isStored = method == .create ? .no : .yes
    isWritten = method == .delete ? .no : .yes
  }

  /// Adds the axioms about ID tokens: user ID and sign-in provider are present.
  private static func assumeToken(_ question: inout Question) {
    let (uid, token) = (question.unknown(.uid, of: .string), question.unknown(.token, of: .map))
    question.require(!question.same(uid, question.text(Text())))
    func field(of map: Term, named name: Text) -> Term {
      let key = question.text(name)
      question.require(question.holds(.has, of: [map, key]))
      return question.apply(.field, to: [map, key])
    }
    for name in ["sub", "user_id"] as [Text] {
      question.require(question.same(field(of: token, named: name), uid))
    }
    let firebase = field(of: token, named: "firebase")
    question.require(question.isType(of: firebase, in: .map))
    question.require(
      question.isType(of: field(of: firebase, named: "sign_in_provider"), in: .string))
  }
}

extension Question {
  /// Returns "the string is a legal path segment": not empty, no slash.
  mutating func isSegment(_ term: Term) -> Prop { matches(term, pattern: "[^/]+") ?? .yes }
}

extension Encoder {
  func variable(_ id: ExprID, in frame: Frame) -> Cases {
    switch rules.binding(id) {
    case .local(let slot): frame.locals[Int(slot)]
    case .capture(let slot): frame.captures[Int(slot)]
    case .request: Cases(wholeRequest)
    case .resource: resource(frame)
    case .none, .unknownVariable, .function, .builtin, .unknownFunction: .error
    }
  }

  /// `request`, an unknown map; `special(of:named:)` interprets its members.
  private var wholeRequest: Term { question.unknown(.request(scene.number), of: .map) }

  /// `request.query`, an unknown map; `special(of:named:)` interprets its members.
  private var wholeQuery: Term { question.unknown(.query, of: .map) }

  /// Returns `resource`: the stored document or null. In a query, rules see the filters' promise
  /// and claims see the document.
  private func resource(_ frame: Frame) -> Cases {
    switch kind.access {
    case .document, .namedQuery:
      let stored = document(scene.before)
      if !rules.profile.hasMissingResource { return stored }
      return stored + Cases(question.null, when: !scene.isStored)
    case .query, .group:
      if frame.seesDocument { return document(scene.before) }
      // Members of a query's `resource` other than `data` are uninterpreted.
      return Cases(question.unknown(.request(-1), of: .map))
    }
  }

  private func document(_ data: Term) -> Cases {
    let whole = question.apply(
      .record(["data", "id", "__name__"]),
      to: [data, scene.segments[scene.segments.count - 1], part(0..<length)])
    return Cases(whole, when: data == scene.before ? scene.isStored : scene.isWritten)
  }

  /// The length of the document's path including the database root.
  private var length: Int { DatabaseName.rootCount + scene.segments.count }

  /// Returns a member of `request`, `request.query` or a query's `resource`; nil if the member is
  /// treated like that of any other map.
  func special(of term: Term, named name: Text) -> Cases? {
    if term == wholeRequest { return member(ofRequest: name) }
    if term == wholeQuery { return member(ofQuery: name) }
    if question[term] == .unknown(.request(-1)), name == "data" {
      // A query of a collection group below a document fails if it has filters.
      if case .group(let below) = kind.access, below > 0 {
        return Cases(question.constant(.map(MapValue())))
      }
      return Cases(question.unknown(.promise, of: .map))
    }
    return nil
  }

  private func member(ofRequest name: Text) -> Cases? {
    switch name {
    case "auth":
      let signedOut = question.same(question.unknown(.signedOut, of: .bool), question.yes)
      let auth = question.apply(
        .record(["uid", "token"]),
        to: [question.unknown(.uid, of: .string), question.unknown(.token, of: .map)])
      return Cases(question.null, when: signedOut) + Cases(auth, when: !signedOut)
    case "method": return Cases(question.text(Text(scene.method.word)))
    case "time": return Cases(question.unknown(.time, of: .timestamp))
    case "resource":
      if !scene.method.isWrite { return .error }
      return document(scene.after) + Cases(question.null, when: !scene.isWritten)
    case "path":
      switch kind.access {
      case .document: return Cases(part(0..<length))
      case .query: return Cases(part(0..<(length - 1)))
      case .namedQuery, .group: return nil
      }
    case "query": return scene.method == .list ? Cases(wholeQuery) : nil
    default: return nil
    }
  }

  /// Returns a member of `request.query`. `limit` may be null; `offset` defaults to 0.
  private func member(ofQuery name: Text) -> Cases? {
    switch name {
    case "limit": return Cases(question.unknown(.limit, of: [.null, .int]))
    case "offset":
      let offset = question.unknown(.offset, of: .int)
      question.require(!question.most(offset, on: .int, bound: -1))
      return Cases(offset)
    default: return nil
    }
  }
}
