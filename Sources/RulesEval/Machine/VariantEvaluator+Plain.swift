public import RulesLang

// Most requests that a conclusion is tried on are about one document and write nothing else. They are
// put together from cells: every name in them and every path lies in the machine already.

/// A get or a single write of one document, given by its parts.
public struct PlainRequest: Sendable {
  /// The method; never `list`.
  public var method: Method
  /// The client; nil if signed out.
  public var principal: Principal?
  /// The time of the request.
  public var time: Timestamp
  /// The stored document, before the request.
  public var before: MapValue?
  /// The document after the request, if it is a write.
  public var after: MapValue?
  /// The field paths in an update's mask; nil without a mask.
  public var written: [Text]?

  /// Creates a request; nil if the parts do not fit the method.
  public init?(
    _ method: Method, by principal: Principal?, at time: Timestamp, before: MapValue?,
    after: MapValue?, written: [Text]? = nil
  ) {
    switch method {
    case .list: return nil
    case .get, .delete: if after != nil { return nil }
    case .create: if before != nil || after == nil { return nil }
    case .update: if before == nil || after == nil { return nil }
    }
    self.method = method
    self.principal = principal
    self.time = time
    self.before = before
    self.after = after
    self.written = written
  }
}

/// The keys of `request.query`, loaded.
struct QueryNames: Sendable {
  let query: LoadedName
  let distinct: LoadedName
  let selectOnlyKeys: LoadedName
  let groupBy: LoadedName
  let kind: LoadedName
  let parent: LoadedName
  let orderBy: LoadedName
  let limit: LoadedName
  let offset: LoadedName
  let allDescendants: LoadedName
}

/// Names and values that all requests share, loaded.
struct VariantNames: Sendable {
  let auth: LoadedName
  let method: LoadedName
  let time: LoadedName
  let headers: LoadedName
  let inTransaction: LoadedName
  let path: LoadedName
  let fields: LoadedName
  let resource: LoadedName
  let transforms: LoadedName
  let writeFields: LoadedName
  let readFields: LoadedName
  let autoID: LoadedName
  let data: LoadedName
  let id: LoadedName
  let name: LoadedName
  let uid: LoadedName
  let token: LoadedName
  let query: QueryNames
  /// The value of `request.method`, by method.
  let methods: [Cell]
  /// The empty map.
  let empty: Cell
  /// True if the rules or added conditions look documents up.
  let looksUp: Bool
}

extension VariantEvaluator {
  /// The database that requests are sent to.
  private var database: DatabaseName { machine.program.rules.database }

  /// Loads the path of a document, and that of its collection if it is to be queried.
  public func load(_ path: DocumentPath, isQueried: Bool) -> LoadedPath {
    machine.load(path, isQueried: isQueried)
  }

  /// Loads a request about one document.
  ///
  /// - Parameters:
  ///   - plain: The request. The fields of an updated document have the order of `after`, not Firestore's
  ///     order after an update.
  ///   - path: The loaded path of the document.
  ///   - document: The document.
  ///   - documents: The documents stored before it; nil if the rules look nothing up.
  public func load(
    _ plain: PlainRequest, at path: LoadedPath, of document: DocumentPath, on documents: Documents?
  ) -> VariantRequest {
    let loaded = machine.load(plain, at: path, with: names)
    return VariantRequest(
      [loaded], method: plain.method, own: 0, document: loaded.resource, showsDocument: true,
      lookups: documents.map { lookups(of: plain, at: document, on: $0) })
  }

  /// Loads a list request on a document's collection, with the document stored as `data`; nil if it needs
  /// lookups, a path that is not loaded, or is refused by Firestore.
  public func load(
    _ query: Query, by principal: Principal?, at time: Timestamp, of document: DocumentPath,
    path: LoadedPath, storedAs data: MapValue?
  ) -> VariantRequest? {
    guard !looksUp, !query.isCollectionGroup, let collection = path.collection,
      query.refusal(in: database) == nil, let disjuncts = query.disjuncts(), !disjuncts.isEmpty
    else { return nil }
    let resource = machine.resource(data, at: path, with: names)
    let named = disjuncts.compactMap { Query.namedDocument($0) }
    if let name = named.first {
      guard disjuncts.count == 1, (try? name.flattened()) == document.fullSegments(in: database)
      else { return nil }
      var access = path.access
      access.method = MethodSet(.list).rawValue
      access.request = machine.load(
        query, of: path.value, in: collection, by: principal, at: time, with: names)
      // Reading the `resource` of a missing document is an error here, rather than null.
      access.resource = data == nil ? .error : resource
      return VariantRequest(
        [access], method: .list, own: 0, document: resource, showsDocument: true, lookups: nil)
    }
    let request = machine.load(
      query, of: collection.value, in: collection, by: principal, at: time, with: names)
    let accesses = disjuncts.map { disjunct in
      var loaded = collection.access
      loaded.method = MethodSet(.list).rawValue
      loaded.request = request
      loaded.resource = machine.load(query.promise(disjunct))
      return loaded
    }
    return VariantRequest(
      accesses, method: .list, own: 0, document: resource, showsDocument: false, lookups: nil)
  }

