import RulesLang

/// The memory of requests that are being decided: texts, lists and maps in flat tables that are emptied, not
/// freed, between requests.
///
/// The program's constants lie at the beginning and stay.
struct Arena: ~Copyable {
  /// One key of a map with its value.
  struct Entry {
    var key: TextPlace
    var symbol: Symbol
    var value: Cell
  }

  /// The range of a map's entries, and its cell.
  struct Map {
    var first: UInt32
    var count: UInt32
    var cell: Cell
  }

  /// An entry whose key the rules mention.
  struct Mention {
    var symbol: Symbol
    var value: Cell
  }

  /// The fill levels of all tables, to which `reset(to:)` returns.
  struct Mark {
    var words = 0
    var cells = 0
    var entries = 0
    var maps = 0
    var mentions = 0
    var boxes = 0
    var journal = 0
  }

  private(set) var words = Table<UInt64>()
  private(set) var cells = Table<Cell>()
  private(set) var entries = Table<Entry>()
  private(set) var maps = Table<Map>()
  private(set) var mentions = Table<Mention>()
  /// Values that have no plain form.
  private(set) var boxes: [Value] = []
  /// For each box, the map that it was unpacked into, or `notUnpacked`.
  private var unpacked = Table<UInt32>()
  /// The boxes that were unpacked, in order, so that `reset(to:)` can undo it for boxes that stay while their
  /// map is dropped.
  private var journal = Table<UInt32>()

  /// The number of the last map of each size, by the size's remainder; that map may have been dropped since.
  private var lastOfSize = Table<UInt32>(repeating: 0, count: Arena.rememberedSizes)
  /// True if values can have constraints inside: only queries have any, and searching every boxed value for
  /// them is expensive.
  var mayHoldConstraints = false

  private static let notUnpacked = UInt32.max
  private static let rememberedSizes = 16

  /// The current fill levels.
  var mark: Mark {
    Mark(
      words: words.count, cells: cells.count, entries: entries.count, maps: maps.count,
      mentions: mentions.count, boxes: boxes.count, journal: journal.count)
  }

  /// Drops everything that was added after a mark.
  mutating func reset(to mark: Mark) {
    words.drop(from: mark.words)
    cells.drop(from: mark.cells)
    entries.drop(from: mark.entries)
    maps.drop(from: mark.maps)
    mentions.drop(from: mark.mentions)
    if journal.count > mark.journal {
      for place in mark.journal..<journal.count {
        unpacked[Int(journal[place])] = Self.notUnpacked
      }
      journal.drop(from: mark.journal)
    }
    unpacked.drop(from: mark.boxes)
    // Usually there is nothing to drop, and the test is cheaper than dropping nothing.
    if boxes.count > mark.boxes { boxes.removeLast(boxes.count - mark.boxes) }
  }

  // MARK: Making

  /// Stores a value as it is, boxed.
  mutating func box(_ value: Value) -> Cell {
    boxes.append(value)
    unpacked.append(Self.notUnpacked)
    var cell = Cell(kind: .boxed, index: UInt32(boxes.count - 1))
    if mayHoldConstraints, value.hasConstraint { cell.mask = 1 }
    return cell
  }

  /// Copies a text.
  mutating func place(_ text: Text) -> TextPlace {
    let start = UInt32(words.count)
    words.append(text)
    return TextPlace(start: start, count: UInt32(text.bytes.count))
  }

  /// Reserves memory for `count` words of text.
  mutating func reserve(words count: Int) { words.reserve(count) }

  /// Copies a text without growing the table.
  ///
  /// - Requires: Memory for it was reserved.
  @inline(__always)
  mutating func place(roomy text: Text) -> TextPlace {
    let start = UInt32(words.count)
    words.append(roomy: text)
    return TextPlace(start: start, count: UInt32(text.bytes.count))
  }

  /// The cell of a text.
  mutating func text(_ text: Text) -> Cell { Cell(place(text)) }

