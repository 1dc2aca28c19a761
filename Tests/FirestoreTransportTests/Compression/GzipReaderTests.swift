import Testing

@testable import FirestoreTransport

/// Bytes in the form of gzip, as zlib wrote them with all its strategies.
@Suite struct GzipReaderTests {
  private static let hello = "hello hello hello"
  private static let numbers = (0..<300).map { "\($0) " }.joined()

  private static let written: [(name: String, text: String, bytes: String)] = [
    (
      "nothing", "",
      """
      1f8b08000000000000ff03000000000000000000
      """
    ),
    (
      "stored", hello,
      """
      1f8b08000000000000ff011100eeff68656c6c6f2068656c6c6f2068656c6c6f8088f9e511000000
      """
    ),
    (
      "fixed codes", hello,
      """
      1f8b08000000000000ffcb48cdc9c957c84090008088f9e511000000
      """
    ),
    (
      "codes of its own", numbers,
      """
      1f8b08000000000000ff1dd3c98103310c03c1541082009dcc3fb169ce1fbbb6bba8212b9a5ada3aba7a2a79
      c896234f79c95b3ef2959f5cca50f89b285359ca568e7295a794e6d0b426ff726a2ecdad7934afe6d32cada1
      65ad68f1894b6b6b1dadabf5b44a7b685b3bda539b2fb4b58ff6d57edaa53374ac139da9b374f8be47e7ea3c
      9dd21dbad68deed45dba5b979f73759f6ee90d3deb456fea2dbdad77f4f8b54faf544365555453b5545b7554
      57458cae418e418f4190419141924193419441954196c1eecfc6aec375b94ed7ed3a5ed7eb7cf433019deecb
      8e8626a2a968329a8e26a42969529a969e0dc18e9ca6a7096a8a9aa4a6a9896aaa9aac5e2dc68eb226ad696b
      e29aba26afe96b029bc2de4dcb8ec8a6b2c96c3a9bd0a6b4496d5a9bd83e7d03ece86d829be226b9696ea29b
      ea26bbe9eedbc7c28ef4a6bd896fea9bfca6bf01300286c0afaf8a1d0a86c13818082361288c85c1301aae3e
      bfbe3f0e108fe0113c8247f0081ec12378048fb80f951d1ec12378048fe0113c8247fa9efba0ff8b66d737dd
      47dd57dd67dd77dd878d47f0081e997dfaecf0081ec12378048fe0113c8247f0c8ea37c20e8fe0113c8247f0
      081ec12378048fec7e4cecf0081ec12378048fe0113c8247f0c8e957c70e8fe0113c8247f0081ec12378048f
      dc7e9eecf0081ec12378048fe0113c8247f0c8eb77cc0e8fe0113c8247f0081ec12378048f543ff8d2077d82
      5ffd42040000
      """
    ),
    (
      "codes without a distance", String(numbers.prefix(200)),
      """
      1f8b08000000000000ff05c10901c0201000a02a44d8bd6aff62834f48a58d755c4f7c22448a122d46ac38e2
      8a273f193265c99623571e79e5539f0a95aa54ab51ab8ebaeae94f874e5dbaf5e8d5475ffdcc67c2a429d366
      cc9a63ae79f6b361d3966d3b76edb1d73e3f2413bc14c8000000
      """
    ),
    (
      "a run", String(repeating: "a", count: 1000),
      """
      1f8b08000000000000ff4b4c1c05a360140c77000003da389ae8030000
      """
    ),
  ]

