public import RulesLang

// Most requests that a conclusion is tried on are about one document and write nothing else. They are
// put together from cells: every name in them and every path lies in the machine already.

/// A get of one document or one write of it, in parts.
public struct PlainRequest: Sendable {
  /// What is done to the document: no query.
  public var method: Method
  /// Who asks.
  public var principal: Principal?
  /// When.
  public var time: Timestamp
  /// The document as it is stored.
  public var before: MapValue?
  /// The document as it is to be, if it is written.
  public var after: MapValue?
  /// The fields that an update names to be set.
  public var written: [Text]

  /// Takes the parts; nil if they do not fit the method.
  public init?(
    _ method: Method, _ principal: Principal?, at time: Timestamp, before: MapValue?,
    after: MapValue?, written: [Text] = []
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

/// The keys of `request.query`, as they lie in a rehearsal.
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

/// What requests have in common, as it lies in a rehearsal.
struct RehearsalNames: Sendable {
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
  /// The words of the methods, by method.
  let methods: [Cell]
  /// A map without keys.
  let empty: Cell
  /// Whether the rules or conditions look documents up.
  let looksUp: Bool
}

extension Rehearsal {
  /// Takes the path of a document in, and that of its collection if it is to be queried.
  public func load(_ path: DocumentPath, isQueried: Bool) -> LoadedPath {
    machine.load(path, isQueried: isQueried)
  }

  /// Takes a request about one document in; `documents` are those that are stored before it, if any
  /// can be looked up. The fields of an updated document are in the order of the document that is
  /// wanted.
  public func load(
    _ plain: PlainRequest, at path: LoadedPath, of document: DocumentPath, on documents: Documents?
  ) -> RehearsedRequest {
    let loaded = machine.load(plain, path, names)
    return RehearsedRequest(
      [loaded], plain.method, own: 0, document: loaded.resource, showsDocument: true,
      lookups: documents.map { lookups(plain, document, $0) })
  }

  /// Takes a query of the collection of a document in, for which the document is stored as `data`; nil
  /// if it takes more than what is loaded of the path, or if Firestore refuses it.
  public func load(
    _ query: Query, by principal: Principal?, at time: Timestamp, of document: DocumentPath,
    _ path: LoadedPath, storedAs data: MapValue?
  ) -> RehearsedRequest? {
    guard !looksUp, !query.isCollectionGroup, let collection = path.collection,
      query.refusal == nil, let disjuncts = query.disjuncts(), !disjuncts.isEmpty
    else { return nil }
    let resource = machine.resource(data, path, names)
    let named = disjuncts.compactMap { Query.namedDocument($0) }
    if let name = named.first {
      guard disjuncts.count == 1, (try? name.flattened()) == document.fullSegments
      else { return nil }
      var access = path.access
      access.method = MethodSet(.list).rawValue
      access.request = machine.load(query, of: path.value, collection, principal, time, names)
      // What is not stored has no `resource` here, not even null.
      access.resource = data == nil ? .error : resource
      return RehearsedRequest(
        [access], .list, own: 0, document: resource, showsDocument: true, lookups: nil)
    }
    let request = machine.load(query, of: collection.value, collection, principal, time, names)
    let accesses = disjuncts.map { disjunct in
      var loaded = collection.access
      loaded.method = MethodSet(.list).rawValue
      loaded.request = request
      loaded.resource = machine.load(query.promise(disjunct))
      return loaded
    }
    return RehearsedRequest(
      accesses, .list, own: 0, document: resource, showsDocument: false, lookups: nil)
  }

  private func lookups(
    _ plain: PlainRequest, _ path: DocumentPath, _ documents: Documents
  ) -> RehearsedLookups {
    var after = documents
    if plain.method.isWrite { after[path] = plain.after?.storable }
    let lookups = Lookups(
      before: documents, after: after, written: plain.method.isWrite ? [path] : [])
    // Of the access nothing is asked but which document it is to.
    let access = Access(
      method: plain.method, path: path.steps, request: .null, resource: .success(.null),
      document: path)
    return RehearsedLookups([access], lookups, own: access)
  }
}

extension Machine {
  /// Takes in what requests have in common.
  mutating func loadNames() -> RehearsalNames {
    typealias Names = RequestNames
    return RehearsalNames(
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
      access: load(steps: path.steps), value: load(.path(path.value)), id: load(.string(path.id)),
      collection: isQueried ? loadCollection(of: path) : nil)
  }

  private mutating func loadCollection(of path: DocumentPath) -> LoadedCollection {
    let query = Query(
      parent: DocumentPath(Array(path.segments.dropLast(2))),
      collection: path.segments[path.segments.count - 2])
    let hasParent = !query.parent.segments.isEmpty
    return LoadedCollection(
      access: load(steps: query.steps), value: load(.path(query.path)),
      parent: hasParent ? load(.path(query.parent.value)) : .null,
      kind: load(.string(query.collection)))
  }

  /// What a query is to the rules, but for what its filters promise.
  fileprivate mutating func load(
    _ query: Query, of path: Cell, _ collection: LoadedCollection, _ principal: Principal?,
    _ time: Timestamp, _ names: RehearsalNames
  ) -> Cell {
    arena.mayHoldConstraints = true
    let auth = auth(principal, names)
    let time = load(.timestamp(time))
    let value = self.value(of: query, collection, names)
    let count = 8
    let first = arena.beginMap(count)
    setCommon(first, auth, .list, time, path, names)
    arena.set(first + 6, names.fields, .null)
    arena.set(first + 7, names.query.query, value)
    return arena.endMap(first: first, count: count)
  }

  private mutating func value(
    of query: Query, _ collection: LoadedCollection, _ names: RehearsalNames
  ) -> Cell {
    let order = query.orderBy.isEmpty ? names.empty : load(.map(query.order))
    let count = 9
    let first = arena.beginMap(count)
    arena.set(first, names.query.distinct, .isFalse)
    arena.set(first + 1, names.query.selectOnlyKeys, .isFalse)
    arena.set(first + 2, names.query.groupBy, names.empty)
    arena.set(first + 3, names.query.kind, collection.kind)
    arena.set(first + 4, names.query.parent, collection.parent)
    arena.set(first + 5, names.query.orderBy, order)
    arena.set(first + 6, names.query.limit, query.limit.map { .int($0) } ?? .null)
    arena.set(first + 7, names.query.offset, .int(query.offset))
    arena.set(first + 8, names.query.allDescendants, .isFalse)
    return arena.endMap(first: first, count: count)
  }

  /// Sets what comes first in every request.
  private mutating func setCommon(
    _ first: Int, _ auth: Cell, _ method: Method, _ time: Cell, _ path: Cell,
    _ names: RehearsalNames
  ) {
    arena.set(first, names.auth, auth)
    arena.set(first + 1, names.method, names.methods[Int(method.rawValue)])
    arena.set(first + 2, names.time, time)
    arena.set(first + 3, names.headers, names.empty)
    arena.set(first + 4, names.inTransaction, .bool(method.isWrite))
    arena.set(first + 5, names.path, path)
  }

  /// How many keys a request has at most.
  private static var keyCount: Int { 11 }

  fileprivate mutating func load(
    _ plain: PlainRequest, _ path: LoadedPath, _ names: RehearsalNames
  ) -> Loaded {
    var loaded = path.access
    loaded.method = MethodSet(plain.method).rawValue
    loaded.resource = resource(plain.before, path, names)
    let auth = auth(plain.principal, names)
    let isWrite = plain.method.isWrite
    let time = load(.timestamp(plain.time))
    let after = isWrite ? resource(plain.after, path, names) : .null
    let written =
      plain.written.isEmpty ? Cell.null : load(.list(plain.written.map { .string($0) }))
    let isInsert = plain.method == .create
    let count = isWrite ? Self.keyCount - (isInsert ? 0 : 1) : 7
    let first = arena.beginMap(count)
    setCommon(first, auth, plain.method, time, path.value, names)
    if isWrite {
      arena.set(first + 6, names.resource, after)
      arena.set(first + 7, names.transforms, .null)
      arena.set(first + 8, names.writeFields, written)
      arena.set(first + 9, names.readFields, .null)
      if isInsert { arena.set(first + 10, names.autoID, .isFalse) }
    } else {
      arena.set(first + 6, names.fields, .null)
    }
    loaded.request = arena.endMap(first: first, count: count)
    return loaded
  }

  private mutating func auth(_ principal: Principal?, _ names: RehearsalNames) -> Cell {
    guard let principal else { return .null }
    let uid = load(principal.uid)
    let token = load(.map(principal.token))
    let first = arena.beginMap(2)
    arena.set(first, names.uid, uid)
    arena.set(first + 1, names.token, token)
    return arena.endMap(first: first, count: 2)
  }

  fileprivate mutating func resource(
    _ data: MapValue?, _ path: LoadedPath, _ names: RehearsalNames
  ) -> Cell {
    guard let data else { return .null }
    let fields = load(.map(data.storable))
    let first = arena.beginMap(3)
    arena.set(first, names.data, fields)
    arena.set(first + 1, names.id, path.id)
    arena.set(first + 2, names.name, path.value)
    return arena.endMap(first: first, count: 3)
  }
}

extension Arena {
  @inline(__always)
  fileprivate mutating func set(_ place: Int, _ name: LoadedName, _ value: Cell) {
    setEntry(place, Entry(key: name.place, symbol: name.symbol, value: value))
  }
}
