/// A writer of a LevelDB log.
package struct LogWriter {
  /// The log so far.
  package private(set) var bytes: [UInt8] = []

  /// Creates an empty log.
  package init() {}

  /// Adds a record, which is split at the ends of blocks.
  package mutating func add(_ record: [UInt8]) {
    var rest = record[...]
    var isFirst = true
    repeat {
      var room = LogLayout.block - bytes.count % LogLayout.block
      if room < LogLayout.header {
        bytes += repeatElement(0, count: room)
        room = LogLayout.block
      }
      let content = rest.prefix(room - LogLayout.header)
      rest = rest.dropFirst(content.count)
      let part: LogLayout.Part =
        isFirst ? (rest.isEmpty ? .whole : .first) : rest.isEmpty ? .last : .middle
      add(part, holding: content)
      isFirst = false
    } while !rest.isEmpty
  }

  private mutating func add(_ part: LogLayout.Part, holding content: ArraySlice<UInt8>) {
    let start = bytes.count
    bytes += repeatElement(0, count: LogLayout.header - 1)
    bytes.append(part.rawValue)
    bytes += content
    let checksum = LogChecksum.masked(bytes[(start + LogLayout.header - 1)...])
    for place in 0..<4 {
      bytes[start + place] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * place))
    }
    bytes[start + 4] = UInt8(content.count & 0xFF)
    bytes[start + 5] = UInt8(content.count >> 8)
  }
}
