import RulesLang

/// Writes protobuf from its end to its beginning.
///
/// A length precedes the message that it measures. Written backwards, the message is there when its length is
/// needed, so nothing is measured first and nothing is moved. Of two parts the second one is written first.
struct ProtobufWriter {
  /// The bytes; those from `start` on are written.
  private var bytes: [UInt8]
  private var start: Int
  /// References of the message's own project.
  let references: ReferenceName

  private static let firstCapacity = 256

  /// Begins with nothing.
  init(project: Text) {
    bytes = [UInt8](repeating: 0, count: Self.firstCapacity)
    start = bytes.count
    references = ReferenceName(project: project)
  }

  /// Everything that has been written.
  var written: [UInt8] { Array(bytes[start...]) }

  /// The number of bytes that have been written: a mark to measure a message from.
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

  /// Writes the length of everything that has been written since a mark.
  mutating func length(since mark: Int) { varint(UInt64(count - mark)) }

  /// Writes a string with its length.
  mutating func text(_ text: Text) { octets(WireText.utf8(of: text)) }

  /// Writes bytes with their length.
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

  /// Moves the start down, after there is room before it.
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
