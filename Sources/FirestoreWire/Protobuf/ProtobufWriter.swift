import RulesLang

/// A writer of protobuf from the end to the beginning.
///
/// The length of a message precedes it. Written backwards, the message is complete when its length is needed,
/// so that no message is measured in advance or moved. Of two consecutive parts, the second is written first.
struct ProtobufWriter {
  /// The buffer, which is written from `start` on.
  private var bytes: [UInt8]
  private var start: Int
  /// The converter of references, which knows the message's project.
  let references: ReferenceName

  private static let firstCapacity = 256

  /// Creates an empty writer.
  init(project: Text) {
    bytes = [UInt8](repeating: 0, count: Self.firstCapacity)
    start = bytes.count
    references = ReferenceName(project: project)
  }

  /// The written bytes.
  var written: [UInt8] { Array(bytes[start...]) }

  /// The number of written bytes, a mark from which the length of a message is measured.
  var count: Int { bytes.count - start }

  // MARK: Numbers

  /// Writes a tag.
  mutating func tag(_ tag: WireTag) { varint(UInt64(tag.bits)) }

  /// Writes a varint.
  mutating func varint(_ value: UInt64) {
    if value < 0x80 { return byte(UInt8(value)) }
    let length = (63 - value.leadingZeroBitCount) / 7 + 1
    makeRoom(for: length)
    var rest = value
    for place in start..<start + length - 1 {
      bytes[place] = UInt8(rest & 0x7F) | 0x80
      rest >>= 7
    }
    bytes[start + length - 1] = UInt8(rest)
  }

  /// Writes an int32, an int64 or an enumeration.
  mutating func int(_ value: Int64) { varint(UInt64(bitPattern: value)) }

  /// Writes a bool.
  mutating func bool(_ value: Bool) { byte(value ? 1 : 0) }

  /// Writes a double.
  mutating func double(_ value: Double) {
    makeRoom(for: 8)
    let bits = value.bitPattern
    for place in 0..<8 {
      bytes[start + place] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * place))
    }
  }

  // MARK: Parts with a length

  /// Writes the number of bytes written since a mark.
  mutating func length(since mark: Int) { varint(UInt64(count - mark)) }

  /// Writes a string, preceded by its length.
  mutating func text(_ text: Text) { octets(WireText.utf8(of: text)) }

  /// Writes bytes, preceded by their length.
  mutating func octets(_ octets: [UInt8]) {
    makeRoom(for: octets.count)
    // Safe: `makeRoom` has moved `start` down by the count, so the target lies inside the buffer.
    bytes.withUnsafeMutableBytes { buffer in
      UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + octets.count])
        .copyBytes(from: octets)
    }
    varint(UInt64(octets.count))
  }

  // MARK: Room

  private mutating func byte(_ byte: UInt8) {
    makeRoom(for: 1)
    bytes[start] = byte
  }

  /// Moves `start` down, growing the buffer if needed.
  @inline(__always)
  private mutating func makeRoom(for count: Int) {
    if start < count { grow(for: count) }
    start -= count
  }

  private mutating func grow(for count: Int) {
    let added = max(bytes.count, count)
    bytes = [UInt8](repeating: 0, count: added) + bytes
    start += added
  }
}
