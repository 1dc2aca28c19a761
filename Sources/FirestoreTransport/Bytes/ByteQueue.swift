/// A queue of bytes, appended at the end and consumed at the start. A byte is moved at most twice, regardless
/// of the size of the pieces.
struct ByteQueue: Sendable {
  private var storage: [UInt8] = []
  private var start = 0

  /// The number of bytes in the queue.
  var count: Int { storage.count - start }
  /// True if the queue is empty.
  var isEmpty: Bool { storage.count == start }

  /// Appends bytes; an empty queue stores the array itself.
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

  /// Frees consumed bytes once they are more than the remaining ones.
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

  /// Returns the offset of the first occurrence of a byte at or after an offset; nil if there is none.
  ///
  /// - Requires: `offset` is in `0...count`.
  func offset(of byte: UInt8, from offset: Int) -> Int? {
    storage[(start + offset)...].firstIndex(of: byte).map { $0 - start }
  }

  /// Removes bytes at the start.
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
