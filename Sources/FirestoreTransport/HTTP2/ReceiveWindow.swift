/// The receive window of a stream or of the connection (RFC 9113 §5.2). It is restored when half of it is
/// used, so that clients need not wait and few frames are sent.
struct ReceiveWindow: Sendable {
  private let size: Int
  private var left: Int
  private var owed = 0

  /// Creates a full window.
  init(size: Int) {
    self.size = size
    left = size
  }

  /// Subtracts received bytes. Returns false if they exceed the window.
  mutating func receive(_ bytes: Int) -> Bool {
    guard bytes <= left else { return false }
    left -= bytes
    owed += bytes
    return true
  }

  /// Returns the increment to announce now; nil if there is none.
  mutating func takeIncrement() -> UInt32? {
    guard owed > 0, owed >= size / 2 else { return nil }
    defer { owed = 0 }
    left += owed
    return UInt32(truncatingIfNeeded: owed)
  }
}
