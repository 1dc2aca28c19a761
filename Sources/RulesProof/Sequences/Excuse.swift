import RulesEval
import RulesLang
import RulesSolver

/// Why a client that makes a condition true need not have found a hole.
enum Excuse {
  /// It takes what was nobody's.
  case free
  /// It only does something to what is its own.
  case own
  /// What it may read then is not there.
  case missing
  /// It adds itself to a list, from which it cannot remove others.
  case joining
  /// Anybody may do the same then: the condition is about data, not about who asks.
  case anybody
  /// The client only reaches what belongs to a document of its own making.
  case made
  /// The client needs to be named by these fields of the document in question, or of one above it.
  case named([Text])
  /// The client needs claims that only the server sets, and that the last request does not require.
  case trusted([Text])

  /// The severity of the finding for who only asks for mistakes; nil if it is not worth telling.
  var severity: Diagnostic.Severity? {
    switch self {
    case .free, .own, .joining, .anybody, .made: .info
    case .named: .warning
    case .missing, .trusted: nil
    }
  }

  /// The end of the sentence about the requests.
  var sentence: String {
    switch self {
    case .free: "nobody had it before"
    case .own: "all of it is its own"
    case .missing: "it is not there"
    case .joining: "it joins, and can put nobody out"
    case .anybody: "anybody may then"
    case .made: "it belongs to what it creates itself"
    case .named(let fields):
      "only the client that \(fields.map { "`\(String($0))`" }.joined(separator: " or ")) of that document "
        + "names can"
    case .trusted(let claims):
      "only who has \(claims.map { "token." + String($0) }.joined(separator: ", ")) can, which only the "
        + "server sets"
    }
  }

  /// The excuse for a sequence; nil if there is none.
  init?(_ found: Counterexample, by engine: Engine, within budget: Budget) {
    guard let step = found.steps.first else { return nil }
    if found.readsNothing(by: engine, within: budget) {
      self = .missing
    } else if let claims = found.trustedClaims(by: engine, within: budget) {
      self = .trusted(claims)
    } else if step.takesWhatIsFree, step.document == found.document,
      !found.isSomebodyElses(by: engine, within: budget)
    {
      self = .free
    } else if found.isAboutWhatItMade {
      self = .made
    } else if found.isAboutItsOwn {
      self = .own
    } else if let fields = found.namingFields(by: engine, within: budget) {
      self = .named(fields)
    } else if let crowded = step.intrusion {
      let decision = engine.decide(crowded.request, on: crowded.documents, within: budget)
      guard let decision, !decision.isAllowed else { return nil }
      self = .joining
    } else if !found.document.segments.starts(with: step.document.segments),
      let other = found.request.bySomebodyElse,
      engine.decide(other, on: found.documents, within: budget)?.isAllowed == true
    {
      self = .anybody
    } else {
      return nil
    }
  }
}

extension Counterexample {
  /// The client's user ID.
  private var uid: Text? {
    guard let principal = request.principal, case .string(let uid) = principal.uid else {
      return nil
    }
    return uid
  }

  /// Whether the document and that of the first request are below the same one that has the client's user
  /// ID.
  var isAboutItsOwn: Bool {
    guard let uid, let first = steps.first?.document.segments else { return false }
    let last = document.segments
    return first.count > 1 && last.count > 1 && first[1] == uid && last[0] == first[0]
      && last[1] == uid
  }

  /// Returns the fields that name the client in the document of the first request, which the last one is
  /// about or below, if the first one is denied where they name somebody else; nil otherwise.
  fileprivate func namingFields(by engine: Engine, within budget: Budget) -> [Text]? {
    guard let uid, steps.count == 1, let step = steps.first,
      document.segments.starts(with: step.document.segments),
      step.method == .update || step.method == .delete, var data = step.documents[document]
    else { return nil }
    let fields = data.filter { Value.areIdentical($0.1, .string(uid)) }.map { $0.0 }
    if fields.isEmpty { return nil }
    for field in fields { data[field] = .string("somebody") }
    var documents = step.documents
    documents[document] = data
    let decision = engine.decide(step.request, on: documents, within: budget)
    return decision?.isAllowed == false ? fields : nil
  }

  /// Whether it reads a document that is not there, and could not if it were.
  fileprivate func readsNothing(by engine: Engine, within budget: Budget) -> Bool {
    guard method == .get, documents[document] == nil else { return false }
    if steps.contains(where: { $0.document == document && $0.method == .delete }) { return true }
    var documents = documents
    documents[document] = MapValue()
    return engine.decide(request, on: documents, within: budget)?.isAllowed != true
  }

