import RulesLang

/// What is stored: documents by path, with an overlay so that a change costs only what it changes.
public struct Documents: Sendable {
  private var base: [DocumentPath: MapValue]
  /// Changes over the base; nil inside for a deleted document.
  private var overlay: [DocumentPath: MapValue?] = [:]

  /// Makes an empty store.
  public init() { base = [:] }

  /// Makes a store of documents.
  public init(_ documents: [(DocumentPath, MapValue)]) {
    base = [:]
    for (path, data) in documents { base[path] = data.storable }
  }

  /// The data of a document; setting nil deletes it.
  public subscript(_ path: DocumentPath) -> MapValue? {
    get {
      if let changed = overlay[path] { return changed }
      return base[path]
    }
    set { overlay[path] = .some(newValue) }
  }

  /// Every stored document, sorted by path.
  public var all: [(path: DocumentPath, data: MapValue)] {
    var paths = Array(base.keys)
    paths += overlay.keys.filter { base[$0] == nil }
    let sorted = paths.sorted { Text.precedesByCodePoint($0.text, $1.text) }
    return sorted.compactMap { path in self[path].map { (path, $0) } }
  }

  /// The value of `resource` for a stored document: `data`, `id` and `__name__`.
  public static func resource(_ path: DocumentPath, _ data: MapValue) -> Value {
    resource(path, data, path.value)
  }

  /// The same where the value of the path is at hand.
  static func resource(_ path: DocumentPath, _ data: MapValue, _ name: PathValue) -> Value {
    .map(
      MapValue([
        (RequestNames.data, .map(data)), (RequestNames.id, .string(path.id)),
        (RequestNames.name, .path(name)),
      ]))
  }
}
