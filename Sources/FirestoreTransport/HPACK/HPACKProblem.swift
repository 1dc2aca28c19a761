/// Error in a header block: the connection's tables may differ from now on, so that it has to end
/// (RFC 9113 §4.3).
enum HPACKProblem: Error, Equatable {
  /// The block ends inside of a field.
  case truncated
  /// An integer of more than 28 bits.
  case integerTooLarge
  /// A field that neither table has.
  case unknownIndex(Int)
  /// A string that is no Huffman code, or is padded with more than seven bits or other ones than 1.
  case badHuffmanCode
  /// A table size after the first field of a block, or over what SETTINGS allow.
  case badTableSize

  /// Text for the debug data of GOAWAY.
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
