/// Cyclic redundancy checks of 32 bits, with the bits of an octet taken from the lowest and both
/// register and result inverted, by a table of 256 entries.
public struct CRC32: Sendable {
  private let table: [UInt32]

  /// The check of ISO 3309, zip and PNG: polynomial 0x04C11DB7. `hashing.crc32`.
  public static let standard = CRC32(reversedPolynomial: 0xEDB8_8320)
  /// The check of Castagnoli, iSCSI and Google's storage: polynomial 0x1EDC6F41. `hashing.crc32c`.
  public static let castagnoli = CRC32(reversedPolynomial: 0x82F6_3B78)

  /// Creates the table for a polynomial, written with its highest power in the lowest bit.
  private init(reversedPolynomial polynomial: UInt32) {
    var table: [UInt32] = []
    for octet: UInt32 in 0..<256 {
      var entry = octet
      for _ in 0..<8 { entry = entry >> 1 ^ (entry & 1 == 1 ? polynomial : 0) }
      table.append(entry)
    }
    self.table = table
  }

  /// The check of a message as a number.
  public func value(of message: [UInt8]) -> UInt32 {
    var register = UInt32.max
    for octet in message {
      let index = UInt8(truncatingIfNeeded: register) ^ octet
      register = register >> 8 ^ table[Int(index)]
    }
    return ~register
  }

  /// The check of a message as four octets, the lowest first, as the rules language returns it.
  /// (Docs/Language.md §8)
  public func hash(_ message: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.append(octetsOf: value(of: message))
    return result
  }
}
