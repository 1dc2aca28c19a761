/// Decompresses random gzip streams, for fuzzing: the content of intact streams must be restored, and damaged
/// streams must not yield more bytes than allowed.
package enum GzipTrial {
  /// Maximum bytes of output; the content of an intact stream is smaller.
  private static let limit = 1 << 14

  /// Decompresses the stream of a seed: half of them are damaged, and some are random bytes.
  package static func play(seed: UInt64) -> TrialOutcome {
    var random = TrialRandom(seed: seed)
    var draft = GzipDraft(random: random)
    let (text, stream) = draft.member()
    random = draft.random
    let isWhole = random.onceIn(2)
    let bytes =
      isWhole
      ? stream
      : random.onceIn(8)
        ? random.bytes(random.below(64)) : TrialConversation.mutated(stream, &random)
    do throws(CompressionProblem) {
      let read = try GzipReader.expand(bytes, limit: limit)
      if read.count > limit { return .failed("\(read.count) bytes came out") }
      if isWhole, read != text { return .failed("another text was read") }
      return .taken
    } catch {
      return isWhole ? .failed("\(error)") : .refused
    }
  }
}

/// A writer of gzip members with random blocks, as a simple model: it appends single bits.
private struct GzipDraft {
  /// The source of the random choices.
  var random: TrialRandom
  private var text: [UInt8] = []
  private var bytes: [UInt8] = []
  private var bitCount = 0

  init(random: TrialRandom) { self.random = random }

  /// Returns a text and its compressed stream.
  mutating func member() -> (text: [UInt8], stream: [UInt8]) {
    let flags: UInt8 = random.onceIn(3) ? 8 : 0
    bytes = [0x1f, 0x8b, 8, flags] + random.bytes(6) + (flags == 8 ? [UInt8(ascii: "n"), 0] : [])
    bitCount = bytes.count * 8
    let count = random.below(4)
    for block in 0...count {
      write(block == count ? 1 : 0, bits: 1)
      switch random.below(3) {
      case 0: store()
      case 1: encode(with: Code.fixed, Code.fixedDistances, kind: 1)
      default: encode(with: code(257 + random.below(30)), code(1 + random.below(30)), kind: 2)
      }
    }
    align()
    for word in [Int(Checksum.of(text)), text.count] { write(word, bits: 32) }
    return (text, bytes)
  }

  // MARK: Blocks

  private mutating func store() {
    write(0, bits: 2)
    align()
    let part = random.bytes(random.below(80))
    write(part.count, bits: 16)
    write(~part.count & 0xffff, bits: 16)
    for byte in part { write(Int(byte), bits: 8) }
    text += part
  }

  private mutating func encode(with literals: Code, _ distances: Code, kind: Int) {
    write(kind, bits: 2)
    if kind == 2 { describe(literals, distances) }
    for _ in 0..<random.below(60) {
      if text.isEmpty || random.onceIn(2) {
        let byte = UInt8(truncatingIfNeeded: random.next())
        write(literals, Int(byte))
        text.append(byte)
      } else {
        copy(literals, distances)
      }
    }
    write(literals, 256)
  }

  /// Writes a copy of 3 to 10 bytes at a distance of 1 to 4: the symbols without extra bits.
  private mutating func copy(_ literals: Code, _ distances: Code) {
    let (length, distance) = (random.below(8), random.below(4))
    guard 257 + length < literals.lengths.count, distance < distances.lengths.count,
      distance < text.count
    else { return }
    write(literals, 257 + length)
    write(distances, distance)
    for _ in 0..<length + 3 { text.append(text[text.count - 1 - distance]) }
  }

  /// Writes the lengths of two codes, encoded by a third one.
  private mutating func describe(_ literals: Code, _ distances: Code) {
    write(literals.lengths.count - 257, bits: 5)
    write(distances.lengths.count - 1, bits: 5)
    let own = code(19)
    write(19 - 4, bits: 4)
    for place in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] {
      write(own.lengths[place], bits: 3)
    }
    let lengths = literals.lengths + distances.lengths
    var place = 0
    while place < lengths.count {
      let run = lengths[place...].prefix { $0 == lengths[place] }.count
      write(own, lengths[place])
      place += 1
      if run > 3, random.onceIn(2) {
        let repeated = min(run - 1, 6)
        write(own, 16)
        write(repeated - 3, bits: 2)
        place += repeated
      }
    }
  }

  // MARK: Bits

  /// Returns a code with a code word for each symbol, of one of two lengths; a single symbol has one bit.
  private mutating func code(_ count: Int) -> Code {
    if count == 1 { return Code([1]) }
    let short = count.bitWidth - 1 - count.leadingZeroBitCount
    var lengths = [Int](repeating: short, count: count)
    // Each split code word of the shorter length makes two of the longer one.
    for place in 0..<2 * (count - 1 << short) { lengths[place] = short + 1 }
    for place in lengths.indices { lengths.swapAt(place, random.below(count)) }
    return Code(lengths)
  }

  private mutating func write(_ code: Code, _ symbol: Int) {
    for place in (0..<code.lengths[symbol]).reversed() {
      write(code.words[symbol] >> place & 1, bits: 1)
    }
  }

  private mutating func write(_ number: Int, bits: Int) {
    for place in 0..<bits {
      if bitCount.isMultiple(of: 8) { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(number >> place & 1) << UInt8(bitCount % 8)
      bitCount += 1
    }
  }

  private mutating func align() { bitCount = bytes.count * 8 }

  /// The lengths of code words, and the code words that they define (RFC 1951, 3.2.2).
  private struct Code {
    let lengths: [Int]
    private(set) var words: [Int]

    init(_ lengths: [Int]) {
      self.lengths = lengths
      words = lengths
      var word = 0
      for length in 1...15 {
        for symbol in lengths.indices where lengths[symbol] == length {
          words[symbol] = word
          word += 1
        }
        word <<= 1
      }
    }

    static let fixed = Code(
      (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    static let fixedDistances = Code([Int](repeating: 5, count: 30))
  }
}
