/// An error in a header block. The tables of the two sides may differ afterwards, so the connection has to
/// end (RFC 9113 §4.3).
enum HPACKProblem: Error, Equatable {
  /// The block ends inside a field.
  case truncated
  /// An integer has more than 28 bits.
  case integerTooLarge
  /// An index is in neither table.
  case unknownIndex(Int)
  /// A string is not Huffman-encoded correctly, or its padding has more than seven bits or a zero bit.
  case badHuffmanCode
  /// A table size update comes after the first field of a block, or exceeds SETTINGS.
  case badTableSize

  /// The debug data of GOAWAY.
  var text: String {
    switch self {
    case .truncated: "Header block ends inside of a field"
    case .integerTooLarge: "Header block has an integer of more than 28 bits"
    case .unknownIndex(let index): "Header block refers to unknown field \(index)"
    case .badHuffmanCode: "Header block has a bad Huffman code"
    case .badTableSize: "Header block has a bad table size"
    }
  }
}
