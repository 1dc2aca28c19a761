public import RulesLang

/// The path of a document or collection below the database root: `/users/alice`.
public struct DocumentPath: Hashable, Sendable {
  /// The segments; as many as levels.
  public var segments: [Text]

  /// Makes a path of segments.
  public init(_ segments: [Text]) { self.segments = segments }

  /// Reads `/users/alice` or `users/alice`, or the same from the top, as
  /// `/databases/(default)/documents/users/alice`; nil if a segment is empty. Segments are plain text, not
  /// percent-encoded.
  public init?(_ text: Text) {
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
    if segments.count > Self.root.count, segments.starts(with: Self.root) {
      segments.removeFirst(Self.root.count)
    }
  }

  /// Whether the path names a document: an even number of segments.
  public var isDocument: Bool { !segments.isEmpty && segments.count.isMultiple(of: 2) }

  /// The last segment; empty for the root.
  public var id: Text { segments.last ?? Text() }

  /// The segments from the top of the resource name: `databases`, `(default)`, `documents`, ….
  public var fullSegments: [Text] { Self.root + segments }

  /// The value that `request.path` and `__name__` have.
  public var value: PathValue {
    var steps: [PathValue.Segment] = []
    steps.reserveCapacity(Self.root.count + segments.count)
    for segment in Self.root { steps.append(.plain(segment)) }
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

  /// The segments above every document of the default database.
  public static let root: [Text] = ["databases", "(default)", "documents"]

  /// The document that a full path names, if it is a well-formed one of the default database, whose
  /// name may also be left empty.
  package init?(full: [Text]) {
    guard full.count > Self.root.count, full[0] == Self.root[0], full[2] == Self.root[2],
      full[1] == Self.root[1] || full[1].isEmpty
    else { return nil }
    let own = full[Self.root.count...]
    if own.contains(where: { $0.isEmpty }) { return nil }
    segments = Array(own)
  }
}
