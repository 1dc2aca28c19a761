/// A reader of a DEFLATE stream (RFC 1951).
///
/// Time is proportional to the sizes of input and output, which are both limited: a block takes time
/// proportional to its output, and its codes take about 300 steps and at least ten bytes of input.
struct DeflateReader {
  /// The input; after `readAll`, at the first byte after the stream.
  var bits: BitReader
  /// The decompressed bytes.
  private(set) var output: [UInt8] = []
  private let limit: Int

  /// Creates a reader that refuses more than `limit` bytes of output.
  init(_ bits: BitReader, limit: Int) {
    self.bits = bits
    self.limit = limit
  }

  /// Reads all blocks.
  mutating func readAll() throws(CompressionProblem) {
    var isLast = false
    while !isLast {
      isLast = try bits.next() == 1
      switch try bits.number(bits: 2) {
      case 0: try readStored()
      case 1: try readCoded(DeflateCode.fixed, DeflateCode.fixedDistances)
      case 2:
        let (literals, distances) = try readCodes()
        try readCoded(literals, distances)
      default: throw .damaged
      }
    }
  }

  private mutating func readStored() throws(CompressionProblem) {
    let length = try bits.number(bytes: 2)
    guard try bits.number(bytes: 2) == ~length & 0xffff else { throw .damaged }
    guard output.count + length <= limit else { throw .tooLarge }
    output += try bits.bytes(length)
  }

  // MARK: Blocks with codes

  /// The symbol that ends a block.
  private static let end = 256
  /// The minimum length of each symbol after `end`, and the number of extra bits.
  private static let lengths: [(least: Int, extra: Int)] =
    [
      (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 1), (13, 1), (15, 1),
      (17, 1), (19, 2), (23, 2), (27, 2), (31, 2), (35, 3), (43, 3), (51, 3), (59, 3), (67, 4),
      (83, 4), (99, 4), (115, 4), (131, 5), (163, 5), (195, 5), (227, 5), (258, 0),
    ]
  /// The minimum distance of each symbol, and the number of extra bits, which grows by one with every second
  /// symbol.
  private static let distances: [(least: Int, extra: Int)] = (0..<30).map { symbol in
    if symbol < 4 { return (symbol + 1, 0) }
    let extra = symbol / 2 - 1
    return ((2 + symbol % 2) << extra + 1, extra)
  }

  private mutating func readCoded(
    _ literals: DeflateCode, _ distances: DeflateCode
  ) throws(CompressionProblem) {
    while true {
      let symbol = try literals.next(from: &bits)
      if symbol == Self.end { return }
      if symbol < Self.end {
        guard output.count < limit else { throw .tooLarge }
        output.append(UInt8(symbol))
      } else {
        try copy(symbol - Self.end - 1, by: distances)
      }
    }
  }

  /// Copies earlier output, which may overlap with the copy itself.
  private mutating func copy(
    _ symbol: Int, by code: DeflateCode
  ) throws(CompressionProblem) {
    guard symbol < Self.lengths.count else { throw .damaged }
    let length = Self.lengths[symbol].least + (try bits.number(bits: Self.lengths[symbol].extra))
    let far = try code.next(from: &bits)
    guard far < Self.distances.count else { throw .damaged }
    let distance = Self.distances[far].least + (try bits.number(bits: Self.distances[far].extra))
    guard distance <= output.count else { throw .damaged }
    guard output.count + length <= limit else { throw .tooLarge }
    for _ in 0..<length { output.append(output[output.count - distance]) }
  }

  /// The order in which a block lists the code lengths of the code-length code.
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// Reads the codes of a block, whose lengths are encoded by the code-length code.
  private mutating func readCodes() throws(CompressionProblem) -> (DeflateCode, DeflateCode) {
    let literals = try bits.number(bits: 5) + 257
    let distances = try bits.number(bits: 5) + 1
    guard literals <= 286, distances <= 30 else { throw .damaged }
    let count = try bits.number(bits: 4) + 4
    var own = [UInt8](repeating: 0, count: Self.order.count)
    for place in Self.order.prefix(count) { own[place] = UInt8(try bits.number(bits: 3)) }
    let code = try DeflateCode(lengths: own[...], mayLackWords: false)
    var lengths: [UInt8] = []
    while lengths.count < literals + distances {
      switch try code.next(from: &bits) {
      case 16:
        guard let last = lengths.last else { throw .damaged }
        lengths += Array(repeating: last, count: 3 + (try bits.number(bits: 2)))
      case 17: lengths += Array(repeating: 0, count: 3 + (try bits.number(bits: 3)))
      case 18: lengths += Array(repeating: 0, count: 11 + (try bits.number(bits: 7)))
      case let length: lengths.append(UInt8(length))
      }
    }
    // A block without a code word for its end would never end.
    guard lengths.count == literals + distances, lengths[Self.end] > 0 else { throw .damaged }
    return (
      try DeflateCode(lengths: lengths[..<literals], mayLackWords: true),
      try DeflateCode(lengths: lengths[literals...], mayLackWords: true)
    )
  }
}
