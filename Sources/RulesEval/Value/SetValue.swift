import RulesLang

/// A set: elements that are pairwise different by set equality (Docs/Language.md §7), in the order
/// of their first occurrence.
public struct SetValue: Sendable {
  /// The elements.
  public let elements: [Value]
  private let buckets: FingerprintIndex

  /// Creates a set of values, keeping the first of equal ones; throws if one of them contains a constraint.
  public init(_ candidates: [Value]) throws(EvaluationError.Reason) {
    var kept: [Value] = []
    var buckets = FingerprintIndex()
    for candidate in candidates {
      if let reason = candidate.reasonNotToCompare { throw reason }
      if try Self.find(candidate, in: kept, by: buckets) { continue }
      buckets.add(candidate.fingerprint, at: kept.count)
      kept.append(candidate)
    }
    elements = kept
    self.buckets = buckets
  }

  /// Creates a set of values that are known to be different.
  init(distinct elements: [Value]) {
    self.elements = elements
    var buckets = FingerprintIndex()
    for (place, element) in elements.enumerated() { buckets.add(element.fingerprint, at: place) }
    self.buckets = buckets
  }

  /// The number of elements.
  public var count: Int { elements.count }

  /// True if an equal element is in the set; fails on a constraint, unless the set is empty.
  public func contains(_ value: Value) throws(EvaluationError.Reason) -> Bool {
    if elements.isEmpty { return false }
    if let reason = value.reasonNotToCompare { throw reason }
    return try Self.find(value, in: elements, by: buckets)
  }

  private static func find(
    _ value: Value, in elements: [Value], by buckets: FingerprintIndex
  ) throws(EvaluationError.Reason) -> Bool {
    for place in buckets.places(of: value.fingerprint) {
      if try Value.areSetEqual(value, elements[place]) { return true }
    }
    return false
  }
}

/// An index from fingerprints to positions, which keeps searches in large collections linear.
struct FingerprintIndex: Sendable {
  private var places: [UInt64: [Int]] = [:]

  /// Records that the value at a place has a fingerprint.
  mutating func add(_ fingerprint: UInt64, at place: Int) {
    places[fingerprint, default: []].append(place)
  }

  /// The places recorded for a fingerprint, in order.
  func places(of fingerprint: UInt64) -> [Int] { places[fingerprint] ?? [] }
}

extension Value {
  /// True if the value is or contains a constraint, or a map with a key that cannot be known: these have no
  /// equality.
  var hasConstraint: Bool { reasonNotToCompare != nil }

  /// The error that comparing the value gives; nil if it can be compared.
  var reasonNotToCompare: EvaluationError.Reason? {
    switch self {
    case .constraint: return .constraintEquality
    case .list(let elements):
      for element in elements {
        if let reason = element.reasonNotToCompare { return reason }
      }
      return nil
    case .map(let map):
      if map.unknownKey != nil { return .unknown }
      for (_, value) in map {
        if let reason = value.reasonNotToCompare { return reason }
      }
      return nil
    case .null, .bool, .int, .float, .string, .bytes, .set, .timestamp, .duration, .latlng, .path,
      .mapDiff, .vector:
      return nil
    }
  }

  /// A hash that is equal for values that are equal by any of the language's equalities.
  ///
  /// Different values may have one hash, too. All constraints do, and so do all paths, which are compared
  /// segment by segment in more than one way.
  var fingerprint: UInt64 {
    switch self {
    case .null: 1
    case .bool(let value): value ? 2 : 3
    case .int(let value): Self.mix(4, with: Double(value).bitPattern)
    case .float(let value):
      value.isNaN ? 5 : Self.mix(4, with: value == 0 ? 0 : value.bitPattern)
    case .string(let text): Self.mix(6, with: text.bytes)
    case .bytes(let octets): Self.mix(7, with: octets)
    case .list(let elements): elements.reduce(8) { Self.mix($0, with: $1.fingerprint) }
    case .map(let map):
      map.reduce(9) { $0 &+ Self.mix(Self.mix(9, with: $1.0.bytes), with: $1.1.fingerprint) }
    case .set(let set): set.elements.reduce(10) { $0 &+ Self.mix(10, with: $1.fingerprint) }
    case .timestamp(let time):
      Self.mix(Self.mix(11, with: UInt64(bitPattern: time.epochSeconds)), with: UInt64(time.nanos))
    case .duration(let length): Self.mix(12, with: UInt64(bitPattern: length.seconds))
    case .latlng(let point): Self.mix(13, with: point.latitude == 0 ? 0 : point.latitude.bitPattern)
    case .path: 14
    case .mapDiff(let diff): Self.mix(15, with: UInt64(diff.entries.count))
    // For a set, a vector and the list of its numbers are one element.
    case .vector(let elements):
      elements.reduce(8) { Self.mix($0, with: Value.float($1).fingerprint) }
    case .constraint: 17
    }
  }

  private static func mix(_ hash: UInt64, with word: UInt64) -> UInt64 {
    (hash ^ word) &* 0x9E37_79B9_7F4A_7C15 ^ (hash &* 0xBF58_476D_1CE4_E5B9 >> 29)
  }

  private static func mix(_ hash: UInt64, with bytes: [UInt8]) -> UInt64 {
    bytes.reduce(hash &+ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
