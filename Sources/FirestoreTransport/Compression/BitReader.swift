/// A reader of single bits, the lowest bit of each byte first.
struct BitReader {
  private let bytes: [UInt8]
  /// The index of the next byte of which no bit is read.
  private(set) var index: Int
  private var rest: UInt8 = 0
  private var restCount = 0

  /// Creates a reader that begins at a byte.
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

  /// Reads a number, least significant bit first.
  mutating func number(bits count: Int) throws(CompressionProblem) -> Int {
    var number = 0
    for place in 0..<count { number |= try next() << place }
    return number
  }

  /// Skips to the next byte boundary and reads a byte.
  mutating func nextByte() throws(CompressionProblem) -> UInt8 {
    guard index < bytes.count else { throw .damaged }
    defer { index += 1 }
    restCount = 0
    return bytes[index]
  }

  /// Skips to the next byte boundary and reads a number, least significant byte first.
  mutating func number(bytes count: Int) throws(CompressionProblem) -> Int {
    var number = 0
    for place in 0..<count { number |= Int(try nextByte()) << (8 * place) }
    return number
  }

  /// Skips to the next byte boundary and reads bytes.
  mutating func bytes(_ count: Int) throws(CompressionProblem) -> ArraySlice<UInt8> {
    guard count <= bytes.count - index else { throw .damaged }
    defer { index += count }
    return bytes[index..<index + count]
  }

  /// Returns the bytes that were read since an index.
  func passed(since start: Int) -> ArraySlice<UInt8> { bytes[start..<index] }
}
