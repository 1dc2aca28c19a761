import RulesLang

/// A request reduced to the accesses that the rules must grant, and the documents for lookups.
struct Plan {
  /// The accesses, each of which must be granted.
  var accesses: [Access]
  /// The documents for lookups, with their limits.
  var lookups: Lookups
  /// The access of a write whose document ID the server draws, before it is drawn; nil for other requests.
  var unnamed: Access?
  /// Notes about the request itself, such as a precondition that would fail.
  var notes: [String] = []
  /// True if the emulator's decision depends on chance.
  var isByChance = false
}

/// A reason why a request cannot be decided.
public enum RequestProblem: Error, Sendable {
  /// The engine's behaviour for this is not modelled.
  case unsupported(String)
}

extension Plan {
  /// Plans a request on the stored documents of a database.
  init(
    _ request: Request, on documents: Documents, in database: DatabaseName, profile: Profile
  ) throws(RequestProblem) {
    switch request.operation {
    case .get(let paths):
      self.init(gets: paths, of: request, on: documents, in: database)
    case .list(let query):
      try self.init(
        list: query, of: request, on: documents, in: database, limits: Limits.of(profile))
    case .commit(let writes):
      try self.init(commit: writes, of: request, on: documents, in: database)
    }
    if profile.hasMissingResource { return }
    for place in accesses.indices where accesses[place].resource.isNull {
      accesses[place].resource = .failure(.nullValue)
    }
  }

  /// Maximum keys of `request`.
  private static let keyCount = 11

  private static func base(of request: Request, for method: Method, path: PathValue?) -> MapValue {
    typealias Names = RequestNames
    var map = MapValue()
    map.reserve(Self.keyCount)
    map.append(Names.auth, value: request.principal?.value ?? .null)
    map.append(Names.method, value: .string(Names.methods[Int(method.rawValue)]))
    map.append(Names.time, value: .timestamp(request.time))
    map.append(Names.headers, value: .map(MapValue()))
    map.append(Names.inTransaction, value: .bool(method.isWrite))
    if let path { map.append(Names.path, value: .path(path)) } else { map.unknownKey = Names.path }
    if !method.isWrite { map.append(Names.fields, value: .null) }
    return map
  }

  // MARK: Reads

  private init(
    gets paths: [DocumentPath], of request: Request, on documents: Documents,
    in database: DatabaseName
  ) {
    accesses = paths.map { path in
      let name = path.value(in: database)
      return Access(
        method: .get, path: path.steps(in: database),
        request: .map(Self.base(of: request, for: .get, path: name)),
        resource: .success(
          documents[path].map { Documents.resource(at: path, with: $0, name: name) } ?? .null),
        document: path)
    }
    lookups = Lookups(before: documents, after: documents, written: [], in: database)
    lookups.limitInAll = paths.count > 1 ? Lookups.manyDocuments : Lookups.oneDocument
  }

  private init(
    list query: Query, of request: Request, on documents: Documents, in database: DatabaseName,
    limits: Limits
  ) throws(RequestProblem) {
    if let refusal = query.refusal(in: database) { throw .unsupported(refusal) }
    let disjuncts = query.disjuncts() ?? []
    lookups = Lookups(before: documents, after: documents, written: [], in: database)
    lookups.limitInAll = limits.listLookups
    lookups.limitForOne = limits.listLookups
    lookups.isQuery = true
    accesses = []
    for disjunct in disjuncts {
      accesses.append(
        Self.access(of: query, disjunct: disjunct, by: request, on: documents, in: database))
    }
  }

  private static func access(
    of query: Query, disjunct: [Query.Condition], by request: Request, on documents: Documents,
    in database: DatabaseName
  ) -> Access {
    if let name = Query.namedDocument(disjunct), let full = try? name.flattened() {
      return access(of: query, document: full, by: request, on: documents, in: database)
    }
    let isOpen = query.isCollectionGroup || query.collection.isEmpty
    let path = isOpen ? nil : query.path(in: database)
    var map = base(of: request, for: .list, path: path)
    map.append(RequestNames.query, value: query.value(in: database))
    return Access(
      method: .list, path: query.steps(in: database), request: .map(map),
      resource: .success(query.promise(disjunct)), document: nil)
  }

  /// Returns the access of a disjunct with an equality on `__name__`: to that one document, with any other
  /// filters.
  private static func access(
    of query: Query, document full: [Text], by request: Request, on documents: Documents,
    in database: DatabaseName
  ) -> Access {
    let path = DocumentPath(full: full, in: database)
    var map = base(of: request, for: .list, path: PathValue(plain: full))
    map.append(RequestNames.query, value: query.value(in: database))
    var resource: Result<Value, EvaluationError.Reason> = .failure(.variableRead("resource"))
    if let path, let data = documents[path] {
      resource = .success(Documents.resource(at: path, with: data, in: database))
    }
    return Access(
      method: .list, path: full.map { .segment($0) }, request: .map(map), resource: resource,
      document: nil)
  }

  // MARK: Writes

  /// The net effect of a commit's writes on one document.
  private struct NetEffect {
    var path: DocumentPath
    /// The precondition of the first write; none if that deletes the document.
    private let precondition: Write.Precondition
    /// True if the server draws the document's ID.
    let hasDrawnID: Bool
    /// True if the last write deletes the document.
    private var isDeletedLast = false
    /// The union of the masks; nil once a write sets the whole document or deletes it.
    private var mask: [FieldPath]?
    /// The paths of the transforms, with repetitions; a delete removes them.
    private(set) var transformed: [FieldPath] = []

