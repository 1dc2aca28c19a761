/// A field of an HPACK table. Sizes are those on the wire: a text repaired to UTF-8 may be longer.
struct TableEntry: Sendable {
  /// The field.
  let header: HTTPHeader
  /// Bytes of the name as sent.
  let nameSize: Int
  /// Bytes of the value as sent.
  let valueSize: Int
  /// True if the name has only characters of names, none of them in upper case.
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

  /// Creates an entry of strings that were read.
  init(name: HeaderText, value: HeaderText) {
    header = HTTPHeader(name.text, value.text)
    nameSize = name.size
    valueSize = value.size
    hasGoodName = name.isGoodName
    hasGoodValue = value.isGoodValue
  }

  /// The name, to be used with another value.
  var name: HeaderText {
    HeaderText(text: header.name, size: nameSize, isGoodName: hasGoodName, isGoodValue: true)
  }

  /// The size of the entry in tables and header lists, in octets (RFC 7541 §4.1).
  var size: Int { nameSize + valueSize + 32 }
}

/// Fields that a client has sent before, the newest with index 62 (RFC 7541 §2.3.2).
struct DynamicTable: Sendable {
  /// The entries from `start` on, the newest last.
  private var entries: [TableEntry] = []
  private var start = 0
  /// Sum of the sizes of all entries.
  private(set) var size = 0
  /// The largest `size` now, in octets.
  private(set) var capacity: Int

  /// Creates an empty table.
  init(capacity: Int) { self.capacity = capacity }

  /// Entries in the table.
  var count: Int { entries.count - start }

  /// Returns the entry at a distance from the newest one; nil if there is none.
  func entry(behindNewest distance: Int) -> TableEntry? {
    distance >= 0 && distance < count ? entries[entries.count - 1 - distance] : nil
  }

  /// Sets the capacity and drops the oldest entries until the rest fit.
  mutating func resize(to capacity: Int) {
    self.capacity = capacity
    evict(room: 0)
  }

  /// Adds an entry as the newest and drops the oldest that do not fit any more. An entry larger than the
  /// capacity only empties the table (RFC 7541 §4.4).
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
