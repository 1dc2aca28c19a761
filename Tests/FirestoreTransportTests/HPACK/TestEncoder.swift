@testable import FirestoreTransport

/// HPACK as clients encode it: with Huffman, the static and the dynamic table. Slow and obvious.
struct TestEncoder {
  /// The fields that the other side knows, the newest first.
  private var table: [HTTPHeader] = []
  private var capacity = 4096

  /// Returns a block of a list; `choose(n)` draws a number below `n`, 0 for the shortest way.
  mutating func encode(
    _ headers: [HTTPHeader], choose: (Int) -> Int = { _ in 0 }
  ) -> [UInt8] {
    var block: [UInt8] = []
    for header in headers { append(header, to: &block, choose: choose) }
    return block
  }

  /// Returns a change of the table's size.
  mutating func resize(to size: Int) -> [UInt8] {
    capacity = size
    evict(0)
    var block: [UInt8] = []
    HPACKEncoder.append(size, bits: 5, flags: 0x20, to: &block)
    return block
  }

  private mutating func append(
    _ header: HTTPHeader, to block: inout [UInt8], choose: (Int) -> Int
  ) {
    let known = StaticTable.entries.map(\.header) + table
    if let place = known.firstIndex(of: header), choose(4) == 0 {
      HPACKEncoder.append(place + 1, bits: 7, flags: 0x80, to: &block)
      return
    }
    let name = choose(4) == 0 ? known.firstIndex { $0.name == header.name } : nil
    let way = choose(3)
    let (bits, flags): (Int, UInt8) = way == 0 ? (6, 0x40) : way == 1 ? (4, 0) : (4, 0x10)
    HPACKEncoder.append(name.map { $0 + 1 } ?? 0, bits: bits, flags: flags, to: &block)
    if name == nil { append(header.name, to: &block, isPlain: choose(3) == 1) }
    append(header.value, to: &block, isPlain: choose(3) == 1)
    guard way == 0 else { return }
    let size = Self.size(header)
    evict(size)
    if size <= capacity { table.insert(header, at: 0) }
  }

  private mutating func evict(_ room: Int) {
    while !table.isEmpty, table.reduce(room, { $0 + Self.size($1) }) > capacity {
      table.removeLast()
    }
  }

  private static func size(_ header: HTTPHeader) -> Int {
    header.name.utf8.count + header.value.utf8.count + 32
  }

  private func append(_ text: String, to block: inout [UInt8], isPlain: Bool) {
    let raw = Array(text.utf8)
    let coded = isPlain ? raw : Self.huffman(raw)
    HPACKEncoder.append(coded.count, bits: 7, flags: isPlain ? 0 : 0x80, to: &block)
    block += coded
  }

  /// Code and length of each byte, counted up from the lengths.
  static let codes: [(code: UInt32, length: Int)] = {
    var codes = [(code: UInt32, length: Int)](repeating: (0, 0), count: 257)
    var code: UInt32 = 0
    for length in 1...30 {
      code <<= 1
      for symbol in 0...256 where HuffmanCode.lengths[symbol] == length {
        codes[symbol] = (code, length)
        code += 1
      }
    }
    return codes
  }()

  /// The byte of each code, by its length times 2^32 and its bits.
  static let symbols = Dictionary(
    uniqueKeysWithValues: codes.enumerated().map { symbol, entry in
      (UInt64(entry.length) << 32 | UInt64(entry.code), symbol)
    })

  /// Returns the Huffman code of bytes, bit by bit.
  static func huffman(_ bytes: [UInt8]) -> [UInt8] {
    var bits: [UInt8] = []
    for byte in bytes {
      let (code, length) = codes[Int(byte)]
      for place in (0..<length).reversed() { bits.append(UInt8(code >> UInt32(place) & 1)) }
    }
    while bits.count % 8 != 0 { bits.append(1) }
    return stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
    }
  }
}
