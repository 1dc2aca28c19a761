/// A half-open span of bytes in one source text, 0-based.
public struct SourceRange: Hashable, Sendable {
  /// The offset of the first byte.
  public var start: UInt32
  /// The offset just past the last byte; never less than `start`.
  public var end: UInt32

  /// Creates the range `start..<end`.
  public init(start: UInt32, end: UInt32) {
    self.start = start
    self.end = end < start ? start : end
  }

  /// Creates the range `start..<end` from plain indices.
  public init(start: Int, end: Int) {
    self.init(start: UInt32(start), end: UInt32(end))
  }

  /// The empty range at the start of the text, for diagnostics about no place in particular.
  public static let none = SourceRange(start: UInt32(0), end: 0)

  /// The number of bytes covered.
  public var count: Int { Int(end - start) }

  /// True if no byte is covered.
  public var isEmpty: Bool { start == end }

  /// The smallest range that covers both.
  public func union(_ other: SourceRange) -> SourceRange {
    SourceRange(start: min(start, other.start), end: max(end, other.end))
  }

  /// True if `offset` lies inside.
  public func contains(_ offset: UInt32) -> Bool { start <= offset && offset < end }
}
