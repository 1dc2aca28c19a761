public import RulesLang

/// A map with string keys that keeps the order in which keys were first added.
///
/// Small maps are searched from the front, large ones through an index.
public struct MapValue: Sendable, Sequence {
  /// The keys in order.
  public private(set) var keys: [Text] = []
  /// The values, in the order of the keys.
  public private(set) var values: [Value] = []
  /// Where each key is, kept once there are many.
  private var index: [Text: Int] = [:]
  /// A key that is present but whose value cannot be known, such as the path of a request to a
  /// collection group (Docs/Language.md §9). Reading it is an error without a text.
  public var unknownKey: Text?

  private static let indexedSize = 12

  /// Makes the empty map.
  public init() {}

  /// Makes a map; a repeated key keeps its first place and takes the last value.
  public init(_ entries: [(Text, Value)]) {
    for (key, value) in entries { self[key] = value }
  }

  /// The number of keys.
  public var count: Int { keys.count + (unknownKey == nil ? 0 : 1) }

  /// The value of a key; setting nil removes the key.
  public subscript(_ key: Text) -> Value? {
    get { position(of: key).map { values[$0] } }
    set {
      guard let newValue else { return remove(key) }
      if let place = position(of: key) {
        values[place] = newValue
      } else {
        append(key, newValue)
      }
    }
  }

  /// The keys in the order of `keys()`: by code point, the unknown key included.
  public var sortedKeys: [Text] {
    (keys + (unknownKey.map { [$0] } ?? [])).sorted(by: Text.precedesByCodePoint)
  }

  /// Whether a key is present.
  public func contains(_ key: Text) -> Bool { position(of: key) != nil || key == unknownKey }

  /// The pairs in order.
  public func makeIterator() -> Zip2Sequence<[Text], [Value]>.Iterator {
    zip(keys, values).makeIterator()
  }

  /// The map as Firestore stores it: times cut to the microsecond, at every depth.
  var storable: MapValue {
    var copy = self
    for (place, value) in values.enumerated() { copy.values[place] = value.storable }
    return copy
  }

  private func position(of key: Text) -> Int? {
    keys.count < Self.indexedSize ? keys.firstIndex(of: key) : index[key]
  }

  private mutating func append(_ key: Text, _ value: Value) {
    keys.append(key)
    values.append(value)
    if keys.count == Self.indexedSize {
      for (place, known) in keys.enumerated() { index[known] = place }
    } else if keys.count > Self.indexedSize {
      index[key] = keys.count - 1
    }
  }

  private mutating func remove(_ key: Text) {
    guard let place = position(of: key) else { return }
    keys.remove(at: place)
    values.remove(at: place)
    index.removeAll()
    guard keys.count >= Self.indexedSize else { return }
    for (place, known) in keys.enumerated() { index[known] = place }
  }
}
