/// Reads bytes bit by bit, the lowest bit of each first.
struct BitReader {
  private let bytes: [UInt8]
  /// The next byte of which nothing is read.
  private(set) var index: Int
  private var rest: UInt8 = 0
  private var restCount = 0

  /// Begins at a byte.
  init(_ bytes: [UInt8], at index: Int) {
    self.bytes = bytes
    self.index = index
  }

  /// Reads a bit.
  mutating func next() throws(CompressionProblem) -> Int {
    if restCount == 0 {
      rest = try nextByte()
      restCount = 8
    }
    let bit = Int(rest & 1)
    rest >>= 1
    restCount -= 1
    return bit
  }

  /// Reads a number, its lowest bit first.
  mutating func number(bits count: Int) throws(CompressionProblem) -> Int {
    var number = 0
    for place in 0..<count { number |= try next() << place }
    return number
  }

  /// Drops the bits up to the next byte, and reads that.
  mutating func nextByte() throws(CompressionProblem) -> UInt8 {
    guard index < bytes.count else { throw .damaged }
    defer { index += 1 }
    restCount = 0
    return bytes[index]
  }

  /// Drops the bits up to the next byte, and reads a number, its lowest byte first.
  mutating func number(bytes count: Int) throws(CompressionProblem) -> Int {
    var number = 0
    for place in 0..<count { number |= Int(try nextByte()) << (8 * place) }
    return number
  }

  /// Reads some bytes behind the last whole one.
  mutating func bytes(_ count: Int) throws(CompressionProblem) -> ArraySlice<UInt8> {
    guard count <= bytes.count - index else { throw .damaged }
    defer { index += count }
    return bytes[index..<index + count]
  }

  /// The bytes that were read from a place on.
  func passed(since start: Int) -> ArraySlice<UInt8> { bytes[start..<index] }
}
