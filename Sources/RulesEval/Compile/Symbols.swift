import RulesLang

/// A name that the rules mention, as a number from 1; 0 is any other name.
struct Symbol: Hashable, Sendable {
  let raw: UInt32

  /// A name that the rules do not mention.
  static let other = Symbol(raw: 0)
}

/// The names that a rules file mentions: members, string constants, segments of patterns.
///
/// Only these are distinguished in requests; a field that no rule mentions costs no more than reading its
/// name once. Names are looked up by their bytes, eight at a time.
struct Symbols: ~Copyable, Sendable {
  /// The names; that of symbol n is at n − 1.
  private(set) var names: [Text] = []
  private var words = Table<UInt64>()
  private var places = Table<TextPlace>()
  /// A hash table of symbols; empty slots are 0, at most half are used.
  private var slots = Table<UInt32>(repeating: 0, count: 16)

  /// Creates a table without names.
  init() {}

  /// Returns the symbol of a name, adding it if it is new.
  mutating func intern(_ name: Text) -> Symbol {
    var packed = Table<UInt64>()
    packed.append(name)
    let place = TextPlace(start: 0, count: UInt32(name.bytes.count))
    let known = find(place, in: packed)
    if known != .other { return known }
    places.append(TextPlace(start: UInt32(words.count), count: place.count))
    words.append(name)
    names.append(name)
    if names.count * 2 > slots.count { grow() } else { put(UInt32(names.count)) }
    return Symbol(raw: UInt32(names.count))
  }

  private mutating func grow() {
    slots = Table(repeating: 0, count: slots.count * 2)
    for number in 1...names.count { put(UInt32(number)) }
  }

  private mutating func put(_ number: UInt32) {
    var slot = hash(places[Int(number) - 1], in: words)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = number
  }

  /// Returns the symbol of the text at a place; `other` if the rules do not mention it.
  func find(_ place: TextPlace, in text: borrowing Table<UInt64>) -> Symbol {
    var slot = hash(place, in: text)
    while slots[slot] != 0 {
      let known = places[Int(slots[slot]) - 1]
      if known.count == place.count,
        words.areEqual(at: Int(known.start), to: text, at: Int(place.start), count: place.wordCount)
      {
        return Symbol(raw: slots[slot])
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return .other
  }

  private func hash(_ place: TextPlace, in text: borrowing Table<UInt64>) -> Int {
    var hash = UInt64(place.count) &* 0x9E37_79B9_7F4A_7C15
    var word = Int(place.start)
    for _ in 0..<place.wordCount {
      hash = (hash ^ text[word]) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
      word += 1
    }
    return Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1)
  }

  /// The name of a symbol.
  func name(_ symbol: Symbol) -> Text { names[Int(symbol.raw) - 1] }
}
