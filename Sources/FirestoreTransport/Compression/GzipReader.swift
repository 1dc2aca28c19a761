/// A reader of gzip data (RFC 1952).
enum GzipReader {
  private static let magic: [UInt8] = [0x1f, 0x8b, 8]

  /// Returns the concatenated content of all members. As on the official emulator, bytes after the last
  /// member are ignored.
  ///
  /// - Parameter limit: Maximum bytes of the content.
  static func expand(_ bytes: [UInt8], limit: Int) throws(CompressionProblem) -> [UInt8] {
    var output: [UInt8] = []
    var bits = BitReader(bytes, at: 0)
    repeat {
      try skipHeader(&bits)
      var reader = DeflateReader(bits, limit: limit - output.count)
      try reader.readAll()
      bits = reader.bits
      let sum = try bits.number(bytes: 4)
      let size = try bits.number(bytes: 4)
      guard sum == Int(Checksum.of(reader.output)), size == reader.output.count & 0xffff_ffff
      else { throw .damaged }
      output += reader.output
    } while bytes[bits.index...].starts(with: magic)
    return output
  }

  private static func skipHeader(_ bits: inout BitReader) throws(CompressionProblem) {
    let start = bits.index
    guard try bits.bytes(3).elementsEqual(magic) else { throw .damaged }
    let flags = try bits.nextByte()
    // The modification time, extra flags and operating system are ignored.
    _ = try bits.bytes(6)
    if flags & 4 != 0 { _ = try bits.bytes(try bits.number(bytes: 2)) }
    for text in [8, 16] as [UInt8] where flags & text != 0 {
      while try bits.nextByte() != 0 {}
    }
    if flags & 2 != 0 {
      let sum = Checksum.of(bits.passed(since: start))
      guard try bits.number(bytes: 2) == Int(sum & 0xffff) else { throw .damaged }
    }
  }
}

/// CRC-32, the checksum of gzip.
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xedb8_8320 }
  }

  /// Returns the checksum of some bytes.
  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }
}
