public import RulesEval
public import RulesLang

/// The documents with which databases of every project begin, as on the official emulator.
///
/// References to other projects keep the projects of the export. As everywhere in a store, references within
/// a database's own project name no project.
public struct Seed: Sendable {
  /// The databases of projects to which no reference of the export leads.
  private var stores: [DatabaseName: Store] = [:]
  /// The databases of the exported project.
  private var own: [DatabaseName: Store] = [:]
  /// The exported project; nil before the first document.
  public private(set) var project: Text?
  /// Other projects in references.
  private var named: Set<Text> = []
  /// The creation time of all documents.
  private let time: Timestamp

  /// Creates a seed without documents.
  public init(at time: Timestamp) { self.time = time.microsecondPrecise }

  /// The number of documents of each database.
  public var counts: [(database: DatabaseName, documents: Int)] {
    stores.map { ($0.key, $0.value.count) }
      .sorted { Text.precedesByCodePoint($0.0.text, $1.0.text) }
  }

  /// Adds a document, or replaces the one at its path.
  ///
  /// - Parameters:
  ///   - project: The exported project; a seed has only one.
  ///   - data: The fields, in which references name their projects.
  /// - Throws: The reason why no database can have the document.
  public mutating func add(
    _ data: MapValue, at path: DocumentPath, of database: DatabaseName, in project: Text
  ) throws(Refusal) {
    if let known = self.project, known != project {
      throw .invalidArgument(
        "there are documents of the projects \(Refusal.quoting(known)) and "
          + "\(Refusal.quoting(project))")
    }
    self.project = project
    let id = DatabaseID(project: project, database: database)
    // Segments are arbitrary texts, so the name is read like that of a request.
    guard try ResourceName(document: id.name(of: path)) == ResourceName(database: id, path: path)
    else {
      throw .invalidArgument("\(Refusal.quoting(path.text)) is not the path of a document.")
    }
    if let refusal = try StoreWrite(path, .set(data, mask: nil)).check(in: id) { throw refusal }
    guard StoredDocument.size(of: data, at: path) <= StoredDocument.greatestSize else {
      throw .largeDocument
    }
    var namesOwn = false
    data.forEachReference { other in
      if other == project { namesOwn = true } else { named.insert(other) }
    }
    put(data, at: path, to: &stores[database, default: Store(id)])
    put(
      namesOwn ? data.ownReferences(of: project) : data, at: path,
      to: &own[database, default: Store(id)])
  }

  private func put(_ data: MapValue, at path: DocumentPath, to store: inout Store) {
    store.put(StoredDocument(path: path, data: data, created: time, updated: time), at: path)
    store.lastTime = time
  }

  /// Returns the initial state of a database.
  ///
  /// - Complexity: O(*n*) in the documents for a project, other than the exported one, that references name.
  public func store(_ id: DatabaseID) -> Store {
    if id.project == project, let own = own[id.database] { return own }
    guard let common = stores[id.database] else { return Store(id) }
    var store = common.copy(as: id)
    guard named.contains(id.project) else { return store }
    common.forEachDocument { document in
      var names = false
      document.data.forEachReference { if $0 == id.project { names = true } }
      if names { put(document.data.ownReferences(of: id.project), at: document.path, to: &store) }
    }
    return store
  }
}

extension MapValue {
  /// Calls `body` with the project of each reference that names one, at every depth.
  fileprivate func forEachReference(_ body: (Text) -> Void) {
    for (_, value) in self { value.forEachReference(body) }
  }

  /// Returns the map in which references to a project do not name it.
  fileprivate func ownReferences(of project: Text) -> MapValue {
    MapValue(map { ($0.0, $0.1.ownReferences(of: project)) })
  }
}

extension Value {
  /// Calls `body` with the project of each reference that names one, at every depth.
  fileprivate func forEachReference(_ body: (Text) -> Void) {
    switch self {
    case .path(let path): if let project = path.foreignProject { body(project) }
    case .list(let elements): for element in elements { element.forEachReference(body) }
    case .map(let map): map.forEachReference(body)
    case .null, .bool, .int, .float, .string, .bytes, .set, .timestamp, .duration, .latlng,
      .mapDiff, .vector, .constraint:
      return
    }
  }

  /// Returns the value in which references to a project do not name it.
  fileprivate func ownReferences(of project: Text) -> Value {
    switch self {
    case .path(let path) where path.foreignProject == project:
      .path(PathValue(Array(path.segments.dropFirst(2))))
    case .list(let elements): .list(elements.map { $0.ownReferences(of: project) })
    case .map(let map): .map(map.ownReferences(of: project))
    case .null, .bool, .int, .float, .string, .bytes, .set, .timestamp, .duration, .latlng, .path,
      .mapDiff, .vector, .constraint:
      self
    }
  }
}

extension PathValue {
  /// The project that a reference names; nil if its path begins with a database.
  fileprivate var foreignProject: Text? {
    guard segments.count > 2, case .plain(let word) = segments[0], word == "projects",
      case .plain(let project) = segments[1]
    else { return nil }
    return project
  }
}
