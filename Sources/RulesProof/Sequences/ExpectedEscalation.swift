import RulesEval
import RulesLang
import RulesSolver

/// The reason why making a condition true may be intended.
enum ExpectedEscalation {
  /// The client takes what was nobody's.
  case free
  /// The client only acts on its own documents.
  case own
  /// The read document does not exist.
  case missing
  /// The client could get the document before; now a query returns it, too.
  case had
  /// The client adds itself to a list. This request cannot remove others; a later one possibly can.
  case joining(removingLater: Bool)
  /// Any other client may do likewise afterwards: the condition depends on data, not on the client.
  case anybody
  /// The client only creates what belongs to a document that it created itself.
  case made
  /// The last document refers to one that the client created itself.
  case beside
  /// Only the client that these fields name can do it: fields of the requested document, of one
  /// above it, or of one that it refers to.
  case named([Field], Deed)
  /// The client needs server-set claims that the last request does not require.
  case trusted([Text])

  /// A field that names a client.
  struct Field {
    /// The name.
    var name: Text
    /// True if the field equals the client's user ID, false if it is a list or map that contains
    /// it.
    var isAlone: Bool
  }

  /// The access that a client gains with a document that names it.
  enum Deed {
    /// The client makes the document public.
    case publishes
    /// The client deletes the document and creates it again.
    case creates
    /// The client lets somebody in, or reads its own data.
    case shares
    /// Any other access.
    case other
  }

  /// The severity of the diagnostic; nil if it is not worth one.
  var severity: Diagnostic.Severity? {
    switch self {
    case .free, .own, .joining, .anybody, .made, .beside, .named(_, .shares): .info
    case .named(_, .other): .warning
    case .missing, .had, .trusted, .named(_, .publishes), .named(_, .creates): nil
    }
  }

  /// The end of the sentence about the requests.
  var sentence: String {
    switch self {
    case .free: "nobody had this access before"
    case .own: "all of these documents belong to the client"
    case .missing: "the document does not exist"
    case .had: "the client could get the document before"
    case .joining(removingLater: false): "the client joins, and cannot remove others"
    case .joining(removingLater: true): "the client joins, and can then remove others"
    case .anybody: "then anyone may"
    case .made: "the last document belongs to one that the client creates itself"
    case .beside: "the last document refers to the one that the client creates itself"
    case .named(let fields, _):
      "only the client that \(fields.map { "`\(String($0.name))`" }.joined(separator: " or ")) of that document "
        + "names can"
    case .trusted(let claims):
      "only clients with \(claims.map { "token." + String($0) }.joined(separator: ", ")) can, "
        + "which only the server sets"
    }
  }

