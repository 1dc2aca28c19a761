/// A string of a header block with properties of its bytes, which are checked only once although later blocks
/// may refer to the field.
struct HeaderText {
  /// The text, in which invalid UTF-8 is U+FFFD.
  let text: String
  /// The number of bytes before Huffman encoding.
  let size: Int
  /// True if it is valid as the name of an HTTP/2 field or pseudo-header (RFC 9113 §8.2.1).
  let isGoodName: Bool
  /// True if it is valid as a value: it has no NUL, CR or LF.
  let isGoodValue: Bool

  /// Creates a text with known properties.
  init(text: String, size: Int, isGoodName: Bool, isGoodValue: Bool) {
    self.text = text
    self.size = size
    self.isGoodName = isGoodName
    self.isGoodValue = isGoodValue
  }

  /// Checks bytes as a name or a value; the property of the other kind is false.
  init(_ bytes: ArraySlice<UInt8>, isName: Bool) {
    text = bytes.text
    size = bytes.count
    if isName {
      let rest = bytes.first == UInt8(ascii: ":") ? bytes.dropFirst() : bytes
      isGoodName = !rest.isEmpty && rest.allSatisfy { $0.isTokenCharacter && !$0.isUpperCase }
      isGoodValue = false
    } else {
      isGoodName = false
      isGoodValue = !bytes.contains { $0 <= 13 && ($0 == 0 || $0 == 10 || $0 == 13) }
    }
  }
}

/// A reader of the integers and strings of a header block (RFC 7541 §5).
struct BlockReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  /// Creates a reader at the start of a block.
  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  /// The next byte; nil at the end.
  var next: UInt8? { place < bytes.endIndex ? bytes[place] : nil }

  /// Reads an integer whose prefix is the last `bits` bits of the next byte. At most four more bytes are
  /// accepted: no meaningful length or index is longer.
  mutating func integer(bits: Int) throws(HPACKProblem) -> Int {
    guard let start = next else { throw .truncated }
    place += 1
    let mask = 1 << bits - 1
    var value = Int(start) & mask
    guard value == mask else { return value }
    for shift in stride(from: 0, through: 21, by: 7) {
      guard let byte = next else { throw .truncated }
      place += 1
      value += Int(byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    throw .integerTooLarge
  }

  /// Reads a string.
  mutating func string(isName: Bool) throws(HPACKProblem) -> HeaderText {
    guard let start = next else { throw .truncated }
    let length = try integer(bits: 7)
    guard length <= bytes.endIndex - place else { throw .truncated }
    let raw = bytes[place..<place + length]
    place += length
    guard start & 0x80 != 0 else { return HeaderText(raw, isName: isName) }
    var decoded: [UInt8] = []
    // The shortest code word has five bits.
    decoded.reserveCapacity(length * 8 / 5)
    try HuffmanCode.standard.decode(raw, into: &decoded)
    return HeaderText(decoded[...], isName: isName)
  }
}
