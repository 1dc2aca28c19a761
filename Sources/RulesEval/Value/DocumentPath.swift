public import RulesLang

/// The path of a document or collection below the database root: `/users/alice`.
public struct DocumentPath: Hashable, Sendable {
  /// The segments: collection and document IDs in turn.
  public var segments: [Text]

  /// Creates a path of segments.
  public init(_ segments: [Text]) { self.segments = segments }

  /// Reads `/users/alice` or `users/alice`, or with the root of the database, as
  /// `/databases/(default)/documents/users/alice`; nil if a segment is empty. Segments are plain text, not
  /// percent-encoded.
  public init?(_ text: Text, in database: DatabaseName = .standard) {
    let bytes = text.bytes
    segments = []
    segments.reserveCapacity(2)
    var start = bytes.first == UInt8(ascii: "/") ? 1 : 0
    while true {
      let end = bytes.place(of: UInt8(ascii: "/"), in: start..<bytes.count)
      guard end > start else { return nil }
      segments.append(Text(wellFormed: Array(bytes[start..<end])))
      if end == bytes.count { break }
      start = end + 1
    }
    if segments.count > DatabaseName.rootCount, segments.starts(with: database.root) {
      segments.removeFirst(DatabaseName.rootCount)
    }
  }

  /// True if the path names a document: an even number of segments.
  public var isDocument: Bool { !segments.isEmpty && segments.count.isMultiple(of: 2) }

  /// The last segment; empty for the root.
  public var id: Text { segments.last ?? Text() }

  /// The segments from the top of the resource name: `databases`, `(default)`, `documents`, ….
  public func fullSegments(in database: DatabaseName) -> [Text] { database.root + segments }

  /// The value that `request.path` and `__name__` have.
  public func value(in database: DatabaseName) -> PathValue {
    var steps: [PathValue.Segment] = []
    steps.reserveCapacity(DatabaseName.rootCount + segments.count)
    for segment in database.root { steps.append(.plain(segment)) }
    for segment in segments { steps.append(.plain(segment)) }
    return PathValue(steps)
  }

  /// The path as people write it, with a slash in front.
  public var text: Text {
    var bytes: [UInt8] = []
    for segment in segments {
      bytes.append(UInt8(ascii: "/"))
      bytes += segment.bytes
    }
    return Text(wellFormed: bytes)
  }

  /// The document that a full path names, if it is a well-formed one of the database.
  package init?(full: [Text], in database: DatabaseName) {
    guard full.count > DatabaseName.rootCount, full[0] == database.root[0],
      full[2] == database.root[2], database.isNamed(by: full[DatabaseName.place])
    else { return nil }
    let own = full[DatabaseName.rootCount...]
    if own.contains(where: { $0.isEmpty }) { return nil }
    segments = Array(own)
  }
}
