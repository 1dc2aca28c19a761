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
  /// The client could get the document before; only a query finds it later.
  case had
  /// The client adds itself to a list, by a request that cannot remove others; perhaps a later one can.
  case joining(removingLater: Bool)
  /// Anybody may do the same then: the condition is about data, not about who asks.
  case anybody
  /// The client only creates what belongs to a document that it creates itself.
  case made
  /// The last document refers to one that the client creates itself.
  case beside
  /// Only the client that these fields name can: those of the document that is asked about, of one above it
  /// or of one that it refers to. And what it does with that document.
  case named([Field], Deed)
  /// The client needs claims that only the server sets, and that the last request does not require.
  case trusted([Text])

  /// A field that names a client, and in which way.
  struct Field {
    /// The name.
    var name: Text
    /// True if the field is the client's user ID, rather than a list or a map with it.
    var isAlone: Bool
  }

  /// A deed of a client with a document that names it.
  enum Deed {
    /// The client shows it to everybody.
    case publishes
    /// The client deletes it, and creates it again.
    case creates
    /// The client lets somebody in, or reads what is its own.
    case shares
    /// Anything else.
    case other
  }

  /// The severity of the finding for who only asks for mistakes; nil if it is not worth telling.
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
    case .free: "nobody had it before"
    case .own: "all of these documents are its own"
    case .missing: "it is not there"
    case .had: "it could get the document before"
    case .joining(removingLater: false): "it joins, and can put nobody out"
    case .joining(removingLater: true): "it joins, and can put others out then"
    case .anybody: "anybody may then"
    case .made: "it belongs to what it creates itself"
    case .beside: "the last document refers to the one that it creates itself"
    case .named(let fields, _):
      "only the client that \(fields.map { "`\(String($0.name))`" }.joined(separator: " or ")) of that document "
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
      // A client in a list or map of a document is one of many: all that it gains there counts, unless it may
      // change the whole document.
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

  /// Whether the document and that of the first request are below the same one that has the client's user
  /// ID.
  var isAboutItsOwn: Bool {
    guard let uid, let first = steps.first?.document.segments else { return false }
    let last = document.segments
    return first.count > 1 && last.count > 1 && first[1] == uid && last[0] == first[0]
      && last[1] == uid
  }

  /// Returns the fields that name the client in the document of the first request, which the last one is
  /// about or below or refers to, if the first one is denied where they name somebody else; nil otherwise.
  fileprivate func namingFields(by engine: Engine, within budget: Budget) -> [Excuse.Field]? {
    guard let uid, steps.count == 1, let step = steps.first,
      document.segments.starts(with: step.document.segments) || refersToFirst,
      step.method == .update || step.method == .delete, var data = step.documents[step.document]
    else { return nil }
    let fields = data.compactMap { name, value -> Excuse.Field? in
      guard value.names(uid) else { return nil }
      return Excuse.Field(name: name, isAlone: Value.areIdentical(value, .string(uid)))
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

  /// A user ID that no counterexample has.
  fileprivate static let somebody: Text = "somebody"

  /// True if the client may set a field of the document that no rule knows.
  fileprivate func changesAnything(by engine: Engine, within budget: Budget) -> Bool {
    let field: Text = "somethingElse"
    let write = Write(
      to: document, .set(MapValue([(field, .bool(true))]), mask: [FieldPath([field])]),
      precondition: .exists)
    let other = Request(
      principal: request.principal, time: request.time, operation: .commit([write]))
    return engine.decide(other, on: documents, within: budget)?.isAllowed == true
  }

  /// The deed of a client that the document of the first request names.
  fileprivate func deedOfNamed(by engine: Engine, within budget: Budget) -> Excuse.Deed {
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

  /// Whether it reads a document that is not there, and could not if it were.
  fileprivate func readsNothing(by engine: Engine, within budget: Budget) -> Bool {
    guard method == .get, documents[document] == nil else { return false }
    if steps.contains(where: { $0.document == document && $0.method == .delete }) { return true }
    var documents = documents
    documents[document] = MapValue()
    return engine.decide(request, on: documents, within: budget)?.isAllowed != true
  }

  /// True if it queries for a document that its client could get before the first request.
  fileprivate func couldGetBefore(by engine: Engine, within budget: Budget) -> Bool {
    guard method == .list, let before = steps.first?.documents, before[document] != nil else {
      return false
    }
    let get = Request(
      principal: request.principal, time: request.time, operation: .get([document]))
    return engine.decide(get, on: before, within: budget)?.isAllowed == true
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

  /// True if the last request creates a document that refers to the one that the first request creates.
  fileprivate var createsBelowWhatItMade: Bool {
    steps.first?.method == .create && method == .create && refersToFirst
  }

  /// True if the document that is there refers to the one which the first request creates with fields of its
  /// own.
  fileprivate var isBesideWhatItMade: Bool {
    guard let step = steps.first else { return false }
    return step.method == .create && method != .create && !step.fields.isEmpty && refersToFirst
  }

  /// True if the document of the last request is not below that of the first one, but has its name, which is
  /// not the client's, in a path above it or in its data.
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

  /// Whether the request only sets what was not set.
  fileprivate var takesWhatIsFree: Bool {
    guard let before = documents[document] else { return false }
    return fields.allSatisfy { field in before[field].map { Value.areIdentical($0, .null) } ?? true
    }
  }

  /// The field that is a list into which the request puts its client; nil if it does not only that.
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

  /// A request of the client that leaves only itself in a list with somebody else and, if wanted, with
  /// itself.
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

  /// True if the document is one that only the client of its name may get or delete, rather than one of a
  /// group.
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
  /// True if it is a user ID, or a list or map with one.
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
