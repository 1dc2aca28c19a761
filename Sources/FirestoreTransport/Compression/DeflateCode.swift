/// A Huffman code of DEFLATE, defined by the lengths of its code words (RFC 1951, 3.2.2).
struct DeflateCode {
  /// The number of code words of each length.
  private var counts = [Int](repeating: 0, count: longestWord + 1)
  /// The symbols with a code word, by length, then by value.
  private var symbols: [UInt16]

  /// Maximum bits of a code word.
  static let longestWord = 15

  /// The code of literals and lengths in blocks with fixed codes.
  static let fixed = DeflateCode(
    known: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  /// The code of distances in blocks with fixed codes.
  static let fixedDistances = DeflateCode(known: [UInt8](repeating: 5, count: 30))

  /// Creates the code of the given lengths, which are 0 for symbols without a code word.
  ///
  /// - Parameter mayLackWords: True if a single code word of one bit is allowed, as the format does for a
  ///   block with one distance.
  init(lengths: ArraySlice<UInt8>, mayLackWords: Bool) throws(CompressionProblem) {
    self.init(known: Array(lengths))
    var free = 1
    for length in 1...Self.longestWord {
      free = free << 1 - counts[length]
      if free < 0 { throw .damaged }
    }
    if free > 0, !mayLackWords || symbols.count != counts[1] { throw .damaged }
  }

  private init(known lengths: [UInt8]) {
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var next = [Int](repeating: 0, count: Self.longestWord + 1)
    for length in 1..<Self.longestWord { next[length + 1] = next[length] + counts[length] }
    symbols = [UInt16](repeating: 0, count: counts.reduce(0, +))
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[next[Int(length)]] = UInt16(symbol)
      next[Int(length)] += 1
    }
  }

  /// Reads a code word and returns its symbol.
  func next(from bits: inout BitReader) throws(CompressionProblem) -> Int {
    // Code words of one length are consecutive numbers, after all shorter ones.
    var (word, first, place) = (0, 0, 0)
    for length in 1...Self.longestWord {
      word |= try bits.next()
      let count = counts[length]
      if word - first < count { return Int(symbols[place + word - first]) }
      place += count
      first = (first + count) << 1
      word <<= 1
    }
    throw .damaged
  }
}