    init(_ first: Write) {
      path = first.path
      hasDrawnID = first.hasDrawnID
      switch first.change {
      case .set(_, let mask):
        precondition = first.precondition
        self.mask = mask
        transformed = first.transforms.map { $0.path }
      case .delete:
        precondition = .none
        isDeletedLast = true
      }
    }

    mutating func add(_ write: Write) {
      switch write.change {
      case .delete:
        isDeletedLast = true
        mask = nil
        transformed = []
      case .set(_, let more):
        isDeletedLast = false
        if let more { mask? += more } else { mask = nil }
        transformed += write.transforms.map { $0.path }
      }
    }

    /// Returns the method: by the first write's precondition, else by whether the document is stored before
    /// the commit.
    func method(isStored: Bool) -> Method {
      if isDeletedLast { return .delete }
      switch precondition {
      case .missing: return .create
      case .exists: return .update
      case .none: return isStored ? .update : .create
      }
    }

    /// True if the write requires that the document is missing.
    var isInsert: Bool { precondition == .missing && !isDeletedLast }

    /// The fields with a transform and those of the mask; nil if there are neither transforms nor a mask.
    var written: [FieldPath]? {
      if mask == nil, transformed.isEmpty { return nil }
      var seen: Set<FieldPath> = []
      return transformed + (mask ?? []).filter { seen.insert($0).inserted }
    }
  }

  /// Plans a commit: every document is one access, with the net effect of all its writes.
  private init(
    commit writes: [Write], of request: Request, on documents: Documents,
    in database: DatabaseName
  ) throws(RequestProblem) {
    if let refusal = Write.refusal(of: writes) { throw .unsupported(refusal) }
    var after = documents
    var effects: [NetEffect] = []
    // The index of each path's effect, which a single write does not need.
    var places: [DocumentPath: Int] = [:]
    for write in writes {
      after.apply(write, at: request.time)
      if writes.count > 1, let place = places[write.path] {
        effects[place].add(write)
      } else {
        if writes.count > 1 { places[write.path] = effects.count }
        effects.append(NetEffect(write))
      }
    }
    lookups = Lookups(
      before: documents, after: after, written: effects.map { $0.path }, in: database)
    lookups.limitInAll = effects.count > 1 ? Lookups.manyDocuments : Lookups.oneDocument
    lookups.hasOpenOrder = effects.count > 1
    accesses = effects.map {
      Self.access(of: $0, by: request, before: documents, after: after, in: database)
    }
    guard writes.count == 1 else { return }
    notes = Self.preconditionNotes(of: writes[0], on: documents)
    if writes[0].hasDrawnID { unnamed = accesses[0].unnamed }
  }

  private static func access(
    of effect: NetEffect, by request: Request, before: Documents, after: Documents,
    in database: DatabaseName
  ) -> Access {
    let path = effect.path
    let name = path.value(in: database)
    let old = before[path]
    let method = effect.method(isStored: old != nil)
    let isDrawn = effect.hasDrawnID
    let named = isDrawn ? DocumentPath(Array(path.segments.dropLast())) : path
    var map = base(of: request, for: method, path: isDrawn ? named.value(in: database) : name)
    let pending = method == .delete ? nil : after[path]
    map.append(
      RequestNames.resource,
      value: pending.map { Documents.resource(at: path, with: $0, name: name) } ?? .null)
    let computed = effect.transformed
    map.append(RequestNames.transforms, value: list(computed.isEmpty ? nil : computed))
    // An empty mask gives an empty list (Docs/Fidelity.md §28).
    map.append(RequestNames.writeFields, value: list(effect.written))
    map.append(RequestNames.readFields, value: .null)
    if effect.isInsert { map.append(RequestNames.autoID, value: .bool(isDrawn)) }
    return Access(
      method: method, path: named.steps(in: database) + (isDrawn ? [.anyDocument] : []),
      request: .map(map),
      resource: .success(old.map { Documents.resource(at: path, with: $0, name: name) } ?? .null),
      document: path)
  }

  private static func list(_ fields: [FieldPath]?) -> Value {
    fields.map { .list($0.map { .string($0.text) }) } ?? .null
  }

  private static func preconditionNotes(of write: Write, on documents: Documents) -> [String] {
    var path: String { String(write.path.text) }
    switch (write.precondition, documents[write.path] != nil) {
    case (.exists, false):
      return ["\(path) is not stored: the rules check `update`, then the write fails"]
    case (.missing, true):
      return ["\(path) is stored already: the rules check `create`, then the write fails"]
    case (.exists, true), (.missing, false), (.none, _):
      return []
    }
  }
}

extension Result<Value, EvaluationError.Reason> {
  /// True if it is null, the value of `resource` for a missing document.
  var isNull: Bool {
    if case .success(.null) = self { return true }
    return false
  }
}

extension Access {
  /// The access before the ID of its document is drawn: `resource` is unknown, and `request.resource` has
  /// data only.
  fileprivate var unnamed: Access {
    var access = self
    access.resource = .failure(.unknown)
    guard case .map(var map) = request, case .map(let pending)? = map[RequestNames.resource] else {
      return access
    }
    var data = MapValue()
    data.append(RequestNames.data, value: pending[RequestNames.data] ?? .null)
    map[RequestNames.resource] = .map(data)
    access.request = .map(map)
    return access
  }
}
