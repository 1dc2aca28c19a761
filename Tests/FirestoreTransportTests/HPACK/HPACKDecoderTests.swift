import Testing

@testable import FirestoreTransport

@Suite struct HPACKDecoderTests {
  @Test func theHuffmanCodeIsCompleteAndHasTheEndOfStringAtItsEnd() {
    let sum = HuffmanCode.lengths.reduce(0) { $0 + 1 << (30 - Int($1)) }
    #expect(sum == 1 << 30)
    #expect(TestEncoder.codes[256].code == 0x3fff_ffff)
    #expect(TestEncoder.codes[Int(UInt8(ascii: "0"))].code == 0)
    #expect(TestEncoder.codes[0].code == 0x1ff8)
    #expect(TestEncoder.codes[249].code == 0xfff_fffe)
  }

  @Test func stringsOfAllBytesSurviveTheHuffmanCode() throws {
    var random = TrialRandom(seed: 1)
    let strings = [Array(0...255)] + (0..<200).map { _ in random.bytes(random.below(40)) }
    for string in strings {
      var decoded: [UInt8] = []
      try HuffmanCode.standard.decode(TestEncoder.huffman(string)[...], into: &decoded)
      #expect(decoded == string)
    }
  }

  /// Bit by bit: a code of any length, then at most seven 1s.
  private static func reference(_ bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var code: UInt32 = 0
    var length = 0
    for place in 0..<bytes.count * 8 {
      code = code << 1 | UInt32(bytes[place / 8] >> UInt8(7 - place % 8) & 1)
      length += 1
      guard let symbol = TestEncoder.symbols[UInt64(length) << 32 | UInt64(code)] else { continue }
      guard symbol < 256 else { return nil }
      result.append(UInt8(symbol))
      (code, length) = (0, 0)
    }
    return length < 8 && code == 1 << UInt32(length) - 1 ? result : nil
  }

  @Test func randomBitsAreReadAsTheReferenceReadsThem() {
    var random = TrialRandom(seed: 4)
    var good = 0
    for _ in 0..<1500 {
      var bytes = random.bytes(random.below(8))
      if random.onceIn(2), let last = bytes.popLast() { bytes += [last | 0x1f] }
      if random.onceIn(3) { bytes += [0xff, 0xff, 0xff, UInt8(random.below(256))] }
      var decoded: [UInt8] = []
      let isGood = (try? HuffmanCode.standard.decode(bytes[...], into: &decoded)) != nil
      #expect((isGood ? decoded : nil) == Self.reference(bytes))
      good += isGood ? 1 : 0
    }
    #expect(good > 200 && good < 1300)
  }

  @Test(arguments: [
    "ff", "ffff", "fffffffc", "ffffffff", "0000", "1e", "07ffffff",
  ])
  func badHuffmanPaddingIsRefused(hex: String) {
    var decoded: [UInt8] = []
    #expect(throws: HPACKProblem.badHuffmanCode) {
      try HuffmanCode.standard.decode(bytes(hex)[...], into: &decoded)
    }
  }

  /// 200 blocks of random fields by a client that uses all forms, on one decoder.
  @Test func randomListsOfAClientWithTablesAndHuffmanAreDecoded() throws {
    var random = TrialRandom(seed: 2)
    var encoder = TestEncoder()
    var decoder = HPACKDecoder()
    for round in 0..<200 {
      var block: [UInt8] = []
      if round % 20 == 19 { block = encoder.resize(to: random.below(4097)) }
      let headers = (0..<random.below(8)).map { _ in
        random.onceIn(3)
          ? StaticTable.entries[random.below(61)].header
          : HTTPHeader(
            "name-\(random.below(6))",
            String(repeating: "\(random.below(30))é", count: random.below(99)))
      }
      block += encoder.encode(headers) { random.below($0) }
      #expect(try decoder.decode(block[...], limit: 1 << 20).headers == headers)
    }
    #expect(decoder.tableSize > 0)
  }

  @Test(arguments: [
    ("80", HPACKProblem.unknownIndex(0)), ("be", .unknownIndex(62)),
    ("ff80808080", .integerTooLarge),
    ("ff", .truncated), ("41", .truncated), ("4103", .truncated), ("400161", .truncated),
    ("3fe21f", .badTableSize), ("8220", .badTableSize), ("7f", .truncated),
    ("0001618283", .truncated), ("000161821c", .truncated), ("00016181fe", .badHuffmanCode),
    ("ff81ffffff7f", .integerTooLarge),
  ])
  func badBlocksAreRefused(hex: String, problem: HPACKProblem) {
    var decoder = HPACKDecoder()
    #expect(throws: problem) { try decoder.decode(bytes(hex)[...], limit: 4096) }
  }

  @Test func aListThatIsTooLargeStillFillsTheTable() throws {
    var encoder = TestEncoder()
    var decoder = HPACKDecoder()
    let large = HTTPHeader("large", String(repeating: "v", count: 500))
    let first = try decoder.decode(
      encoder.encode([large, HTTPHeader("a", "b")])[...], limit: 100)
    #expect(first.isTooLarge && first.size == 537 + 34)
    let second = try decoder.decode(encoder.encode([large, large])[...], limit: 2000)
    #expect(second.headers == [large, large])
  }

  @Test func textThatIsNotUTF8CountsAsItWasSent() throws {
    var decoder = HPACKDecoder()
    // Two entries of 4096 bytes together: one byte more would have evicted the first.
    let value = String(repeating: "v", count: 4096 - 33 - 37)
    var block: [UInt8] = [
      0x40, 1, UInt8(ascii: "a"), 4, 0xff, 0xff, 0xff, 0xff, 0x40, 1, UInt8(ascii: "b"),
    ]
    HPACKEncoder.append(value.utf8.count, bits: 7, flags: 0, to: &block)
    block += value.utf8
    block.append(0xbf)
    let list = try decoder.decode(block[...], limit: 10_000)
    #expect(decoder.tableSize == 4096)
    #expect(list.headers.last == HTTPHeader("a", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"))
  }

  @Test func encodedBlocksAreThoseOfGooglesEmulatorButForIndexing() {
    var block: [UInt8] = []
    for header in [
      HTTPHeader(":status", "200"), HTTPHeader("content-type", "application/grpc"),
      HTTPHeader("grpc-status", "0"),
    ] { HPACKEncoder.append(header, to: &block) }
    let type = Array("application/grpc".utf8)
    #expect(
      block == [0x88, 0x0f, 0x10, 0x10] + type + [0, 11] + Array("grpc-status".utf8) + [1, 0x30])
  }

  @Test func aRandomBlockNeverTraps() {
    var random = TrialRandom(seed: 3)
    var refused = 0
    for _ in 0..<2000 {
      var decoder = HPACKDecoder()
      for _ in 0..<3 {
        do throws(HPACKProblem) {
          let list = try decoder.decode(random.bytes(random.below(40))[...], limit: 300)
          #expect(list.headers.count <= 9)
        } catch {
          refused += 1
        }
        #expect(decoder.tableSize <= 4096)
      }
    }
    #expect(refused > 1000)
  }
}
