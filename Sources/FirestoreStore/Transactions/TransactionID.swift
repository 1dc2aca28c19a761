import RulesLang

/// The ID of a transaction: the byte 0x11 and a number of eight bytes in little-endian order, as on the
/// official emulator.
public struct TransactionID: Hashable, Sendable {
  /// The bytes on the wire.
  public let bytes: [UInt8]

  /// The first byte of an ID.
  private static let mark: UInt8 = 0x11

  /// Creates an ID from the bytes of a message.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Creates the ID of a number.
  init(number: UInt64) {
    bytes = [Self.mark] + (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// The number; nil if the bytes are not the ID of a transaction.
  var number: UInt64? {
    guard bytes.count == 9, bytes[0] == Self.mark else { return nil }
    return bytes.dropFirst().reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