  /// The bytes of a text of hexadecimal digits.
  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// Returns the content of some bytes, or the reason why they have none.
  private static func read(_ bytes: [UInt8], limit: Int = 100_000) -> String {
    do throws(CompressionProblem) {
      return String(decoding: try GzipReader.expand(bytes, limit: limit), as: UTF8.self)
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: written)
  func whatZlibWroteIsRead(_ given: (name: String, text: String, bytes: String)) {
    let bytes = Self.bytes(given.bytes)
    #expect(Self.read(bytes) == given.text)
    #expect(Self.read(bytes, limit: given.text.utf8.count) == given.text)
    if !given.text.isEmpty {
      #expect(Self.read(bytes, limit: given.text.utf8.count - 1) == "tooLarge")
    }
  }

  @Test(arguments: written)
  func noCutAndNoChangedByteIsTakenForAnotherText(
    _ given: (name: String, text: String, bytes: String)
  ) {
    let bytes = Self.bytes(given.bytes)
    // Of a long stream every sixth place.
    for place in stride(from: 0, to: bytes.count, by: bytes.count / 100 + 1) {
      #expect(Self.read(Array(bytes[..<place])) == "damaged")
      var changed = bytes
      changed[place] ^= 1 << UInt8(place % 8)
      // Some bytes of the header, and the bits behind the last block, say nothing of the text.
      #expect(["damaged", "tooLarge", given.text].contains(Self.read(changed)))
    }
  }

  @Test func membersFollowOneAnother() {
    let (first, second) = (Self.bytes(Self.written[1].bytes), Self.bytes(Self.written[2].bytes))
    #expect(Self.read(first + second) == Self.hello + Self.hello)
    #expect(Self.read(first + second, limit: 33) == "tooLarge")
    #expect(Self.read(first + second.dropLast()) == "damaged")
    // The official emulator ignores what is no member.
    #expect(Self.read(first + Array("xxxx".utf8)) == Self.hello)
  }

  /// Flags of a header, with what they bring.
  private static let headers: [(flags: UInt8, extra: [UInt8], isRead: Bool)] = [
    (4, [3, 0, 1, 2, 3], true), (8, Array("name\0".utf8), true), (16, Array("words\0".utf8), true),
    (28, [0, 0] + Array("a\0b\0".utf8), true), (1, [], true), (32, [], true),
    (4, [255, 255], false), (2, [0, 0], false), (2, [144, 201], true),
  ]

  @Test(arguments: headers)
  func headersMayHaveMore(_ given: (flags: UInt8, extra: [UInt8], isRead: Bool)) {
    var bytes = Self.bytes(Self.written[2].bytes)
    bytes[3] = given.flags
    bytes.insert(contentsOf: given.extra, at: 10)
    #expect(Self.read(bytes) == (given.isRead ? Self.hello : "damaged"))
  }

  /// Blocks that no compressor writes.
  private static let blocks: [(name: String, bits: String)] = [
    ("an unknown kind", "111"),
    ("a stored block whose lengths disagree", "100 00000 1000000000000000 1000000000000000"),
    ("a distance before the beginning", "110 0000001 00000"),
    ("a length that is none", "110 11000110"),
    ("287 literals", "101 01111 00000 0000"),
    ("31 distances", "101 00000 01111 0000"),
    ("a code with too many words", "101 00000 00000 0000 100 100 100 000"),
    ("a code with one word", "101 00000 00000 0000 100 000 000 000"),
    ("a repetition of nothing", "101 00000 00000 0000 100 100 000 000 0 00"),
  ]

  @Test(arguments: blocks)
  func blocksThatAreNoneAreRefused(_ given: (name: String, bits: String)) {
    let bits = given.bits.compactMap { $0.wholeNumberValue }
    var bytes = [UInt8](repeating: 0, count: bits.count / 8 + 1)
    for (place, bit) in bits.enumerated() { bytes[place / 8] |= UInt8(bit) << UInt8(place % 8) }
    // More than enough for any of them, so that none fails for its end alone.
    bytes += [UInt8](repeating: 0, count: 400)
    var reader = DeflateReader(BitReader(bytes, at: 0), limit: 100_000)
    #expect(throws: CompressionProblem.damaged) { try reader.readAll() }
  }

  @Test func drawnStreamsAreReadAsTheyWereWritten() {
    var counts = [0, 0]
    for seed in 0..<2000 as Range<UInt64> {
      switch GzipTrial.play(seed: seed) {
      case .taken: counts[0] += 1
      case .refused: counts[1] += 1
      case .failed(let problem): Issue.record("seed \(seed): \(problem)")
      }
    }
    #expect(counts[0] > 900 && counts[1] > 500)
  }
}
