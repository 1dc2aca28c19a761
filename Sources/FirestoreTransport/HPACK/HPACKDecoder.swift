/// A decoded header list.
struct HeaderList: Sendable {
  /// The fields in order; incomplete if the list is too large.
  var headers: [HTTPHeader] = []
  /// The size of the complete list: names, values, and 32 for each field (RFC 9113 §6.5.2).
  var size = 0
  /// True if `size` exceeds the limit.
  var isTooLarge = false
  /// True if all names and values have only valid characters.
  var isWellFormed = true
}

/// A decoder of the consecutive header blocks of a connection (RFC 7541).
struct HPACKDecoder: Sendable {
  /// Maximum bytes of the dynamic table: the default of SETTINGS_HEADER_TABLE_SIZE, which the server does not
  /// change.
  static let tableSize = 4096

  private var table = DynamicTable(capacity: tableSize)
  private let largestTable: Int

  /// Creates a decoder with a dynamic table of at most `tableSize` bytes.
  init(tableSize: Int = HPACKDecoder.tableSize) {
    largestTable = tableSize
    table = DynamicTable(capacity: tableSize)
  }

  /// The size of the dynamic table.
  var tableSize: Int { table.size }

  /// Decodes a block. A list larger than `limit` is decoded completely, because later blocks may refer to its
  /// fields, but not stored.
  ///
  /// - Complexity: O(*n*) in the bytes of the block. A field from a table shares its strings with the entry.
  mutating func decode(
    _ block: ArraySlice<UInt8>, limit: Int
  ) throws(HPACKProblem) -> HeaderList {
    var reader = BlockReader(block)
    var list = HeaderList()
    var mayResize = true
    while let start = reader.next {
      if start & 0xe0 == 0x20 {
        guard mayResize else { throw .badTableSize }
        let size = try reader.integer(bits: 5)
        guard size <= largestTable else { throw .badTableSize }
        table.resize(to: size)
        continue
      }
      mayResize = false
      let entry = try field(start, from: &reader)
      list.size += entry.size
      if !entry.hasGoodName || !entry.hasGoodValue { list.isWellFormed = false }
      if list.size > limit {
        list.isTooLarge = true
      } else {
        list.headers.append(entry.header)
      }
    }
    return list
  }

  /// Reads an indexed field (§6.1), or a literal one with indexing (§6.2.1) or without (§6.2.2, §6.2.3).
  private mutating func field(
    _ start: UInt8, from reader: inout BlockReader
  ) throws(HPACKProblem) -> TableEntry {
    if start & 0x80 != 0 { return try entry(at: reader.integer(bits: 7)) }
    let isIndexed = start & 0x40 != 0
    let index = try reader.integer(bits: isIndexed ? 6 : 4)
    let name = try index == 0 ? reader.string(isName: true) : entry(at: index).name
    let entry = TableEntry(name: name, value: try reader.string(isName: false))
    if isIndexed { table.insert(entry) }
    return entry
  }

  private func entry(at index: Int) throws(HPACKProblem) -> TableEntry {
    let fixed = StaticTable.entries
    if index >= 1, index <= fixed.count { return fixed[index - 1] }
    guard let entry = table.entry(behindNewest: index - fixed.count - 1) else {
      throw .unknownIndex(index)
    }
    return entry
  }
}
