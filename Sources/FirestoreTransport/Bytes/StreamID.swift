/// Number of an exchange on one connection: a stream of HTTP/2, or a request of HTTP/1 counted from 1.
public struct StreamID: Hashable, Comparable, Sendable {
  /// The number on the wire; HTTP/2 clients use odd ones.
  public let number: UInt32

  /// Creates the ID of a number.
  public init(_ number: UInt32) { self.number = number }

  /// Orders streams by their numbers, which is the order in which clients open them.
  public static func < (one: StreamID, other: StreamID) -> Bool { one.number < other.number }
}
