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

  /// The word with this spelling, if there is one.
  public static func named(_ text: Text) -> TypeWord? {
    allCases.first { Text($0.spelling) == text }
  }
}

/// A set of value types: what an expression can be.
public struct TypeSet: OptionSet, Hashable, Sendable {
  /// One bit for each `ValueType`.
  public let rawValue: UInt32

  /// Makes a set of bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Makes the set of one type.
  public init(_ type: ValueType) { rawValue = 1 << UInt32(type.rawValue) }

  /// `null` only.
  public static let null = TypeSet(.null)
  /// `bool` only.
  public static let bool = TypeSet(.bool)
  /// `int` only.
  public static let int = TypeSet(.int)
  /// `float` only.
  public static let float = TypeSet(.float)
  /// `string` only.
  public static let string = TypeSet(.string)
  /// `bytes` only.
  public static let bytes = TypeSet(.bytes)
  /// `list` only.
  public static let list = TypeSet(.list)
  /// `map` only.
  public static let map = TypeSet(.map)
  /// `set` only.
  public static let set = TypeSet(.set)
  /// `timestamp` only.
  public static let timestamp = TypeSet(.timestamp)
  /// `duration` only.
  public static let duration = TypeSet(.duration)
  /// `latlng` only.
  public static let latlng = TypeSet(.latlng)
  /// `path` only.
  public static let path = TypeSet(.path)
  /// `map_diff` only.
  public static let mapDiff = TypeSet(.mapDiff)
  /// `vector` only.
  public static let vector = TypeSet(.vector)
  /// `constraint` only.
  public static let constraint = TypeSet(.constraint)
  /// Every type: nothing is known.
  public static let any = TypeSet(rawValue: (1 << UInt32(ValueType.allCases.count)) - 1)

  /// Whether the type is in the set.
  public func contains(_ type: ValueType) -> Bool { contains(TypeSet(type)) }

  /// The types in the set, in the order of `ValueType`.
  public var types: [ValueType] { ValueType.allCases.filter { contains($0) } }

  /// The type in a set of one; nil for other sets.
  public var only: ValueType? {
    rawValue.nonzeroBitCount == 1
      ? ValueType(rawValue: UInt8(rawValue.trailingZeroBitCount)) : nil
  }
}