  /// Returns the excuse for a sequence, or nil.
  init?(_ found: Counterexample, by engine: Engine, within budget: Budget) {
    guard let step = found.steps.first else { return nil }
    if found.readsNothing(by: engine, within: budget) {
      self = .missing
    } else if found.couldGetBefore(by: engine, within: budget) {
      self = .had
    } else if let claims = found.trustedClaims(by: engine, within: budget) {
      self = .trusted(claims)
    } else if step.takesWhatIsFree, step.document == found.document,
      !found.isSomebodyElses(by: engine, within: budget)
    {
      self = .free
    } else if !step.fields.isEmpty, found.createsBelowWhatItMade {
      self = .made
    } else if found.isBesideWhatItMade {
      self = .beside
    } else if found.isAboutItsOwn {
      self = .own
    } else if let fields = found.namingFields(by: engine, within: budget) {
      // A client named in a list or map is one of many, so everything that it gains counts, unless
      // it may change the whole document anyway.
      guard
        fields.contains(where: { $0.isAlone })
          || step.changesAnything(by: engine, within: budget)
      else { return nil }
      self = .named(fields, found.deedOfNamed(by: engine, within: budget))
    } else if let field = step.intrusion, !step.isAboutSomebodysOwn(by: engine, within: budget) {
      guard let crowded = step.removal(from: field, of: step.documents, withItself: false),
        let decision = engine.decide(crowded.request, on: crowded.documents, within: budget),
        !decision.isAllowed
      else { return nil }
      let later = step.removal(from: field, of: found.documents, withItself: true)
      let removes = later.flatMap { engine.decide($0.request, on: $0.documents, within: budget) }
      self = .joining(removingLater: removes?.isAllowed != false)
    } else if !found.document.segments.starts(with: step.document.segments),
      let other = found.request.bySomebodyElse,
      engine.decide(other, on: found.documents, within: budget)?.isAllowed == true
    {
      self = .anybody
    } else if found.createsBelowWhatItMade {
      self = .made
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

  /// True if this document and that of the first request are, or are below, one document named by the
  /// client's user ID.
  var isAboutItsOwn: Bool {
    guard let uid, let first = steps.first?.document.segments else { return false }
    let last = document.segments
    return first.count > 1 && last.count > 1 && first[1] == uid && last[0] == first[0]
      && last[1] == uid
  }

  /// Returns the fields that name the client in the first request's document, if the first request
  /// is denied when they name somebody else, and the last document is this one, below it or refers
  /// to it; else nil.
  fileprivate func namingFields(by engine: Engine, within budget: Budget) -> [ExpectedEscalation
    .Field]?
  {
    guard let uid, steps.count == 1, let step = steps.first,
      document.segments.starts(with: step.document.segments) || refersToFirst,
      step.method == .update || step.method == .delete, var data = step.documents[step.document]
    else { return nil }
    let fields = data.compactMap { name, value -> ExpectedEscalation.Field? in
      guard value.names(uid) else { return nil }
      return ExpectedEscalation.Field(name: name, isAlone: Value.areIdentical(value, .string(uid)))
    }
    if fields.isEmpty { return nil }
    for field in fields {
      data[field.name] = data[field.name]?.replacing(uid, with: Self.somebody)
    }
    var documents = step.documents
    documents[step.document] = data
    let decision = engine.decide(step.request, on: documents, within: budget)
    return decision?.isAllowed == false ? fields : nil
  }

  /// A user ID that occurs in no counterexample.
  fileprivate static let somebody: Text = "somebody"

  /// True if the client may set an arbitrary field of the document.
  fileprivate func changesAnything(by engine: Engine, within budget: Budget) -> Bool {
    let field: Text = "somethingElse"
    let write = Write(
      to: document, .set(MapValue([(field, .bool(true))]), mask: [FieldPath([field])]),
      precondition: .exists)
    let other = Request(
      principal: request.principal, time: request.time, operation: .commit([write]))
    return engine.decide(other, on: documents, within: budget)?.isAllowed == true
  }

  /// Returns the access that a client named by the first request's document gains.
  fileprivate func deedOfNamed(by engine: Engine, within budget: Budget) -> ExpectedEscalation.Deed
  {
    guard let step = steps.first else { return .other }
    if step.method == .delete {
      return method == .create && document == step.document ? .creates : .other
    }
    let isRead = method == .get || method == .list
    let isAnybodys =
      request.bySomebodyElse.map {
        engine.decide($0, on: documents, within: budget)?.isAllowed == true
      } ?? false
    if isRead { return isAnybodys ? .publishes : .shares }
    return isAnybodys || step.namesClient ? .shares : .other
  }

  /// True if the request reads a missing document and could not if it existed, or one that the client
  /// deleted.
  fileprivate func readsNothing(by engine: Engine, within budget: Budget) -> Bool {
    guard method == .get, documents[document] == nil else { return false }
    if steps.contains(where: { $0.document == document && $0.method == .delete }) { return true }
    var documents = documents
    documents[document] = MapValue()
    return engine.decide(request, on: documents, within: budget)?.isAllowed != true
  }

  /// True if the request queries for a document that its client could get before the first request.
  fileprivate func couldGetBefore(by engine: Engine, within budget: Budget) -> Bool {
    guard method == .list, let before = steps.first?.documents, before[document] != nil else {
      return false
    }
    let get = Request(
      principal: request.principal, time: request.time, operation: .get([document]))
    return engine.decide(get, on: before, within: budget)?.isAllowed == true
  }

  /// True if somebody named by the document could make the last request before the first one.
  fileprivate func isSomebodyElses(by engine: Engine, within budget: Budget) -> Bool {
    guard let before = steps.first?.documents, let data = before[document] else { return false }
    let names = Value.map(data).texts.filter { $0 != uid && !$0.isEmpty }
    return names.contains { name in
      var other = request
      other.principal = Principal(uid: name)
      return engine.decide(other, on: before, within: budget)?.isAllowed == true
    }
  }

  /// Returns the server-set claims of the client, if the first request needs them and the last one
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

  /// True if the last request creates a document that refers to one created by the first request.
  fileprivate var createsBelowWhatItMade: Bool {
    steps.first?.method == .create && method == .create && refersToFirst
  }

  /// True if an existing document refers to one that the first request creates with fields.
  fileprivate var isBesideWhatItMade: Bool {
    guard let step = steps.first else { return false }
    return step.method == .create && method != .create && !step.fields.isEmpty && refersToFirst
  }

  /// True if the last document is not below the first one, but mentions the first one's ID (not the
  /// client's) in its path or data.
  private var refersToFirst: Bool {
    guard let first = steps.first?.document.segments, !document.segments.starts(with: first) else {
      return false
    }
    let names = first.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { $0.element }
    var known = Array(document.segments.dropLast())
    var data = documents[document]
    if method == .create, case .commit(let writes) = request.operation {
      var left = documents
      guard left.commit(writes, at: request.time) == nil else { return false }
      data = left[document]
      known = document.segments
    }
    known += data.map { Value.map($0).texts } ?? []
    return names.allSatisfy { $0 != uid && known.contains($0) }
  }

  /// True if the request only sets fields that were unset.
  fileprivate var takesWhatIsFree: Bool {
    guard let before = documents[document] else { return false }
    return fields.allSatisfy { field in before[field].map { Value.areIdentical($0, .null) } ?? true
    }
  }

  /// The list field to which the request adds its client, if it changes nothing else; else nil.
  fileprivate var intrusion: Text? {
    guard let uid, method == .update, fields.count == 1, let field = fields.first,
      let before = documents[document], case .commit(let writes) = request.operation
    else { return nil }
    var left = documents
    guard left.commit(writes, at: request.time) == nil,
      case .list(let members)? = left[document]?[field],
      members.contains(where: { Value.areIdentical($0, .string(uid)) })
    else { return nil }
    switch before[field] {
    case .list, nil: return field
    default: return nil
    }
  }

  /// Returns a request that removes all others from a list.
  ///
  /// - Parameter withItself: True if the client is in the list before.
  fileprivate func removal(
    from field: Text, of documents: Documents, withItself: Bool
  ) -> (request: Request, documents: Documents)? {
    guard let uid, var before = documents[document] else { return nil }
    before[field] = .list([.string(Self.somebody)] + (withItself ? [.string(uid)] : []))
    var after = before
    after[field] = .list([.string(uid)])
    var documents = documents
    documents[document] = before
    let write = Write(to: document, .set(after, mask: nil), precondition: .exists)
    let request = Request(
      principal: request.principal, time: request.time, operation: .commit([write]))
    return (request, documents)
  }

  /// True if only the user named by the document ID may get or delete the document.
  fileprivate func isAboutSomebodysOwn(by engine: Engine, within budget: Budget) -> Bool {
    guard let name = document.segments.last, name != uid else { return false }
    let operations: [Request.Operation] = [
      .get([document]), .commit([Write(to: document, .delete)]),
    ]
    return operations.contains { operation in
      func isAllowed(_ uid: Text) -> Bool? {
        let request = Request(
          principal: Principal(uid: uid), time: request.time, operation: operation)
        return engine.decide(request, on: documents, within: budget)?.isAllowed
      }
      return isAllowed(name) == true && isAllowed(Self.somebody) == false
    }
  }
}

extension Request {
  /// The request by another client, with the user ID replaced in written data; nil if signed out.
  fileprivate var bySomebodyElse: Request? {
    guard let principal, case .string(let uid) = principal.uid else { return nil }
    return naming("somebody", insteadOf: uid)
  }

  /// Returns the request with a user ID replaced, in written data and as the client's own.
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
  /// True if the value is a user ID, or a list or map that contains it.
  fileprivate func names(_ uid: Text) -> Bool {
    switch self {
    case .string(let text): text == uid
    case .list(let elements): elements.contains { Value.areIdentical($0, .string(uid)) }
    case .map(let map): map[uid] != nil || map.values.contains { $0.names(uid) }
    case .null, .bool, .int, .float, .bytes, .set, .timestamp, .duration, .latlng, .path, .mapDiff,
      .vector, .constraint:
      false
    }
  }

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
