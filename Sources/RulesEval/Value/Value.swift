public import RulesLang

/// A value of the rules language at run time (Docs/Language.md §6).
///
/// There is deliberately no `==` on values: the language has four equalities, and each use has to
/// say which one it means (`Value+Equality.swift`).
public enum Value: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Double)
  case string(Text)
  case bytes([UInt8])
  case list([Value])
  case map(MapValue)
  case set(SetValue)
  case timestamp(Timestamp)
  case duration(Duration)
  case latlng(LatLng)
  case path(PathValue)
  case mapDiff(MapDiff)
  case vector([Double])
  case constraint(Constraint)

  /// The type that messages name and `is` tests.
  public var type: ValueType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .string: .string
    case .bytes: .bytes
    case .list: .list
    case .map: .map
    case .set: .set
    case .timestamp: .timestamp
    case .duration: .duration
    case .latlng: .latlng
    case .path: .path
    case .mapDiff: .mapDiff
    case .vector: .vector
    case .constraint: .constraint
    }
  }

  /// A constant of the source as a value.
  public init(_ literal: Literal) {
    switch literal {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .float(let value): self = .float(value)
    case .string(let value): self = .string(value)
    case .bytes(let value): self = .bytes(value)
    }
  }

  /// The value as Firestore stores it: times cut to the microsecond, at every depth.
  var storable: Value {
    switch self {
    case .timestamp(let time): .timestamp(time.microsecondPrecise)
    case .list(let elements): .list(elements.map { $0.storable })
    case .map(let map): .map(map.storable)
    case .null, .bool, .int, .float, .string, .bytes, .set, .duration, .latlng, .path, .mapDiff,
      .vector, .constraint:
      self
    }
  }

  /// True if storing the value changes nothing.
  var isStorable: Bool {
    switch self {
    case .timestamp(let time): time.nanos % 1000 == 0
    case .list(let elements): elements.allSatisfy { $0.isStorable }
    case .map(let map): map.entries.allSatisfy { $0.value.isStorable }
    case .null, .bool, .int, .float, .string, .bytes, .set, .duration, .latlng, .path, .mapDiff,
      .vector, .constraint:
      true
    }
  }

  /// The number as a float, if the value is a number.
  var asDouble: Double? {
    switch self {
    case .int(let value): Double(value)
    case .float(let value): value
    case .null, .bool, .string, .bytes, .list, .map, .set, .timestamp, .duration, .latlng, .path,
      .mapDiff, .vector, .constraint:
      nil
    }
  }
}

/// A point on the globe, in degrees.
public struct LatLng: Sendable {
  /// -90 to 90.
  public var latitude: Double
  /// -180 to 180.
  public var longitude: Double

  /// Creates a point; the caller has checked the ranges.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// The result of `after.diff(before)`: the status of each key of either map.
public struct MapDiff: Sendable {
  /// The change of a key.
  public enum Status: UInt8, Sendable {
    case added, removed, changed, unchanged
  }

  /// Each key once, with its status: the new map's keys in order, then the removed ones.
  public var entries: [(key: Text, status: Status)]

  /// Compares two maps by set equality (Docs/Language.md §8), or fails on a constraint.
  public static func of(_ after: MapValue, against before: MapValue) throws(EvaluationError.Reason)
    -> MapDiff
  {
    var entries: [(key: Text, status: Status)] = []
    for (key, value) in after {
      guard let old = before[key] else {
        entries.append((key, .added))
        continue
      }
      if let reason = value.reasonNotToCompare ?? old.reasonNotToCompare { throw reason }
      entries.append((key, try Value.areSetEqual(value, old) ? .unchanged : .changed))
    }
    for (key, _) in before where !after.contains(key) { entries.append((key, .removed)) }
    try add(after.unknownKey, as: .added, unlessIn: before, to: &entries)
    try add(before.unknownKey, as: .removed, unlessIn: after, to: &entries)
    return MapDiff(entries: entries)
  }

  /// Adds a key whose value cannot be known; throws if the other map has it, too, because it cannot be
  /// compared.
  private static func add(
    _ key: Text?, as status: Status, unlessIn other: MapValue,
    to entries: inout [(key: Text, status: Status)]
  ) throws(EvaluationError.Reason) {
    guard let key else { return }
    if other.contains(key) { throw .unknown }
    entries.append((key, status))
  }

  /// The keys with one of these statuses.
  public func keys(_ statuses: Status...) -> SetValue {
    SetValue(distinct: entries.filter { statuses.contains($0.status) }.map { .string($0.key) })
  }
}
