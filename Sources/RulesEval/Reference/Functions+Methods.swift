import RulesLang

// The methods, by the type of their receiver (Docs/Language.md §8).

extension Functions {
  static func string(
    _ builtin: Builtin, on text: Text, arguments: [Value], knowing patterns: [Pattern]
  ) throws(EvaluationError.Reason) -> Value {
    switch builtin {
    case .stringSize: return .int(Int64(text.unitCount))
    case .stringLower: return .string(text.asciiLowercased)
    case .stringUpper: return .string(text.asciiUppercased)
    case .stringTrim: return .string(text.trimmed)
    case .stringToUTF8: return .bytes(utf8(text))
    case .stringMatches, .stringSplit, .stringReplace:
      return try pattern(builtin, on: text, with: arguments, among: patterns)
    default: throw undefined(builtin)
    }
  }

  /// Calls a method that takes a pattern; `known` are compiled patterns to look in first.
  private static func pattern(
    _ builtin: Builtin, on text: Text, with arguments: [Value], among known: [Pattern]
  ) throws(EvaluationError.Reason) -> Value {
    guard case .string(let source)? = arguments.first else { throw undefined(builtin) }
    let pattern: Pattern
    do throws(PatternError) {
      pattern = try Pattern(source, serving: text.bytes.count, among: known)
    } catch {
      if error.reason == .tooLarge { throw .patternTooLarge }
      throw .invalidPattern(error.message(for: source))
    }
    switch (builtin, arguments.last) {
    case (.stringMatches, _): return .bool(pattern.matches(text))
    case (.stringSplit, _): return .list(pattern.split(text).map { .string($0) })
    case (.stringReplace, .string(let template)):
      do throws(TemplateError) {
        return .string(try pattern.replace(text, with: template))
      } catch {
        if error.reason == .resultTooLarge { throw .valueTooLarge }
        throw .invalidTemplate(template)
      }
    default: throw undefined(builtin)
    }
  }

  static func bytes(
    _ builtin: Builtin, on octets: [UInt8]
  ) throws(EvaluationError.Reason) -> Value {
    switch builtin {
    case .bytesSize: return .int(Int64(octets.count))
    case .bytesToBase64: return .string(Base64.urlSafe.text(of: octets))
    case .bytesToHexString: return .string(Base16.text(of: octets))
    default: throw undefined(builtin)
    }
  }

  // MARK: list

  static func list(
    _ builtin: Builtin, on elements: [Value], with first: Value
  ) throws(EvaluationError.Reason) -> Value {
    switch (builtin, first) {
    case (.listSize, _): return .int(Int64(elements.count))
    case (.listToSet, _): return .set(try SetValue(elements))
    case (.listJoin, .string(let separator)): return .string(try join(elements, by: separator))
    case (.listConcat, .list(let others)):
      if Value.areTooHeavy([.list(elements), .list(others)]) { throw .valueTooLarge }
      return .list(elements + others)
    case (.listRemoveAll, .list(let others)):
      let removed = MemberIndex(others)
      return .list(elements.filter { !removed.contains($0) })
    case (.listHasAll, .list(let others)):
      let own = MemberIndex(elements)
      return .bool(others.allSatisfy { own.contains($0) })
    case (.listHasAny, .list(let others)):
      let own = MemberIndex(elements)
      return .bool(others.contains { own.contains($0) })
    case (.listHasOnly, .list(let others)):
      let allowed = MemberIndex(others)
      return .bool(elements.allSatisfy { allowed.contains($0) })
    default: throw undefined(builtin)
    }
  }

  private static func join(
    _ elements: [Value], by separator: Text
  ) throws(EvaluationError.Reason) -> Text {
    var result = Text()
    for (index, element) in elements.enumerated() {
      if index > 0 { result.append(separator) }
      result.append(try string(element))
      if result.bytes.count > Text.maximumSize { throw .valueTooLarge }
    }
    return result
  }

  // MARK: map, map_diff

