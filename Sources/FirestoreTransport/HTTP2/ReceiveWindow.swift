/// The receive window of a stream or of the connection (RFC 9113 §5.2). The bytes read are given back once
/// they are half of the window, so that clients never wait and few frames are sent.
struct ReceiveWindow: Sendable {
  private let size: Int
  private var left: Int
  private var owed = 0

  /// Creates a full window.
  init(size: Int) {
    self.size = size
    left = size
  }

  /// Takes bytes off; false if the client had no right to send them.
  mutating func receive(_ bytes: Int) -> Bool {
    guard bytes <= left else { return false }
    left -= bytes
    owed += bytes
    return true
  }

  /// Returns what to give back now, or nil.
  mutating func takeIncrement() -> UInt32? {
    guard owed > 0, owed >= size / 2 else { return nil }
    defer { owed = 0 }
    left += owed
    return UInt32(truncatingIfNeeded: owed)
  }
}
