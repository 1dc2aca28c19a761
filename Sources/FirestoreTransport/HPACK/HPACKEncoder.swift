/// A stateless encoder of header blocks: literals without indexing, names from the static table where
/// possible, and no Huffman code. Google's emulator uses no Huffman code either, and responses have only
/// three fields.
enum HPACKEncoder {
  /// Appends a field.
  static func append(_ header: HTTPHeader, to block: inout [UInt8]) {
    if header.name == ":status", header.value == "200" {
      block.append(0x88)
      return
    }
    if let index = StaticTable.index(ofName: header.name) {
      append(index, bits: 4, flags: 0, to: &block)
    } else {
      block.append(0)
      append(header.name, to: &block)
    }
    append(header.value, to: &block)
  }

  /// Appends an update of the table's size to 0, which is required if a client allows less than the default
  /// (RFC 7541 §4.2).
  static func appendEmptyTable(to block: inout [UInt8]) {
    append(0, bits: 5, flags: 0x20, to: &block)
  }

  /// Appends an integer whose prefix is the last `bits` bits of a byte with flags.
  static func append(_ value: Int, bits: Int, flags: UInt8, to block: inout [UInt8]) {
    let mask = 1 << bits - 1
    guard value >= mask else {
      block.append(flags | UInt8(value))
      return
    }
    block.append(flags | UInt8(mask))
    var rest = value - mask
    while rest >= 0x80 {
      block.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    block.append(UInt8(rest))
  }

  private static func append(_ text: String, to block: inout [UInt8]) {
    append(text.utf8.count, bits: 7, flags: 0, to: &block)
    block += text.utf8
  }
}
