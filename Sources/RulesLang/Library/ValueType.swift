/// The type of a value at run time. Its raw value is the bit in a `TypeSet`.
public enum ValueType: UInt8, CaseIterable, Sendable {
  case null, bool, int, float, string, bytes, list, map, set
  case timestamp, duration, latlng, path, mapDiff, vector, constraint

  /// The word that messages use (Docs/Language.md §6).
  public var word: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .string: "string"
    case .bytes: "bytes"
    case .list: "list"
    case .map: "map"
    case .set: "set"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .latlng: "latlng"
    case .path: "path"
    case .mapDiff: "map_diff"
    case .vector: "vector"
    case .constraint: "constraint"
    }
  }
}

/// A word that may follow `is` (Docs/Language.md §6).
public enum TypeWord: UInt8, CaseIterable, Sendable {
  case bool, bytes, constraint, duration, float, int, latlng, list, vector, set, number, map
  case string, timestamp, path, mapDiff

  /// The word as it is written.
  public var spelling: String {
    switch self {
    case .number: "number"
    case .bool: ValueType.bool.word
    case .bytes: ValueType.bytes.word
    case .constraint: ValueType.constraint.word
    case .duration: ValueType.duration.word
    case .float: ValueType.float.word
    case .int: ValueType.int.word
    case .latlng: ValueType.latlng.word
    case .list: ValueType.list.word
    case .vector: ValueType.vector.word
    case .set: ValueType.set.word
    case .map: ValueType.map.word
    case .string: ValueType.string.word
    case .timestamp: ValueType.timestamp.word
    case .path: ValueType.path.word
    case .mapDiff: ValueType.mapDiff.word
    }
  }

  /// The types of the values for which `is` holds. `set` holds for nothing, as in the engine.
  public var accepts: TypeSet {
    switch self {
    case .bool: .bool
    case .bytes: .bytes
    case .constraint: .constraint
    case .duration: .duration
    case .float: .float
    case .int: .int
    case .latlng: .latlng
    case .list: .list
    case .vector: .vector
    case .set: []
    case .number: [.int, .float]
    case .map: .map
    case .string: .string
    case .timestamp: .timestamp
    case .path: .path
    case .mapDiff: .mapDiff
    }
  }

  /// Returns the word with this spelling, if there is one.
  public static func named(_ text: Text) -> TypeWord? {
    allCases.first { Text($0.spelling) == text }
  }
}

/// A set of value types, for the possible types of an expression.
public struct TypeSet: OptionSet, Hashable, Sendable {
  /// One bit for each `ValueType`.
  public let rawValue: UInt32

  /// Creates a set of bits.
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates the set of one type.
  @inlinable public init(_ type: ValueType) { rawValue = 1 << UInt32(type.rawValue) }

  /// `null` only.
  @inlinable public static var null: TypeSet { TypeSet(.null) }
  /// `bool` only.
  @inlinable public static var bool: TypeSet { TypeSet(.bool) }
  /// `int` only.
  @inlinable public static var int: TypeSet { TypeSet(.int) }
  /// `float` only.
  @inlinable public static var float: TypeSet { TypeSet(.float) }
  /// `string` only.
  @inlinable public static var string: TypeSet { TypeSet(.string) }
  /// `bytes` only.
  @inlinable public static var bytes: TypeSet { TypeSet(.bytes) }
  /// `list` only.
  @inlinable public static var list: TypeSet { TypeSet(.list) }
  /// `map` only.
  @inlinable public static var map: TypeSet { TypeSet(.map) }
  /// `set` only.
  @inlinable public static var set: TypeSet { TypeSet(.set) }
  /// `timestamp` only.
  @inlinable public static var timestamp: TypeSet { TypeSet(.timestamp) }
  /// `duration` only.
  @inlinable public static var duration: TypeSet { TypeSet(.duration) }
  /// `latlng` only.
  @inlinable public static var latlng: TypeSet { TypeSet(.latlng) }
  /// `path` only.
  @inlinable public static var path: TypeSet { TypeSet(.path) }
  /// `map_diff` only.
  @inlinable public static var mapDiff: TypeSet { TypeSet(.mapDiff) }
  /// `vector` only.
  @inlinable public static var vector: TypeSet { TypeSet(.vector) }
  /// `constraint` only.
  @inlinable public static var constraint: TypeSet { TypeSet(.constraint) }
  /// All types: nothing is known.
  @inlinable public static var any: TypeSet {
    // The last type has the highest bit.
    TypeSet(rawValue: (2 << UInt32(ValueType.constraint.rawValue)) - 1)
  }

  /// True if the type is in the set.
  public func contains(_ type: ValueType) -> Bool { contains(TypeSet(type)) }

  /// The types in the set, in the order of `ValueType`.
  public var types: [ValueType] { ValueType.allCases.filter { contains($0) } }

  /// The type in a set of one; nil for other sets.
  public var only: ValueType? {
    rawValue.nonzeroBitCount == 1
      ? ValueType(rawValue: UInt8(rawValue.trailingZeroBitCount)) : nil
  }
}
