import Testing

@testable import FirestoreWire

/// Logs of LevelDB, in which exports are written.
@Suite struct LogReaderTests {
  @Test func theChecksumIsThatOfItsPublishedVectors() {
    #expect(LogChecksum.crc(of: Array("123456789".utf8)[...]) == 0xE306_9283)
    #expect(LogChecksum.crc(of: [UInt8](repeating: 0, count: 32)[...]) == 0x8A91_36AA)
    #expect(LogChecksum.crc(of: [UInt8](repeating: 0xFF, count: 32)[...]) == 0x62A8_AB43)
    #expect(LogChecksum.crc(of: [UInt8](0..<32)[...]) == 0x46DD_794E)
  }

  /// Makes a part of a record.
  private static func part(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
    let body = [type] + content
    let sum = LogChecksum.masked(body[...])
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
    return bytes + [UInt8(content.count & 0xFF), UInt8(content.count >> 8)] + body
  }

  private static func records(_ bytes: [UInt8]) throws(ExportProblem) -> [LogReader.Record] {
    var reader = LogReader(bytes)
    var found: [LogReader.Record] = []
    while let record = try reader.next() { found.append(record) }
    return found
  }

  private static func problem(_ bytes: [UInt8]) -> ExportProblem? {
    do throws(ExportProblem) {
      _ = try records(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test func recordsComeWholeAndInParts() throws {
    let big = [UInt8](repeating: 7, count: LogLayout.block - 2 * LogLayout.header - 1)
    // The first block is full but for six bytes, in which no header has room.
    let bytes =
      Self.part(1, [1]) + Self.part(2, big.dropLast(6)) + [UInt8](repeating: 0, count: 6)
      + Self.part(3, [8]) + Self.part(4, [9]) + Self.part(1, [])
    let found = try Self.records(bytes)
    #expect(found.map { $0.offset } == [0, 8, LogLayout.block + 16])
    #expect(found.map { $0.bytes } == [[1], big.dropLast(6) + [8, 9], []])
  }

  @Test func theRestOfABlockMayBeEmpty() throws {
    let bytes =
      Self.part(1, [1]) + [UInt8](repeating: 0, count: LogLayout.block - 8) + Self.part(1, [2])
    #expect(try Self.records(bytes).map { $0.bytes } == [[1], [2]])
    #expect(try Self.records([]).isEmpty)
  }

  @Test func eachFaultIsSaidWithItsByte() {
    let cases: [(bytes: [UInt8], offset: Int, words: String)] = [
      (Self.part(1, [1]) + Self.part(3, [2]), 8, "has no beginning"),
      (Self.part(2, [1]), 0, "the file ends inside"),
      (Self.part(2, [1]) + Self.part(1, [2]), 8, "begins before the record before it ends"),
      (Self.part(5, [1]), 0, "is of type 5"),
      (Self.part(1, [1]).dropLast() + [2], 0, "checksum"),
      (Self.part(1, [1]) + [1, 2, 3], 8, "no whole header"),
      ([0, 0, 0, 0, 0xFF, 0xFF, 1], 0, "a length of 65535"),
      (Self.part(1, [1]) + [0, 0, 0, 0, 0, 0, 0, 1], 8, "is of type 0"),
    ]
    for (bytes, offset, words) in cases {
      let problem = Self.problem(bytes)
      #expect(problem?.offset == offset, "\(words)")
      #expect(problem?.reason.contains(words) == true, "\(String(describing: problem))")
    }
  }

  @Test func noPrefixAndNoChangedBytePassesUnseen() {
    let whole = RecordedExport.output
    for count in 1..<whole.count where count != 50 {
      #expect(Self.problem(Array(whole[..<count])) != nil, "\(count)")
    }
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 0x10
      #expect(Self.problem(bytes) != nil, "\(place)")
    }
  }
}
