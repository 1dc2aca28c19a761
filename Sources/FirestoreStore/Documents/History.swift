import RulesEval
import RulesLang

/// Earlier versions of documents, for reads of the past, within limits of number and size.
struct History: Sendable {
  /// A version that a commit replaced.
  struct Version: Sendable {
    /// The document's path.
    var path: DocumentPath
    /// The document before the commit; nil if it was missing.
    var document: StoredDocument?
    /// The time of the commit.
    var replaced: Timestamp
    /// The bytes that the version counts.
    var size: Int
  }

  /// Maximum number of kept versions; the oldest are dropped. A commit in tests of rules replaces a few.
  static let mostVersions = 4096
  /// Maximum bytes of names and texts in kept versions: 16 MiB, the size of sixteen documents of maximum
  /// size.
  static let mostBytes = 1 << 24
  /// Maximum age of a read in seconds: an hour, as Firestore documents for databases without point-in-time
  /// recovery.
  static let mostSeconds: Int64 = 3600

  /// The versions by time; those before `first` are dropped.
  private var versions: [Version] = []
  /// The index of the first kept version.
  private var first = 0
  /// The bytes of all kept versions.
  private var bytes = 0
  /// The earliest time since which all versions are known.
  private(set) var floor = Timestamp.earliest

  /// Creates a history without versions.
  init() {}

  /// The kept versions, by time.
  var kept: ArraySlice<Version> { versions[first...] }

  /// Adds a version that a commit replaced. Requires non-decreasing times.
  mutating func add(_ path: DocumentPath, _ document: StoredDocument?, replaced: Timestamp) {
    let size = path.text.bytes.count + (document?.data.leastStoredSize ?? 0)
    versions.append(Version(path: path, document: document, replaced: replaced, size: size))
    bytes += size
    while versions.count - first > Self.mostVersions || bytes > Self.mostBytes { dropFirst() }
  }

  /// Returns the time at which the last kept version of a document was replaced; nil if no version is kept,
  /// or the document was missing in the last one. For a missing document this is the time of its deletion.
  ///
  /// - Complexity: O(*n*) in the number of kept versions.
  func deletion(of path: DocumentPath) -> Timestamp? {
    guard let last = kept.last(where: { $0.path == path }), last.document != nil else { return nil }
    return last.replaced
  }

  /// Drops all versions, which were replaced at or before a time.
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
