/// A field of an HPACK table. Sizes are those of the sent bytes: a text with replaced bytes may be longer.
struct TableEntry: Sendable {
  /// The field.
  let header: HTTPHeader
  /// The number of bytes of the sent name.
  let nameSize: Int
  /// The number of bytes of the sent value.
  let valueSize: Int
  /// True if the name has only valid characters and no upper-case letters.
  let hasGoodName: Bool
  /// True if the value has no NUL, CR or LF.
  let hasGoodValue: Bool

  /// Creates an entry of the static table.
  init(_ header: HTTPHeader) {
    self.init(
      name: HeaderText(
        text: header.name, size: header.name.utf8.count, isGoodName: true, isGoodValue: true),
      value: HeaderText(
        text: header.value, size: header.value.utf8.count, isGoodName: true, isGoodValue: true))
  }

  /// Creates an entry from strings of a header block.
  init(name: HeaderText, value: HeaderText) {
    header = HTTPHeader(name.text, value.text)
    nameSize = name.size
    valueSize = value.size
    hasGoodName = name.isGoodName
    hasGoodValue = value.isGoodValue
  }

  /// The name, for a field with another value.
  var name: HeaderText {
    HeaderText(text: header.name, size: nameSize, isGoodName: hasGoodName, isGoodValue: true)
  }

  /// The size of the entry in tables and header lists, in octets (RFC 7541 §4.1).
  var size: Int { nameSize + valueSize + 32 }
}

/// The dynamic table: fields that the client has sent, the newest at index 62 (RFC 7541 §2.3.2).
struct DynamicTable: Sendable {
  /// The entries, the newest last; those before `start` are evicted.
  private var entries: [TableEntry] = []
  private var start = 0
  /// The sum of the sizes of all entries.
  private(set) var size = 0
  /// Maximum `size` in octets.
  private(set) var capacity: Int

  /// Creates an empty table.
  init(capacity: Int) { self.capacity = capacity }

  /// The number of entries.
  var count: Int { entries.count - start }

  /// Returns the entry at a distance from the newest one; nil if there is none.
  func entry(behindNewest distance: Int) -> TableEntry? {
    distance >= 0 && distance < count ? entries[entries.count - 1 - distance] : nil
  }

  /// Sets the capacity, and evicts the oldest entries until the others fit.
  mutating func resize(to capacity: Int) {
    self.capacity = capacity
    evict(room: 0)
  }

  /// Adds an entry as the newest one, and evicts the oldest until the others fit. An entry larger than the
  /// capacity empties the table and is not added (RFC 7541 §4.4).
  mutating func insert(_ entry: TableEntry) {
    evict(room: entry.size)
    guard entry.size <= capacity else { return }
    entries.append(entry)
    size += entry.size
  }

  private mutating func evict(room: Int) {
    while count > 0, size + room > capacity {
      size -= entries[start].size
      start += 1
    }
    guard start > entries.count / 2 else { return }
    entries.removeSubrange(..<start)
    start = 0
  }
}
