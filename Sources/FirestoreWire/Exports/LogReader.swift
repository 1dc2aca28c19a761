/// A reader of the records of a LevelDB log, the format of exports.
struct LogReader {
  /// A record of the log.
  struct Record {
    /// The offset of its first part in the log.
    var offset: Int
    /// The content.
    var bytes: [UInt8]
  }

  private let bytes: [UInt8]
  private var index = 0

  /// Creates a reader at the first record of a file.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads the next record; nil at the end of the file.
  mutating func next() throws(ExportProblem) -> Record? {
    guard let (offset, part, content) = try nextPart() else { return nil }
    var record = Record(offset: offset, bytes: Array(content))
    switch part {
    case .whole: return record
    case .first: break
    case .middle, .last:
      throw ExportProblem(offset: offset, reason: "is the rest of a record that has no beginning")
    }
    while let (place, part, content) = try nextPart() {
      switch part {
      case .whole, .first:
        throw ExportProblem(offset: place, reason: "begins before the record before it ends")
      case .middle: record.bytes += content
      case .last:
        record.bytes += content
        return record
      }
    }
    throw ExportProblem(offset: offset, reason: "has no end: the file ends inside of it")
  }

  /// Reads the next part of a record; nil at the end of the file.
  private mutating func nextPart() throws(ExportProblem) -> (
    offset: Int, part: LogLayout.Part, content: ArraySlice<UInt8>
  )? {
    while index < bytes.count {
      let room = LogLayout.block - index % LogLayout.block
      if room >= LogLayout.header, !isEmpty(for: room) { return try part(in: room) }
      index += room
    }
    return nil
  }

  /// Reads a part of a record from the remaining bytes of a block.
  private mutating func part(in room: Int) throws(ExportProblem) -> (
    offset: Int, part: LogLayout.Part, content: ArraySlice<UInt8>
  ) {
    let offset = index
    guard bytes.count - offset >= LogLayout.header else {
      throw ExportProblem(offset: offset, reason: "has no whole header: the file ends inside of it")
    }
    let length = Int(bytes[offset + 4]) | Int(bytes[offset + 5]) << 8
    let end = offset + LogLayout.header + length
    guard end <= bytes.count, LogLayout.header + length <= room
    else {
      throw ExportProblem(
        offset: offset,
        reason: "has a length of \(length), beyond the end of its block or of the file")
    }
    guard let part = LogLayout.Part(rawValue: bytes[offset + 6]) else {
      throw ExportProblem(
        offset: offset, reason: "is of type \(bytes[offset + 6]), which no record is")
    }
    var checksum: UInt32 = 0
    for place in 0..<4 { checksum |= UInt32(bytes[offset + place]) << UInt32(8 * place) }
    guard checksum == LogChecksum.masked(bytes[offset + 6..<end]) else {
      throw ExportProblem(offset: offset, reason: "does not have the checksum that it says")
    }
    index = end
    return (offset, part, bytes[offset + LogLayout.header..<end])
  }

  /// True if the rest of the block was preallocated and never written.
  private func isEmpty(for room: Int) -> Bool {
    bytes[index..<min(index + room, bytes.count)].allSatisfy { $0 == 0 }
  }
}
