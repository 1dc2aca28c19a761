import RulesEval
import RulesLang

/// Earlier versions of documents, for reads of the past: as many as fit.
struct History: Sendable {
  /// A version that a commit replaced.
  struct Version: Sendable {
    /// The document's path.
    var path: DocumentPath
    /// The document before the commit; nil if it was missing.
    var document: StoredDocument?
    /// The time of the commit.
    var replaced: Timestamp
    /// The bytes that the version counts for.
    var size: Int
  }

  /// Versions that are kept, those that were replaced last. A commit of rules tests replaces a few.
  static let mostVersions = 4096
  /// Bytes of names and texts in kept versions: 16 MiB, room for sixteen documents of the greatest size.
  static let mostBytes = 1 << 24
  /// Seconds that reads go back: an hour, as Firestore documents it of databases without recovery.
  static let mostSeconds: Int64 = 3600

  /// The versions by time, from `first` on.
  private var versions: [Version] = []
  /// The place of the first version that is kept.
  private var first = 0
  /// The bytes of all versions that are kept.
  private var bytes = 0
  /// The time before which not all versions are known.
  private(set) var floor = Timestamp.earliest

  /// Makes a history without versions.
  init() {}

  /// The versions that are kept, by time.
  var kept: ArraySlice<Version> { versions[first...] }

  /// Keeps a version that a commit replaces; times only grow.
  mutating func add(_ path: DocumentPath, _ document: StoredDocument?, replaced: Timestamp) {
    let size = path.text.bytes.count + (document?.data.leastStoredSize ?? 0)
    versions.append(Version(path: path, document: document, replaced: replaced, size: size))
    bytes += size
    while versions.count - first > Self.mostVersions || bytes > Self.mostBytes { dropFirst() }
  }

  /// The time of the last deletion of a document, if its last version is kept and was stored.
  ///
  /// - Complexity: linear in the versions that are kept.
  func deletion(of path: DocumentPath) -> Timestamp? {
    guard let last = kept.last(where: { $0.path == path }), last.document != nil else { return nil }
    return last.replaced
  }

  /// Forgets all versions that a commit at a time replaced, or an earlier one.
  mutating func clear(until time: Timestamp) {
    versions = []
    first = 0
    bytes = 0
    floor = time
  }

  private mutating func dropFirst() {
    let version = versions[first]
    bytes -= version.size
    floor = version.replaced
    versions[first].document = nil
    first += 1
    if first > Self.mostVersions {
      versions.removeSubrange(..<first)
      first = 0
    }
  }
}
