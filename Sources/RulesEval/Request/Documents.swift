public import RulesLang

/// Stored documents by path, in layers, so that a changed copy costs only its changes.
public struct Documents: Sendable {
  /// The new data of a document; nil data if it was deleted.
  private struct Change: Sendable {
    var path: DocumentPath
    var data: MapValue?
  }

  /// The lowest layer: the documents that the store was made with, if more than a few, and those that `store`
  /// puts in.
  private var base: [DocumentPath: MapValue] = [:]
  /// The changes over the base, once there are many; nil inside for a deleted document.
  private var overlay: [DocumentPath: MapValue?] = [:]
  /// The latest changes, at most one for each path. Most requests have one or two documents, which a linear
  /// search finds faster than hashing their paths.
  private var recent: [Change] = []

  private static let recentSize = 4

  /// Creates an empty store.
  public init() {}

  /// Creates a store of some documents.
  public init(_ documents: [(DocumentPath, MapValue)]) {
    if documents.count <= Self.recentSize {
      for (path, data) in documents { self[path] = data.storable }
    } else {
      for (path, data) in documents { base[path] = data.storable }
    }
  }

  /// The data of a document; setting nil deletes it.
  public subscript(_ path: DocumentPath) -> MapValue? {
    get {
      for change in recent where change.path == path { return change.data }
      if let changed = overlay[path] { return changed }
      return base[path]
    }
    set {
      for place in recent.indices where recent[place].path == path {
        recent[place].data = newValue
        return
      }
      if recent.count == Self.recentSize {
        for change in recent { overlay[change.path] = .some(change.data) }
        recent = []
      }
      recent.append(Change(path: path, data: newValue))
    }
  }

  /// Stores a document, or with nil deletes it, in the base and not as a layer over it.
  ///
  /// A server keeps one store for as long as it runs, and a request that applies its writes to a copy only
  /// adds layers to that. A layer in the store itself would grow with every commit, be copied by every
  /// such request, and hold what is deleted. The base is changed in place unless a copy is alive.
  package mutating func store(_ data: MapValue?, at path: DocumentPath) {
    recent.removeAll { $0.path == path }
    if !overlay.isEmpty { overlay.removeValue(forKey: path) }
    base[path] = data
  }

  /// Applies a write to its document, regardless of its precondition.
  mutating func apply(_ write: Write, at time: Timestamp) {
    self[write.path] = write.apply(to: self[write.path], time: time)
  }

  /// Applies the writes of a commit that the rules allow, in order: all of them, or none if Firestore
  /// refuses one because its document is missing or stored already.
  ///
  /// - Returns: The write that is refused; nil if all are applied.
  @discardableResult
  public mutating func commit(_ writes: [Write], at time: Timestamp) -> Write? {
    var after = self
    for write in writes {
      switch (write.precondition, after[write.path] != nil) {
      case (.exists, false), (.missing, true): return write
      case (.exists, true), (.missing, false), (.none, _): after.apply(write, at: time)
      }
    }
    self = after
    return nil
  }

  /// Every stored document, sorted by path.
  public var all: [(path: DocumentPath, data: MapValue)] {
    var paths = Set(base.keys)
    paths.formUnion(overlay.keys)
    for change in recent { paths.insert(change.path) }
    let sorted = paths.sorted { Text.precedesByCodePoint($0.text, $1.text) }
    return sorted.compactMap { path in self[path].map { (path, $0) } }
  }

  /// The value of `resource` for a stored document: `data`, `id` and `__name__`.
  public static func resource(
    at path: DocumentPath, with data: MapValue, in database: DatabaseName
  ) -> Value {
    resource(at: path, with: data, name: path.value(in: database))
  }

  /// Returns the value of `resource` for a stored document whose path is already a value.
  static func resource(at path: DocumentPath, with data: MapValue, name: PathValue) -> Value {
    var map = MapValue()
    map.reserve(3)
    map.append(RequestNames.data, value: .map(data))
    map.append(RequestNames.id, value: .string(path.id))
    map.append(RequestNames.name, value: .path(name))
    return .map(map)
  }
}
