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

  /// The end of the sentence about the requests.
  var sentence: String {
    switch self {
    case .free: "nobody had it before"
    case .own: "all of it is its own"
    case .missing: "it is not there"
    case .joining: "it joins, and can put nobody out"
    case .anybody: "anybody may then"
    }
  }

  /// The excuse for a sequence; nil if there is none.
  init?(_ found: Counterexample, by engine: Engine, within budget: Budget) {
    guard let step = found.steps.first else { return nil }
    if found.readsNothing(by: engine, within: budget) {
      self = .missing
    } else if step.takesWhatIsFree, step.document == found.document {
      self = .free
    } else if found.isAboutItsOwn {
      self = .own
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

  /// Whether it reads a document that is not there, and could not if it were.
  fileprivate func readsNothing(by engine: Engine, within budget: Budget) -> Bool {
    guard method == .get, documents[document] == nil else { return false }
    if steps.contains(where: { $0.document == document && $0.method == .delete }) { return true }
    var documents = documents
    documents[document] = MapValue()
    return engine.decide(request, on: documents, within: budget)?.isAllowed != true
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
    let other = Text("somebody")
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
    return Request(principal: Principal(uid: other), time: time, operation: changed)
  }
}

extension MapValue {
  fileprivate func replacing(_ uid: Text, with other: Text) -> MapValue {
    MapValue(map { ($0.0, $0.1.replacing(uid, with: other)) })
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
