/// The Huffman code of HPACK (RFC 7541 appendix B). It is canonical: code words of one length are consecutive
/// numbers in the order of their symbols, so the lengths define the code.
struct HuffmanCode: Sendable {
  /// The only instance.
  static let standard = HuffmanCode()

  /// The symbols by length, then by value. 256 is the end of the string, which is never sent.
  private var symbols: [UInt16] = []
  /// The smallest code word of each length, left-aligned in 32 bits.
  private var lowest = [UInt32](repeating: 0, count: longest + 1)
  /// For each length, an exclusive upper bound of the left-aligned code words of at most this length.
  private var bound = [UInt64](repeating: 0, count: longest + 1)
  /// The index of the first symbol of each length.
  private var first = [Int](repeating: 0, count: longest + 1)
  /// Length and symbol of a code word of at most eight bits by the next eight bits; 0 for longer ones.
  private var short = [UInt16](repeating: 0, count: 256)

  private static let longest = 30
  private static let endOfString: UInt16 = 256

  private init() {
    var code: UInt32 = 0
    for length in 1...Self.longest {
      code <<= 1
      lowest[length] = code << UInt32(32 - length)
      first[length] = symbols.count
      for symbol in 0..<Self.lengths.count where Int(Self.lengths[symbol]) == length {
        symbols.append(UInt16(symbol))
        if length <= 8 {
          let place = Int(code) << (8 - length)
          for index in place..<place + 1 << (8 - length) {
            short[index] = UInt16(length) << 8 | UInt16(symbol)
          }
        }
        code += 1
      }
      bound[length] = UInt64(code) << UInt64(32 - length)
    }
  }

  /// Appends the string that bytes encode.
  func decode(_ bytes: ArraySlice<UInt8>, into result: inout [UInt8]) throws(HPACKProblem) {
    var bits: UInt64 = 0
    var count = 0
    for byte in bytes {
      // Code words have at most 30 bits, so fewer than 30 bits remain and at most 37 are held.
      bits = bits << 8 | UInt64(byte)
      count += 8
      while let (symbol, length) = next(in: bits, count: count) {
        guard symbol != Self.endOfString else { throw .badHuffmanCode }
        result.append(UInt8(truncatingIfNeeded: symbol))
        count -= length
      }
    }
    let padding = (UInt64(1) << UInt64(count)) - 1
    guard count < 8, bits & padding == padding else { throw .badHuffmanCode }
  }

  /// Returns the symbol whose code word begins the last `count` bits; nil if its code word is longer.
  private func next(in bits: UInt64, count: Int) -> (symbol: UInt16, length: Int)? {
    let window = UInt32(
      truncatingIfNeeded: count >= 32 ? bits >> UInt64(count - 32) : bits << UInt64(32 - count))
    let entry = short[Int(window >> 24)]
    if entry != 0 {
      let length = Int(entry >> 8)
      return length <= count ? (entry & 0xff, length) : nil
    }
    var length = 9
    while UInt64(window) >= bound[length] { length += 1 }
    guard length <= count else { return nil }
    let place = first[length] + Int((window - lowest[length]) >> UInt32(32 - length))
    return (symbols[place], length)
  }

  /// The length of the code word of each byte and of the end of the string.
  static let lengths: [UInt8] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
    28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
    5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
    13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
    15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
    6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
    20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
    24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
    22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
    21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
    19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
    20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
    30,
  ]
}
