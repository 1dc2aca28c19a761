/// A queue of bytes: appended at the end, read at a start that moves. A byte is moved at most twice, however
/// small the pieces are in which it comes and goes.
struct ByteQueue: Sendable {
  private var storage: [UInt8] = []
  private var start = 0

  /// Bytes that were appended and not consumed.
  var count: Int { storage.count - start }
  /// True if nothing waits.
  var isEmpty: Bool { storage.count == start }

  /// Appends bytes; an empty queue takes the array itself.
  mutating func append(_ bytes: [UInt8]) {
    guard !isEmpty else { return replace(with: bytes) }
    compact()
    storage += bytes
  }

  /// Appends a copy of a slice.
  mutating func append(_ bytes: ArraySlice<UInt8>) {
    guard !isEmpty else { return replace(with: Array(bytes)) }
    compact()
    storage += bytes
  }

  private mutating func replace(with bytes: [UInt8]) {
    storage = bytes
    start = 0
  }

  /// Drops consumed bytes once they are more than those that wait.
  private mutating func compact() {
    guard start > storage.count / 2 else { return }
    storage.removeSubrange(..<start)
    start = 0
  }

  /// The byte at an offset from the start.
  ///
  /// - Requires: `offset` is in `0..<count`.
  subscript(offset: Int) -> UInt8 { storage[start + offset] }

  /// Returns bytes by their offsets from the start, without copying.
  ///
  /// - Requires: `range` lies in `0..<count`.
  func slice(_ range: Range<Int>) -> ArraySlice<UInt8> {
    storage[start + range.lowerBound..<start + range.upperBound]
  }

  /// Returns the offset of the first byte of a value at or after an offset, or nil.
  ///
  /// - Requires: `offset` is in `0...count`.
  func offset(of byte: UInt8, from offset: Int) -> Int? {
    storage[(start + offset)...].firstIndex(of: byte).map { $0 - start }
  }

  /// Drops bytes at the start.
  ///
  /// - Requires: `size` is at most `count`.
  mutating func consume(_ size: Int) {
    precondition(size >= 0 && size <= count)
    start += size
    if isEmpty { replace(with: []) }
  }

  /// Removes and returns bytes at the start.
  ///
  /// - Requires: `size` is at most `count`.
  mutating func take(_ size: Int) -> [UInt8] {
    if start == 0, size == storage.count {
      defer { replace(with: []) }
      return storage
    }
    defer { consume(size) }
    return Array(slice(0..<size))
  }
}