  static func mapMethod(
    _ builtin: Builtin, on map: MapValue, first: Value, arguments: [Value]
  ) throws(EvaluationError.Reason) -> Value {
    switch (builtin, first) {
    case (.mapSize, _): return .int(Int64(map.count))
    case (.mapKeys, _): return .list(map.sortedKeys.map { .string($0) })
    // Lists with gaps are not modelled (Docs/Fidelity.md §29).
    case (.mapValues, _) where map.unknownKey != nil: throw .unknown
    case (.mapValues, _): return .list(map.values)
    case (.mapDiff, .map(let before)): return .mapDiff(try MapDiff.of(map, against: before))
    case (.mapGet, .string(let key)):
      return try get(from: map, at: [.string(key)], default: arguments[1])
    case (.mapGet, .list(let keys)): return try get(from: map, at: keys, default: arguments[1])
    default: throw undefined(builtin)
    }
  }

  /// Reads a value at a path of keys; the default where a key is missing or the value above it is not a map.
  private static func get(
    from map: MapValue, at keys: [Value], default fallback: Value
  ) throws(EvaluationError.Reason) -> Value {
    var names: [Text] = []
    for key in keys {
      guard case .string(let name) = key else {
        throw .wrongType(key.type, expected: [.string])
      }
      names.append(name)
    }
    var here = Value.map(map)
    for (place, name) in names.enumerated() {
      guard case .map(let inner) = here else { return fallback }
      // An unknown value is not a map that can be read further.
      if inner.unknownKey == name {
        if place < names.count - 1 { return fallback }
        throw .unknown
      }
      guard let next = inner[name] else { return fallback }
      here = next
    }
    return here
  }

  static func diffMethod(
    _ builtin: Builtin, on diff: MapDiff
  ) throws(EvaluationError.Reason) -> Value {
    switch builtin {
    case .diffAddedKeys: return .set(diff.keys(.added))
    case .diffRemovedKeys: return .set(diff.keys(.removed))
    case .diffChangedKeys: return .set(diff.keys(.changed))
    case .diffAffectedKeys: return .set(diff.keys(.added, .removed, .changed))
    case .diffUnchangedKeys: return .set(diff.keys(.unchanged))
    default: throw undefined(builtin)
    }
  }

  // MARK: set

  static func setMethod(
    _ builtin: Builtin, on set: SetValue, with first: Value
  ) throws(EvaluationError.Reason) -> Value {
    if builtin == .setSize { return .int(Int64(set.count)) }
    if case .list(let elements) = first, builtin == .setHasAll || builtin == .setHasAny {
      return .bool(try set.has(elements, all: builtin == .setHasAll))
    }
    let other: SetValue
    switch first {
    case .set(let given): other = given
    case .list(let elements): other = try SetValue(elements)
    default: throw undefined(builtin)
    }
    switch builtin {
    case .setUnion: return .set(try SetValue(set.elements + other.elements))
    case .setIntersection: return .set(try set.filtered(by: other, keeping: true))
    case .setDifference: return .set(try set.filtered(by: other, keeping: false))
    case .setHasAll: return .bool(try other.isSubset(of: set))
    case .setHasAny: return .bool(try set.filtered(by: other, keeping: true).count > 0)
    case .setHasOnly: return .bool(try set.isSubset(of: other))
    default: throw undefined(builtin)
    }
  }

  // MARK: timestamp, duration, latlng

  static func timestamp(
    _ builtin: Builtin, on time: Timestamp
  ) throws(EvaluationError.Reason) -> Value {
    switch builtin {
    case .timestampYear: return .int(time.year)
    case .timestampMonth: return .int(time.month)
    case .timestampDay: return .int(time.day)
    case .timestampDayOfWeek: return .int(time.dayOfWeek)
    case .timestampDayOfYear: return .int(time.dayOfYear)
    case .timestampHours: return .int(time.hours)
    case .timestampMinutes: return .int(time.minutes)
    case .timestampSeconds: return .int(time.seconds)
    case .timestampNanos: return .int(Int64(time.nanos))
    case .timestampToMillis: return .int(time.milliseconds)
    case .timestampDateOf: return .timestamp(time.date)
    case .timestampTime: return .duration(time.timeOfDay)
    default: throw undefined(builtin)
    }
  }