  private func lookups(
    of plain: PlainRequest, at path: DocumentPath, on documents: Documents
  ) -> VariantLookups {
    var after = documents
    if plain.method.isWrite { after[path] = plain.after?.storable }
    let lookups = Lookups(
      before: documents, after: after, written: plain.method.isWrite ? [path] : [],
      in: database)
    // Only the document of this access is read.
    let access = Access(
      method: plain.method, path: path.steps(in: database), request: .null,
      resource: .success(.null),
      document: path)
    return VariantLookups([access], with: lookups, own: access)
  }
}

extension Machine {
  /// The database that requests are sent to.
  fileprivate var database: DatabaseName { program.rules.database }

  /// Loads the names and values that all requests share.
  mutating func loadNames() -> VariantNames {
    typealias Names = RequestNames
    return VariantNames(
      auth: loadName(Names.auth), method: loadName(Names.method), time: loadName(Names.time),
      headers: loadName(Names.headers), inTransaction: loadName(Names.inTransaction),
      path: loadName(Names.path), fields: loadName(Names.fields),
      resource: loadName(Names.resource), transforms: loadName(Names.transforms),
      writeFields: loadName(Names.writeFields), readFields: loadName(Names.readFields),
      autoID: loadName(Names.autoID), data: loadName(Names.data), id: loadName(Names.id),
      name: loadName(Names.name), uid: loadName(Names.uid), token: loadName(Names.token),
      query: loadQueryNames(),
      methods: Names.methods.map { load(.string($0)) }, empty: load(.map(MapValue())),
      looksUp: hasLookups || program.added.contains { $0?.hasLookups ?? false })
  }

  private mutating func loadQueryNames() -> QueryNames {
    typealias Names = RequestNames
    return QueryNames(
      query: loadName(Names.query), distinct: loadName(Names.distinct),
      selectOnlyKeys: loadName(Names.selectOnlyKeys), groupBy: loadName(Names.groupBy),
      kind: loadName(Names.kind), parent: loadName(Names.parent),
      orderBy: loadName(Names.orderBy), limit: loadName(Names.limit),
      offset: loadName(Names.offset), allDescendants: loadName(Names.allDescendants))
  }

  fileprivate mutating func load(_ path: DocumentPath, isQueried: Bool) -> LoadedPath {
    LoadedPath(
      access: load(steps: path.steps(in: database)),
      value: load(.path(path.value(in: database))), id: load(.string(path.id)),
      collection: isQueried ? loadCollection(of: path) : nil)
  }

  private mutating func loadCollection(of path: DocumentPath) -> LoadedCollection {
    let query = Query(
      parent: DocumentPath(Array(path.segments.dropLast(2))),
      collection: path.segments[path.segments.count - 2])
    let hasParent = !query.parent.segments.isEmpty
    return LoadedCollection(
      access: load(steps: query.steps(in: database)),
      value: load(.path(query.path(in: database))),
      parent: hasParent ? load(.path(query.parent.value(in: database))) : .null,
      kind: load(.string(query.collection)))
  }

  /// Loads the variable `request` of a query.
  fileprivate mutating func load(
    _ query: Query, of path: Cell, in collection: LoadedCollection, by principal: Principal?,
    at time: Timestamp, with names: VariantNames
  ) -> Cell {
    arena.mayHoldConstraints = true
    let auth = auth(of: principal, with: names)
    let time = load(.timestamp(time))
    let value = self.value(of: query, in: collection, with: names)
    let count = 8
    let first = arena.beginMap(count)
    setCommon(at: first, auth: auth, method: .list, time: time, path: path, with: names)
    arena.set(at: first + 6, named: names.fields, to: .null)
    arena.set(at: first + 7, named: names.query.query, to: value)
    return arena.endMap(first: first, count: count)
  }

