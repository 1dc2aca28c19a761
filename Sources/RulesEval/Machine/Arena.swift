import RulesLang

/// Where requests lie while they are decided: texts, lists and maps in flat tables that are emptied,
/// not freed, between requests.
///
/// The constants of the program lie at the beginning and stay.
struct Arena: ~Copyable {
  /// One key of a map with its value.
  struct Entry {
    var key: TextPlace
    var symbol: Symbol
    var value: Cell
  }

  /// Where the entries of a map are, and those of them that the rules mention.
  struct Map {
    var first: UInt32
    var count: UInt32
    var firstMention: UInt32
    var mentionCount: UInt32
  }

  /// An entry whose key the rules mention.
  struct Mention {
    var symbol: Symbol
    var entry: UInt32
  }

  /// How full the tables are.
  struct Mark {
    var words = 0
    var cells = 0
    var entries = 0
    var maps = 0
    var mentions = 0
    var boxes = 0
  }

  private(set) var words: [UInt64] = []
  private(set) var cells: [Cell] = []
  private(set) var entries: [Entry] = []
  private(set) var maps: [Map] = []
  private(set) var mentions: [Mention] = []
  /// Values that have no plain form.
  private(set) var boxes: [Value] = []
  /// The map that a boxed map was unpacked into; `notUnpacked` before.
  private var unpacked: [UInt32] = []
  /// Whether there can be constraints inside of values: only queries have any, and looking into
  /// every value that is kept as it is costs.
  var mayHoldConstraints = false

  private static let notUnpacked = UInt32.max

  /// How full the tables are now.
  var mark: Mark {
    Mark(
      words: words.count, cells: cells.count, entries: entries.count, maps: maps.count,
      mentions: mentions.count, boxes: boxes.count)
  }

  /// Drops everything that came after a mark.
  mutating func reset(to mark: Mark) {
    // Mostly there is nothing to drop, and asking costs less than dropping nothing.
    if words.count > mark.words { words.removeLast(words.count - mark.words) }
    if cells.count > mark.cells { cells.removeLast(cells.count - mark.cells) }
    if entries.count > mark.entries { entries.removeLast(entries.count - mark.entries) }
    if maps.count > mark.maps { maps.removeLast(maps.count - mark.maps) }
    if mentions.count > mark.mentions { mentions.removeLast(mentions.count - mark.mentions) }
    if boxes.count > mark.boxes {
      boxes.removeLast(boxes.count - mark.boxes)
      unpacked.removeLast(unpacked.count - mark.boxes)
    }
  }

  // MARK: Making

  /// Keeps a value as it is.
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
    words.append(packing: text.bytes)
    return TextPlace(start: start, count: UInt32(text.bytes.count))
  }

  /// Copies bytes of a buffer; the range lies inside it.
  mutating func place(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> TextPlace {
    let start = UInt32(words.count)
    words.append(packing: bytes, from: range.lowerBound, to: range.upperBound)
    return TextPlace(start: start, count: UInt32(range.count))
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

  /// Makes room for the entries of a map whose keys are different.
  mutating func beginMap(_ count: Int) -> Int {
    let first = entries.count
    let blank = Entry(key: TextPlace(start: 0, count: 0), symbol: .other, value: .null)
    for _ in 0..<count { entries.append(blank) }
    return first
  }

  /// Fills in an entry.
  mutating func setEntry(_ place: Int, _ entry: Entry) { entries[place] = entry }

  /// The cell of the map whose entries are filled in.
  mutating func endMap(first: Int, count: Int) -> Cell {
    let firstMention = mentions.count
    var mask: UInt8 = 0
    for place in first..<(first + count) {
      mask |= entries[place].value.constraintMask
      guard entries[place].symbol != .other else { continue }
      mentions.append(Mention(symbol: entries[place].symbol, entry: UInt32(place)))
    }
    maps.append(
      Map(
        first: UInt32(first), count: UInt32(count), firstMention: UInt32(firstMention),
        mentionCount: UInt32(mentions.count - firstMention)))
    return Cell(kind: .map, mask: mask, index: UInt32(maps.count - 1))
  }

  /// The map that a boxed map was unpacked into, if it was.
  func unpackedMap(_ box: UInt32) -> UInt32? {
    let map = unpacked[Int(box)]
    return map == Self.notUnpacked ? nil : map
  }

  /// Remembers what a boxed map was unpacked into.
  mutating func setUnpackedMap(_ box: UInt32, _ map: UInt32) { unpacked[Int(box)] = map }
}

extension Cell {
  /// The cell of a text in an arena.
  init(_ place: TextPlace) {
    self.init(kind: .text, index: place.start, bits: UInt64(place.count))
  }

  /// Where the text lies.
  var place: TextPlace { TextPlace(start: index, count: UInt32(truncatingIfNeeded: bits)) }

  /// 1 if there is a constraint inside.
  var constraintMask: UInt8 { kind == .changes ? 0 : mask }
}