  static func duration(
    _ builtin: Builtin, on length: Duration
  ) throws(EvaluationError.Reason) -> Value {
    switch builtin {
    case .durationSeconds: return .int(length.seconds)
    case .durationNanos: return .int(Int64(length.nanos))
    default: throw undefined(builtin)
    }
  }

  static func latlng(
    _ builtin: Builtin, on point: LatLng, with first: Value
  ) throws(EvaluationError.Reason) -> Value {
    switch (builtin, first) {
    case (.latlngLatitude, _): return .float(point.latitude)
    case (.latlngLongitude, _): return .float(point.longitude)
    case (.latlngDistance, .latlng(let other)):
      return .float(
        GreatCircle.distance(
          fromLatitude: point.latitude, longitude: point.longitude,
          toLatitude: other.latitude, longitude: other.longitude))
    default: throw undefined(builtin)
    }
  }

  // MARK: path, constraint

  static func pathMethod(
    _ builtin: Builtin, on path: PathValue, with first: Value
  ) throws(EvaluationError.Reason) -> Value {
    if builtin == .pathSegments { return .list(try path.flattened().map { .string($0) }) }
    guard builtin == .pathBind, case .map(let values) = first else { throw undefined(builtin) }
    return .path(try PathTemplate.bind(path, to: values))
  }

  static func constraint(
    _ builtin: Builtin, on promise: Constraint, with first: Value
  ) throws(EvaluationError.Reason) -> Value {
    guard builtin == .constraintHasAny, case .list(let elements) = first else {
      throw undefined(builtin)
    }
    return .bool(elements.contains { promise.containsElement($0) })
  }
}

/// A list indexed for repeated membership tests.
private struct MemberIndex {
  private let elements: [Value]
  private var buckets = FingerprintIndex()

  init(_ elements: [Value]) {
    self.elements = elements
    for (place, element) in elements.enumerated() { buckets.add(element.fingerprint, at: place) }
  }

  func contains(_ value: Value) -> Bool {
    buckets.places(of: value.fingerprint).contains { Value.areMembers(value, elements[$0]) }
  }
}

extension SetValue {
  fileprivate func filtered(
    by other: SetValue, keeping: Bool
  ) throws(EvaluationError.Reason) -> SetValue {
    var kept: [Value] = []
    for element in elements where try other.contains(element) == keeping { kept.append(element) }
    return SetValue(distinct: kept)
  }

  /// True if all (or, without `all`, any) of the elements are in the set. Elements behind the one that
  /// decides are not compared, so a constraint among them does not fail.
  fileprivate func has(
    _ wanted: [Value], all: Bool
  ) throws(EvaluationError.Reason) -> Bool {
    for value in wanted {
      if let reason = value.reasonNotToCompare { throw reason }
      if try contains(value) != all { return !all }
    }
    return all
  }

  fileprivate func isSubset(of other: SetValue) throws(EvaluationError.Reason) -> Bool {
    for element in elements {
      guard try other.contains(element) else { return false }
    }
    return true
  }
}

extension Text {
  /// The text with ASCII letters in lower case.
  fileprivate var asciiLowercased: Text {
    Text(wellFormed: bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 })
  }

  /// The text with ASCII letters in upper case.
  fileprivate var asciiUppercased: Text {
    Text(wellFormed: bytes.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 })
  }

  /// The text without characters up to U+0020 at both ends.
  var trimmed: Text {
    var kept = bytes[...]
    while let first = kept.first, first <= 0x20 { kept.removeFirst() }
    while let last = kept.last, last <= 0x20 { kept.removeLast() }
    return Text(wellFormed: Array(kept))
  }
}