  /// True if somebody whom the document names may make the last request before the first one.
  fileprivate func isSomebodyElses(by engine: Engine, within budget: Budget) -> Bool {
    guard let before = steps.first?.documents, let data = before[document] else { return false }
    let names = Value.map(data).texts.filter { $0 != uid && !$0.isEmpty }
    return names.prefix(Self.greatestNames).contains { name in
      var other = request
      other.principal = Principal(uid: name)
      return engine.decide(other, on: before, within: budget)?.isAllowed == true
    }
  }

  /// Maximum fields of a document that are tried: counterexamples are shrunk to the few that matter.
  private static let greatestNames = 20

  /// The claims of its client that only the server sets, if the first request needs them and the last one
  /// does not.
  fileprivate func trustedClaims(by engine: Engine, within budget: Budget) -> [Text]? {
    guard let step = steps.first, let principal = step.request.principal,
      case .string(let uid) = principal.uid
    else { return nil }
    let custom = principal.token.filter {
      Record.token.member($0.0) == nil && Principal(uid: uid).token[$0.0] == nil
    }
    if custom.isEmpty { return nil }
    let names = custom.map { $0.0 }
    let plain = Principal(
      uid: uid, claims: MapValue(principal.token.filter { !names.contains($0.0) }))
    var (first, last) = (step.request, request)
    (first.principal, last.principal) = (plain, plain)
    guard let early = engine.decide(first, on: step.documents, within: budget), !early.isAllowed,
      let late = engine.decide(last, on: documents, within: budget), late.isAllowed
    else { return nil }
    return names
  }

  /// True if the first request creates a document with fields of its own, whose name is in the path of the
  /// last one and is not the client's.
  fileprivate var isAboutWhatItMade: Bool {
    guard let step = steps.first, step.method == .create, !step.fields.isEmpty,
      !document.segments.starts(with: step.document.segments)
    else { return false }
    let names = step.document.segments.enumerated().filter { !$0.offset.isMultiple(of: 2) }
    return names.allSatisfy { $0.element != uid && document.segments.contains($0.element) }
  }

  /// Whether the request only sets what was not set.
  fileprivate var takesWhatIsFree: Bool {
    guard let before = documents[document] else { return false }
    return fields.allSatisfy { field in before[field].map { Value.areIdentical($0, .null) } ?? true
    }
  }

  /// Of a request that puts its client into a list: the same that removes somebody else from it.
  fileprivate var intrusion: (request: Request, documents: Documents)? {
    guard let uid, method == .update, fields.count == 1, let field = fields.first,
      var before = documents[document], case .commit(let writes) = request.operation
    else { return nil }
    var left = documents
    guard left.commit(writes, at: request.time) == nil, var after = left[document],
      case .list(let members)? = after[field],
      members.contains(where: { Value.areIdentical($0, .string(uid)) })
    else { return nil }
    if let old = before[field] {
      guard case .list = old else { return nil }
    }
    before[field] = .list([.string("somebody")])
    after[field] = .list([.string(uid)])
    var documents = documents
    documents[document] = before
    let write = Write(to: document, .set(after, mask: nil), precondition: .exists)
    let request = Request(
      principal: request.principal, time: request.time, operation: .commit([write]))
    return (request, documents)
  }
}

extension Request {
  /// The same by another client, who says that it is this one; nil if nobody is signed in.
  fileprivate var bySomebodyElse: Request? {
    guard let principal, case .string(let uid) = principal.uid else { return nil }
    return naming("somebody", insteadOf: uid)
  }

  /// Returns the request with one user ID replaced by another, in the written data and as the client's own.
  func naming(_ other: Text, insteadOf uid: Text) -> Request {
    var changed = operation
    if case .commit(let writes) = operation {
      changed = .commit(
        writes.map { write in
          guard case .set(let data, let mask) = write.change else { return write }
          var write = write
          write.change = .set(data.replacing(uid, with: other), mask: mask)
          return write
        })
    }
    var principal = principal
    if case .string(let own)? = principal?.uid, own == uid { principal = Principal(uid: other) }
    return Request(principal: principal, time: time, operation: changed)
  }
}

extension MapValue {
  fileprivate func replacing(_ uid: Text, with other: Text) -> MapValue {
    MapValue(map { ($0.0 == uid ? other : $0.0, $0.1.replacing(uid, with: other)) })
  }
}

extension Value {
  fileprivate func replacing(_ uid: Text, with other: Text) -> Value {
    switch self {
    case .string(let text): text == uid ? .string(other) : self
    case .list(let elements): .list(elements.map { $0.replacing(uid, with: other) })
    case .map(let map): .map(map.replacing(uid, with: other))
    case .null, .bool, .int, .float, .bytes, .set, .timestamp, .duration, .latlng, .path, .mapDiff,
      .vector, .constraint:
      self
    }
  }
}
