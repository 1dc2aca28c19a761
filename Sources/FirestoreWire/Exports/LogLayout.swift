/// The layout of a LevelDB log: blocks that contain whole records or parts of them.
package enum LogLayout {
  /// Bytes of a block.
  static let block = 32_768
  /// Bytes before the content of a part: checksum, length and type. Fewer at the end of a block stay empty.
  package static let header = 7

  /// The place of a part in its record.
  enum Part: UInt8 {
    case whole = 1
    case first, middle, last
  }
}
