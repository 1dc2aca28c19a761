/// The number of an exchange on a connection: an HTTP/2 stream, or an HTTP/1 request counted from 1.
public struct StreamID: Hashable, Comparable, Sendable {
  /// The number in frames; HTTP/2 clients use odd ones.
  public let number: UInt32

  /// Creates the ID of a number.
  public init(_ number: UInt32) { self.number = number }

  /// Orders streams by their numbers, which is the order in which clients open them.
  public static func < (one: StreamID, other: StreamID) -> Bool { one.number < other.number }
}
