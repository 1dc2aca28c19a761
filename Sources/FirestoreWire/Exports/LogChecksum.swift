/// The checksum of a LevelDB log: CRC-32C, masked so that checksums of data that contain checksums are
/// reliable.
enum LogChecksum {
  /// The reversed polynomial of Castagnoli.
  private static let polynomial: UInt32 = 0x82F6_3B78
  /// The constant that LevelDB adds to a rotated checksum.
  private static let mask: UInt32 = 0xA282_EAD8

  private static let table: [UInt32] = (0..<256).map { byte in
    var value = UInt32(byte)
    for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ polynomial }
    return value
  }

  /// Returns the CRC-32C of some bytes.
  static func crc(of bytes: ArraySlice<UInt8>) -> UInt32 {
    let table = table
    var value = UInt32.max
    for byte in bytes { value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8 }
    return ~value
  }

  /// Returns the masked checksum of a record's type byte and content.
  static func masked(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    let value = crc(of: bytes)
    return (value >> 15 | value << 17) &+ mask
  }
}
