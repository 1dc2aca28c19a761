/// A message cut into blocks of 64 octets as MD5 and SHA-256 do it: after the message an octet 0x80,
/// zeros, and at the end of the last block the length of the message in bits as 64 bits.
struct PaddedBlocks {
  private let message: [UInt8]
  /// The one or two blocks after the last full block of the message.
  private let tail: [UInt8]
  private let fullBlocks: Int

  /// Pads a message; a length that is big-endian has its highest octet first.
  init(_ message: [UInt8], lengthIsBigEndian: Bool) {
    self.message = message
    fullBlocks = message.count / 64
    var tail = Array(message[(fullBlocks * 64)...])
    tail.append(0x80)
    while tail.count % 64 != 56 { tail.append(0) }
    let length = UInt64(message.count) << 3
    let inOrder = lengthIsBigEndian ? length.byteSwapped : length
    tail.append(octetsOf: UInt32(truncatingIfNeeded: inOrder))
    tail.append(octetsOf: UInt32(truncatingIfNeeded: inOrder >> 32))
    self.tail = tail
  }

  /// The number of blocks.
  var count: Int { fullBlocks + tail.count / 64 }

  /// Word 0 to 15 of a block, its lowest octet first.
  func word(of block: Int, at index: Int) -> UInt32 {
    block < fullBlocks
      ? message.word(at: block * 64 + index * 4)
      : tail.word(at: (block - fullBlocks) * 64 + index * 4)
  }
}

extension [UInt8] {
  /// Four octets as a number, the lowest first.
  fileprivate func word(at offset: Int) -> UInt32 {
    UInt32(self[offset]) | UInt32(self[offset + 1]) << 8 | UInt32(self[offset + 2]) << 16
      | UInt32(self[offset + 3]) << 24
  }

  /// Appends a number as four octets, the lowest first.
  mutating func append(octetsOf word: UInt32) {
    append(UInt8(truncatingIfNeeded: word))
    append(UInt8(truncatingIfNeeded: word >> 8))
    append(UInt8(truncatingIfNeeded: word >> 16))
    append(UInt8(truncatingIfNeeded: word >> 24))
  }
}