  private mutating func value(
    of query: Query, in collection: LoadedCollection, with names: VariantNames
  ) -> Cell {
    let order = query.orderBy.isEmpty ? names.empty : load(.map(query.order))
    let count = 9
    let first = arena.beginMap(count)
    arena.set(at: first, named: names.query.distinct, to: .isFalse)
    arena.set(at: first + 1, named: names.query.selectOnlyKeys, to: .isFalse)
    arena.set(at: first + 2, named: names.query.groupBy, to: names.empty)
    arena.set(at: first + 3, named: names.query.kind, to: collection.kind)
    arena.set(at: first + 4, named: names.query.parent, to: collection.parent)
    arena.set(at: first + 5, named: names.query.orderBy, to: order)
    arena.set(at: first + 6, named: names.query.limit, to: query.limit.map { .int($0) } ?? .null)
    arena.set(at: first + 7, named: names.query.offset, to: .int(query.offset))
    arena.set(at: first + 8, named: names.query.allDescendants, to: .isFalse)
    return arena.endMap(first: first, count: count)
  }

  /// Sets the first six keys of `request`, which are the same for all requests.
  private mutating func setCommon(
    at first: Int, auth: Cell, method: Method, time: Cell, path: Cell,
    with names: VariantNames
  ) {
    arena.set(at: first, named: names.auth, to: auth)
    arena.set(at: first + 1, named: names.method, to: names.methods[Int(method.rawValue)])
    arena.set(at: first + 2, named: names.time, to: time)
    arena.set(at: first + 3, named: names.headers, to: names.empty)
    arena.set(at: first + 4, named: names.inTransaction, to: .bool(method.isWrite))
    arena.set(at: first + 5, named: names.path, to: path)
  }

  /// Maximum keys of `request`.
  private static var keyCount: Int { 11 }

  fileprivate mutating func load(
    _ plain: PlainRequest, at path: LoadedPath, with names: VariantNames
  ) -> Loaded {
    var loaded = path.access
    loaded.method = MethodSet(plain.method).rawValue
    loaded.resource =
      plain.before == nil && !engine.profile.hasMissingResource
      ? .error : resource(plain.before, at: path, with: names)
    let auth = auth(of: plain.principal, with: names)
    let isWrite = plain.method.isWrite
    let time = load(.timestamp(plain.time))
    let after = isWrite ? resource(plain.after, at: path, with: names) : .null
    let written =
      plain.written.map { load(.list($0.map { .string($0) })) } ?? Cell.null
    let isInsert = plain.method == .create
    let count = isWrite ? Self.keyCount - (isInsert ? 0 : 1) : 7
    let first = arena.beginMap(count)
    setCommon(
      at: first, auth: auth, method: plain.method, time: time, path: path.value, with: names)
    if isWrite {
      arena.set(at: first + 6, named: names.resource, to: after)
      arena.set(at: first + 7, named: names.transforms, to: .null)
      arena.set(at: first + 8, named: names.writeFields, to: written)
      arena.set(at: first + 9, named: names.readFields, to: .null)
      if isInsert { arena.set(at: first + 10, named: names.autoID, to: .isFalse) }
    } else {
      arena.set(at: first + 6, named: names.fields, to: .null)
    }
    loaded.request = arena.endMap(first: first, count: count)
    return loaded
  }

  private mutating func auth(of principal: Principal?, with names: VariantNames) -> Cell {
    guard let principal else { return .null }
    let uid = load(principal.uid)
    let token = load(.map(principal.token))
    let first = arena.beginMap(2)
    arena.set(at: first, named: names.uid, to: uid)
    arena.set(at: first + 1, named: names.token, to: token)
    return arena.endMap(first: first, count: 2)
  }

  fileprivate mutating func resource(
    _ data: MapValue?, at path: LoadedPath, with names: VariantNames
  ) -> Cell {
    guard let data else { return .null }
    let fields = load(.map(data.storable))
    let first = arena.beginMap(3)
    arena.set(at: first, named: names.data, to: fields)
    arena.set(at: first + 1, named: names.id, to: path.id)
    arena.set(at: first + 2, named: names.name, to: path.value)
    return arena.endMap(first: first, count: 3)
  }
}

extension Arena {
  @inline(__always)
  fileprivate mutating func set(at place: Int, named name: LoadedName, to value: Cell) {
    setEntry(at: place, to: Entry(key: name.place, symbol: name.symbol, value: value))
  }
}
