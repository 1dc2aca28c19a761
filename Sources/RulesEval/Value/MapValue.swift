public import RulesLang

/// A map with string keys that keeps the order in which keys were first added.
///
/// Small maps are searched from the front, large ones through an index.
public struct MapValue: Sendable, Sequence {
  /// A key with its value.
  package struct Entry: Sendable {
    /// The key.
    package var key: Text
    /// The value of the key.
    package var value: Value
  }

  /// Parts that few maps have, in a box of their own to keep maps small.
  private struct Rare: Sendable {
    /// The position of each key, once there are many keys.
    var index: [Text: Int] = [:]
    var unknownKey: Text?
  }

  /// The pairs in order; the fastest way to iterate over them.
  package private(set) var entries: [Entry] = []
  /// The rare parts; at most one element. Maps are copied often, and copying an empty array is free.
  private var rare: [Rare] = []

  private static let indexedSize = 12

  /// Creates the empty map.
  public init() {}

  /// Creates a map; a repeated key keeps its first place and takes the last value.
  public init(_ entries: [(Text, Value)]) {
    reserve(entries.count)
    for (key, value) in entries { self[key] = value }
  }

  /// Creates a map of one key.
  init(key: Text, value: Value) { entries = [Entry(key: key, value: value)] }

  /// Reserves memory for `count` keys.
  mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

  /// A key that is present but whose value cannot be known, such as the path of a request to a collection
  /// group (Docs/Language.md §9). Reading it is an error without a text.
  public var unknownKey: Text? {
    get { rare.isEmpty ? nil : rare[0].unknownKey }
    set {
      if rare.isEmpty {
        if newValue == nil { return }
        rare.append(Rare())
      }
      rare[0].unknownKey = newValue
    }
  }

  /// The keys in order, without the unknown one.
  public var keys: [Text] { entries.map { $0.key } }

  /// The values, in the order of the keys.
  public var values: [Value] { entries.map { $0.value } }

  /// The number of keys.
  public var count: Int { entries.count + (unknownKey == nil ? 0 : 1) }

  /// The value of a key; setting nil removes the key.
  public subscript(_ key: Text) -> Value? {
    get { position(of: key).map { entries[$0].value } }
    set {
      guard let newValue else { return remove(key) }
      if let place = position(of: key) {
        entries[place].value = newValue
      } else {
        append(key, value: newValue)
      }
    }
  }

  /// The keys in the order of `keys()`: by code point, the unknown key included.
  public var sortedKeys: [Text] {
    (keys + (unknownKey.map { [$0] } ?? [])).sorted(by: Text.precedesByCodePoint)
  }

  /// True if a key is present.
  public func contains(_ key: Text) -> Bool { position(of: key) != nil || key == unknownKey }

  /// The pairs in order.
  public func makeIterator() -> Iterator { Iterator(entries: entries) }

  /// Gives the pairs of a map in order.
  public struct Iterator: IteratorProtocol {
    let entries: [Entry]
    var place = 0

    /// The next pair.
    public mutating func next() -> (Text, Value)? {
      guard place < entries.count else { return nil }
      place += 1
      return (entries[place - 1].key, entries[place - 1].value)
    }
  }

  /// The map as Firestore stores it: times cut to the microsecond, at every depth.
  var storable: MapValue {
    var copy = self
    for place in entries.indices where !entries[place].value.isStorable {
      copy.entries[place].value = entries[place].value.storable
    }
    return copy
  }

  private func position(of key: Text) -> Int? {
    guard entries.count < Self.indexedSize else { return rare[0].index[key] }
    for place in entries.indices where entries[place].key == key { return place }
    return nil
  }

  /// Appends a key.
  ///
  /// - Requires: The map does not have it.
  mutating func append(_ key: consuming Text, value: consuming Value) {
    entries.append(Entry(key: key, value: value))
    guard entries.count >= Self.indexedSize else { return }
    if entries.count == Self.indexedSize {
      makeIndex()
    } else {
      let place = entries.count - 1
      rare[0].index[entries[place].key] = place
    }
  }

  private mutating func remove(_ key: Text) {
    guard let place = position(of: key) else { return }
    entries.remove(at: place)
    if entries.count >= Self.indexedSize { makeIndex() }
  }

  private mutating func makeIndex() {
    if rare.isEmpty { rare.append(Rare()) }
    rare[0].index.removeAll(keepingCapacity: true)
    for (place, entry) in entries.enumerated() { rare[0].index[entry.key] = place }
  }
}
