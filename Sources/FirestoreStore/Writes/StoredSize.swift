package import RulesEval
import RulesLang

// The documented size of a document, which the official emulator enforces to the byte (Docs/Emulator.md,
// Values).

extension StoredDocument {
  /// Maximum bytes of a document with its name: 1 MiB.
  static let greatestSize = 1_048_576

  /// Returns the size of a document with some data.
  static func size(of data: MapValue, at path: DocumentPath) -> Int {
    let overhead = 32
    return path.storedSize + data.storedSize + overhead
  }
}

extension DocumentPath {
  /// The size of a document's name.
  package var storedSize: Int { segments.reduce(16) { $0 + $1.bytes.count + 1 } }
}

extension MapValue {
  /// The size of all names and values of the map.
  package var storedSize: Int {
    reduce(0) { $0 + $1.0.bytes.count + 1 + $1.1.storedSize }
  }
}

extension Value {
  /// The size of the value in a document. The recursion depth is that of documents, which is limited.
  package var storedSize: Int {
    switch self {
    case .null, .bool: 1
    case .int, .float, .timestamp: 8
    case .string(let text): text.bytes.count + 1
    case .bytes(let bytes): bytes.count
    case .latlng: 16
    case .path(let path):
      DocumentPath(((try? path.flattened()) ?? []).dropFirst(DatabaseName.rootCount).map { $0 })
        .storedSize
    case .list(let elements): elements.reduce(0) { $0 + $1.storedSize }
    case .map(let map): map.storedSize
    case .vector(let numbers): 8 * numbers.count + 26
    case .set, .duration, .mapDiff, .constraint: 0
    }
  }
}
