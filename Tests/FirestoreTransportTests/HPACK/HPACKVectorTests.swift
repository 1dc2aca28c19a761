import Testing

@testable import FirestoreTransport

/// The examples of RFC 7541 appendix C.
@Suite struct HPACKVectorTests {
  @Test(arguments: [(10, 5, "0a"), (1337, 5, "1f9a0a"), (42, 8, "2a")])
  func integersAreThoseOfTheStandard(value: Int, bits: Int, hex: String) throws {
    var block: [UInt8] = []
    HPACKEncoder.append(value, bits: bits, flags: 0, to: &block)
    #expect(block == bytes(hex))
    var reader = BlockReader(block[...])
    let read = try reader.integer(bits: bits)
    #expect(read == value)
    #expect(reader.next == nil)
  }

  struct Sequence: CustomTestStringConvertible {
    var name: String
    var tableSize = 4096
    var blocks: [(hex: String, headers: [String], size: Int)]
    var testDescription: String { name }
  }

  private static let requests = [
    [":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"],
    [
      ":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com",
      "cache-control: no-cache",
    ],
    [
      ":method: GET", ":scheme: https", ":path: /index.html", ":authority: www.example.com",
      "custom-key: custom-value",
    ],
  ]

  private static let responses = [
    [
      ":status: 302", "cache-control: private", "date: Mon, 21 Oct 2013 20:13:21 GMT",
      "location: https://www.example.com",
    ],
    [
      ":status: 307", "cache-control: private", "date: Mon, 21 Oct 2013 20:13:21 GMT",
      "location: https://www.example.com",
    ],
    [
      ":status: 200", "cache-control: private", "date: Mon, 21 Oct 2013 20:13:22 GMT",
      "location: https://www.example.com", "content-encoding: gzip",
      "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
    ],
  ]

  static let sequences = [
    Sequence(
      name: "C.2.1 literal with indexing",
      blocks: [
        (
          "400a637573746f6d2d6b65790d637573746f6d2d686561646572", ["custom-key: custom-header"], 55
        )
      ]),
    Sequence(
      name: "C.2.2 literal without indexing",
      blocks: [("040c2f73616d706c652f70617468", [":path: /sample/path"], 0)]),
    Sequence(
      name: "C.2.3 literal never indexed",
      blocks: [("100870617373776f726406736563726574", ["password: secret"], 0)]),
    Sequence(name: "C.2.4 indexed", blocks: [("82", [":method: GET"], 0)]),
    Sequence(
      name: "C.3 requests without Huffman",
      blocks: [
        ("828684410f7777772e6578616d706c652e636f6d", requests[0], 57),
        ("828684be58086e6f2d6361636865", requests[1], 110),
        ("828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565", requests[2], 164),
      ]),
    Sequence(
      name: "C.4 requests with Huffman",
      blocks: [
        ("828684418cf1e3c2e5f23a6ba0ab90f4ff", requests[0], 57),
        ("828684be5886a8eb10649cbf", requests[1], 110),
        ("828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf", requests[2], 164),
      ]),
    Sequence(
      name: "C.5 responses without Huffman, with eviction", tableSize: 256,
      blocks: [
        (
          """
          4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e
          1768747470733a2f2f7777772e6578616d706c652e636f6d
          """, responses[0], 222
        ),
        ("4803333037c1c0bf", responses[1], 222),
        (
          """
          88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d
          4153444a4b48514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b20766572
          73696f6e3d31
          """, responses[2], 215
        ),
      ]),
    Sequence(
      name: "C.6 responses with Huffman, with eviction", tableSize: 256,
      blocks: [
        (
          """
          488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b
          97c8e9ae82ae43d3
          """, responses[0], 222
        ),
        ("4883640effc1c0bf", responses[1], 222),
        (
          """
          88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdf
          cd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007
          """, responses[2], 215
        ),
      ]),
  ]

  @Test(arguments: sequences)
  func blocksAreDecodedAsTheStandardSays(_ sequence: Sequence) throws {
    var decoder = HPACKDecoder(tableSize: sequence.tableSize)
    for block in sequence.blocks {
      let list = try decoder.decode(bytes(block.hex)[...], limit: 4096)
      #expect(list.headers.map { "\($0.name): \($0.value)" } == block.headers)
      #expect(
        list.size == list.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 })
      #expect(decoder.tableSize == block.size)
    }
  }

  @Test func theStaticTableHas61FieldsAndItsNamesAreFound() {
    #expect(StaticTable.entries.count == 61)
    #expect(StaticTable.entries[60].header == HTTPHeader("www-authenticate", ""))
    for entry in StaticTable.entries {
      let index = StaticTable.index(ofName: entry.header.name)
      #expect(StaticTable.entries[(index ?? 0) - 1].header.name == entry.header.name)
    }
  }
}

/// Returns the bytes of a text of hexadecimal digits; line ends are skipped.
func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.utf8.compactMap(\.hexadecimalValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