  /// The cell of a list.
  mutating func list(_ elements: [Cell]) -> Cell {
    let first = cells.count
    var mask: UInt8 = 0
    for element in elements {
      mask |= element.constraintMask
      cells.append(element)
    }
    return Cell(
      kind: .list, mask: mask, index: UInt32(first), bits: UInt64(elements.count))
  }

  /// Begins a map of `count` different keys and returns the index of its first entry.
  mutating func beginMap(_ count: Int) -> Int {
    let first = entries.count
    let blank = Entry(key: TextPlace(start: 0, count: 0), symbol: .other, value: .null)
    entries.append(repeating: blank, count: count)
    return first
  }

  /// Sets an entry.
  @inline(__always)
  mutating func setEntry(at place: Int, to entry: Entry) { entries[place] = entry }

  /// Sets the value of an entry.
  @inline(__always)
  mutating func setValue(at place: Int, to value: Cell) { entries[place].value = value }

  /// Returns the index of the first entry of the last map with `count` keys, if it is remembered.
  func twin(_ count: Int) -> Int? {
    let number = Int(lastOfSize[count % Self.rememberedSizes])
    guard number < maps.count, Int(maps[number].count) == count else { return nil }
    return Int(maps[number].first)
  }

  /// Ends a map whose entries are set, and returns its cell.
  mutating func endMap(first: Int, count: Int) -> Cell {
    let firstMention = mentions.count
    var mask: UInt8 = 0
    for place in first..<(first + count) {
      mask |= entries[place].value.constraintMask
      guard entries[place].symbol != .other else { continue }
      mentions.append(Mention(symbol: entries[place].symbol, value: entries[place].value))
    }
    let run = UInt64(firstMention) | UInt64(mentions.count - firstMention) << 32
    let cell = Cell(kind: .map, mask: mask, index: UInt32(maps.count), bits: run)
    lastOfSize[count % Self.rememberedSizes] = UInt32(maps.count)
    maps.append(Map(first: UInt32(first), count: UInt32(count), cell: cell))
    return cell
  }

  /// Copies a map with another value in one entry; nil if the map can have constraints inside.
  mutating func copy(_ map: Cell, with value: Cell, at place: Int) -> Cell? {
    // Finding out if the copy still has a constraint would take a search.
    if map.constraintMask != 0 { return nil }
    let old = maps[Int(map.index)]
    let first = entries.count
    entries.append(copying: Int(old.first), count: Int(old.count))
    let changed = first + place - Int(old.first)
    entries[changed].value = value
    let firstMention = mentions.count
    let oldMention = Int(truncatingIfNeeded: map.bits & 0xFFFF_FFFF)
    let mentionCount = Int(truncatingIfNeeded: map.bits >> 32)
    mentions.append(copying: oldMention, count: mentionCount)
    let symbol = entries[changed].symbol
    if symbol != .other {
      for mention in firstMention..<mentions.count where mentions[mention].symbol == symbol {
        mentions[mention].value = value
      }
    }
    let cell = Cell(
      kind: .map, mask: value.constraintMask, index: UInt32(maps.count),
      bits: UInt64(firstMention) | UInt64(mentionCount) << 32)
    maps.append(Map(first: UInt32(first), count: old.count, cell: cell))
    return cell
  }

  /// Returns the map that a boxed map was unpacked into; nil if it was not.
  func unpackedMap(_ box: UInt32) -> UInt32? {
    let map = unpacked[Int(box)]
    return map == Self.notUnpacked ? nil : map
  }

  /// Records the map that a boxed map was unpacked into.
  mutating func setUnpackedMap(of box: UInt32, to map: UInt32) {
    unpacked[Int(box)] = map
    journal.append(box)
  }
}

extension Cell {
  /// The cell of a text in an arena.
  init(_ place: TextPlace) {
    self.init(kind: .text, index: place.start, bits: UInt64(place.count))
  }

  /// The place of the text.
  var place: TextPlace { TextPlace(start: index, count: UInt32(truncatingIfNeeded: bits)) }

  /// 1 if there is a constraint inside.
  var constraintMask: UInt8 { kind == .changes ? 0 : mask }
}
