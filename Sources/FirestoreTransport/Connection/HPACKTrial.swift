/// Decodes random header blocks of one connection, intact and damaged ones, and compares them with a simple
/// model of the tables.
package struct HPACKTrial {
  private var random: TrialRandom
  private var decoder = HPACKDecoder()
  /// The expected fields of the dynamic table, the newest first.
  private var table: [HTTPHeader] = []
  private var capacity = HPACKDecoder.tableSize

  private static let fixed = StaticTable.entries.map { $0.header }
  private static let names = [
    ":path", ":method", "authorization", "content-type", "te", "x-a", "x-b", "grpc-timeout",
  ]

  private init(seed: UInt64) { random = TrialRandom(seed: seed) }

  /// Decodes the blocks of a seed: up to four intact ones, whose fields must be restored, and in three of
  /// four cases a damaged one.
  package static func play(seed: UInt64) -> TrialOutcome {
    var trial = HPACKTrial(seed: seed)
    for _ in 0...trial.random.below(4) {
      if let problem = trial.decodeWhole() { return .failed(problem) }
    }
    return trial.random.onceIn(4) ? .taken : trial.decodeDamaged()
  }

  // MARK: Whole blocks

  private mutating func decodeWhole() -> String? {
    let (block, fields) = block()
    // About every eighth limit is so low that lists can exceed it.
    let limit = random.onceIn(8) ? random.below(300) : 1 << 20
    guard let list = try? decoder.decode(block[...], limit: limit) else {
      return "a whole block is refused"
    }
    var kept: [HTTPHeader] = []
    var size = 0
    for field in fields {
      size += Self.size(field)
      if size <= limit { kept.append(field) }
    }
    if list.size != size { return "a list of \(size) bytes has \(list.size)" }
    if list.isTooLarge != (size > limit) {
      return "a list of \(size) bytes is held against \(limit)"
    }
    if list.headers != kept { return "fields do not come back" }
    let known = table.reduce(0) { $0 + Self.size($1) }
    return decoder.tableSize == known
      ? nil : "a table of \(known) bytes has \(decoder.tableSize)"
  }

  private mutating func block() -> (block: [UInt8], fields: [HTTPHeader]) {
    var block: [UInt8] = []
    if random.onceIn(8) {
      capacity = random.below(HPACKDecoder.tableSize + 1)
      evict(room: 0)
      HPACKEncoder.append(capacity, bits: 5, flags: 0x20, to: &block)
    }
    var fields: [HTTPHeader] = []
    for _ in 0..<random.below(8) {
      let field = field()
      append(field, to: &block)
      fields.append(field)
    }
    return (block, fields)
  }

  private mutating func field() -> HTTPHeader {
    if !table.isEmpty, random.onceIn(3) { return table[random.below(table.count)] }
    if random.onceIn(4) { return Self.fixed[random.below(Self.fixed.count)] }
    // Some values are larger than the table.
    let count = random.onceIn(30) ? 4000 + random.below(400) : random.below(30)
    let value = (0..<count).map { _ in UInt8(0x20 + random.below(0x5F)) }
    return HTTPHeader(Self.names[random.below(Self.names.count)], value[...].text)
  }

  private mutating func append(_ field: HTTPHeader, to block: inout [UInt8]) {
    let known = Self.fixed + table
    if let place = known.firstIndex(of: field), !random.onceIn(4) {
      HPACKEncoder.append(place + 1, bits: 7, flags: 0x80, to: &block)
      return
    }
    let name = random.onceIn(2) ? known.firstIndex { $0.name == field.name } : nil
    let way = random.below(4)
    let (bits, flags): (Int, UInt8) = way < 2 ? (6, 0x40) : way == 2 ? (4, 0) : (4, 0x10)
    HPACKEncoder.append(name.map { $0 + 1 } ?? 0, bits: bits, flags: flags, to: &block)
    if name == nil { append(field.name, to: &block) }
    append(field.value, to: &block)
    guard way < 2 else { return }
    evict(room: Self.size(field))
    if Self.size(field) <= capacity { table.insert(field, at: 0) }
  }

  private mutating func append(_ text: String, to block: inout [UInt8]) {
    let raw = Array(text.utf8)
    let isPlain = random.onceIn(3)
    let coded = isPlain ? raw : Self.huffman(raw)
    HPACKEncoder.append(coded.count, bits: 7, flags: isPlain ? 0 : 0x80, to: &block)
    block += coded
  }

  private mutating func evict(room: Int) {
    while !table.isEmpty, table.reduce(room, { $0 + Self.size($1) }) > capacity {
      table.removeLast()
    }
  }

  private static func size(_ field: HTTPHeader) -> Int {
    field.name.utf8.count + field.value.utf8.count + 32
  }

  // MARK: Damaged blocks

  private mutating func decodeDamaged() -> TrialOutcome {
    let block =
      random.onceIn(8)
      ? random.bytes(random.below(60)) : TrialConversation.mutated(block().block, &random)
    let limit = TransportLimits.standard.headerListSize
    var other = decoder
    let list = try? decoder.decode(block[...], limit: limit)
    // Decoding is independent of the position of the block in its array.
    let again = try? other.decode(([0, 0, 0] + block)[3...], limit: limit)
    if list?.headers != again?.headers || decoder.tableSize != other.tableSize {
      return .failed("a block is decoded in two ways")
    }
    if decoder.tableSize > HPACKDecoder.tableSize {
      return .failed("the table has \(decoder.tableSize) bytes")
    }
    guard let list else { return .refused }
    // A field takes at least one byte of a block.
    return list.headers.count <= block.count
      ? .taken : .failed("\(block.count) bytes have \(list.headers.count) fields")
  }

  // MARK: Huffman

  /// The code of each byte, derived from the lengths.
  private static let codes: [(code: UInt32, length: Int)] = {
    var codes = [(code: UInt32, length: Int)](repeating: (0, 0), count: 257)
    var code: UInt32 = 0
    for length in 1...30 {
      code <<= 1
      for symbol in 0...256 where Int(HuffmanCode.lengths[symbol]) == length {
        codes[symbol] = (code, length)
        code += 1
      }
    }
    return codes
  }()

  /// Returns the Huffman code of bytes, padded with ones.
  private static func huffman(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var bits: UInt64 = 0
    var count = 0
    for byte in bytes {
      let (code, length) = codes[Int(byte)]
      bits = bits << UInt64(length) | UInt64(code)
      count += length
      while count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt64(count)))
      }
    }
    guard count > 0 else { return result }
    let padding = 8 - count
    result.append(UInt8(truncatingIfNeeded: bits << UInt64(padding)) | (1 << UInt8(padding) - 1))
    return result
  }
}
