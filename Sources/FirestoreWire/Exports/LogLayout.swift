/// The layout of a LevelDB log: blocks with whole records or parts of records.
package enum LogLayout {
  /// Bytes of a block.
  static let block = 32_768
  /// Bytes before the content of a part: checksum, length and type. Fewer bytes at the end of a block are
  /// unused.
  package static let header = 7

  /// The position of a part in its record.
  enum Part: UInt8 {
    case whole = 1
    case first, middle, last
  }
}
