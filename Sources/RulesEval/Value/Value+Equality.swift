import RulesLang

// The four equalities (Docs/Language.md §7). From coarse to fine for numbers:
//
//   set equality   sets, diff()                1 ~ 1.0   -0.0 ~ 0.0   NaN ~ NaN   vector ~ list
//   ==             two operands                1 ~ 1.0   -0.0 ~ 0.0
//   member         x in list, hasAll, …                  -0.0 ~ 0.0
//   identical      elements of == collections
//
// What Firestore itself takes for equal, in filters and transforms, is set equality except that a
// vector is not a list.

extension Value {
  /// Evaluates `left == right`.
  ///
  /// Lists and maps are equal if their elements are identical. A map_diff equals nothing. A constraint is not
  /// decided here (`Value+Constraint`).
  public static func areEqual(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.int(let one), .int(let two)): one == two
    case (.int(let one), .float(let two)): Double(one) == two
    case (.float(let one), .int(let two)): one == Double(two)
    case (.float(let one), .float(let two)): one == two
    case (.path(let one), .path(let two)): arePathsEqual(one, two)
    case (.mapDiff, .mapDiff): false
    case (.vector(let one), .vector(let two)): one == two
    case (.set(let one), .set(let two)): (try? areSetsEqual(one, two)) ?? false
    default: areIdentical(left, right)
    }
  }

  /// True if a list has an element that the language counts as `value`: same type and `==`.
  public static func areMembers(_ left: Value, _ right: Value) -> Bool {
    if case .constraint = left { return false }
    return left.type == right.type && areEqual(left, right)
  }

  /// True if elements of two collections are identical: type, value and sign of zero.
  public static func areIdentical(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let one), .bool(let two)): one == two
    case (.int(let one), .int(let two)): one == two
    case (.float(let one), .float(let two)): one == two && one.sign == two.sign
    case (.string(let one), .string(let two)): one == two
    case (.bytes(let one), .bytes(let two)): one == two
    case (.timestamp(let one), .timestamp(let two)): one == two
    case (.duration(let one), .duration(let two)): one == two
    case (.path(let one), .path(let two)): one == two
    case (.vector(let one), .vector(let two)): one == two
    case (.list(let one), .list(let two)):
      one.count == two.count && zip(one, two).allSatisfy { areIdentical($0, $1) }
    case (.map(let one), .map(let two)): areMapsIdentical(one, two)
    case (.set(let one), .set(let two)): (try? areSetsEqual(one, two)) ?? false
    case (.latlng(let one), .latlng(let two)):
      areIdentical(.float(one.latitude), .float(two.latitude))
        && areIdentical(.float(one.longitude), .float(two.longitude))
    case (.mapDiff(let one), .mapDiff(let two)): areDiffsIdentical(one, two)
    case (.constraint(let one), .constraint(let two)): areConstraintsIdentical(one, two)
    default: false
    }
  }

  /// Set equality; fails if a constraint takes part. A vector is the list of its numbers.
  public static func areSetEqual(
    _ left: Value, _ right: Value
  ) throws(EvaluationError.Reason) -> Bool {
    try areSetEqual(left, right, isVectorList: true)
  }

  /// True if Firestore takes two stored values for equal, in filters and transforms.
  static func areStoredEqual(_ left: Value, _ right: Value) -> Bool {
    (try? areSetEqual(left, right, isVectorList: false)) ?? false
  }

  private static func areSetEqual(
    _ left: Value, _ right: Value, isVectorList: Bool
  ) throws(EvaluationError.Reason) -> Bool {
    switch (left, right) {
    case (.constraint, _), (_, .constraint): throw .constraintEquality
    case (.float(let one), .float(let two)): return one == two || (one.isNaN && two.isNaN)
    case (.int(let one), .float(let two)), (.float(let two), .int(let one)):
      return Int64(exactly: two) == one
    case (.list(let one), .list(let two)):
      guard one.count == two.count else { return false }
      for (index, element) in one.enumerated() {
        guard try areSetEqual(element, two[index], isVectorList: isVectorList) else {
          return false
        }
      }
      return true
    case (.vector(let one), .list), (.list, .vector(let one)):
      guard isVectorList else { return false }
      let list: Value = .list(one.map { .float($0) })
      if case .list = left { return try areSetEqual(left, list) }
      return try areSetEqual(list, right)
    case (.map(let one), .map(let two)):
      guard one.count == two.count else { return false }
      for (key, value) in one {
        guard let other = two[key], try areSetEqual(value, other, isVectorList: isVectorList)
        else { return false }
      }
      return true
    case (.set(let one), .set(let two)): return try areSetsEqual(one, two)
    case (.latlng, .latlng), (.path, .path), (.mapDiff, .mapDiff):
      return areIdentical(left, right)
    default: return left.type == right.type && areEqual(left, right)
    }
  }

  private static func areSetsEqual(
    _ one: SetValue, _ two: SetValue
  ) throws(EvaluationError.Reason) -> Bool {
    guard one.count == two.count else { return false }
    for element in one.elements {
      guard try two.contains(element) else { return false }
    }
    return true
  }

  private static func areMapsIdentical(_ one: MapValue, _ two: MapValue) -> Bool {
    // A map with an unknown key equals no other map.
    guard one.count == two.count, one.unknownKey == nil, two.unknownKey == nil else {
      return false
    }
    for (key, value) in one {
      guard let other = two[key], areIdentical(value, other) else { return false }
    }
    return true
  }

  private static func areDiffsIdentical(_ one: MapDiff, _ two: MapDiff) -> Bool {
    guard one.entries.count == two.entries.count else { return false }
    let statuses = MapValue(two.entries.map { ($0.key, .int(Int64($0.status.rawValue))) })
    return one.entries.allSatisfy { entry in
      guard let other = statuses[entry.key] else { return false }
      return areIdentical(other, .int(Int64(entry.status.rawValue)))
    }
  }

  private static func areConstraintsIdentical(_ one: Constraint, _ two: Constraint) -> Bool {
    one.entries.count == two.entries.count
      && zip(one.entries, two.entries).allSatisfy {
        $0.comparator == $1.comparator && areIdentical($0.value, $1.value)
      }
  }

  private static func arePathsEqual(_ one: PathValue, _ two: PathValue) -> Bool {
    guard let left = try? one.flattened(), let right = try? two.flattened() else { return false }
    return left == right
  }

  /// Returns the order of two numbers, or of two values of one ordered type; nil for other types and NaN
  /// (Docs/Language.md §7).
  public static func order(of left: Value, and right: Value) -> Ordering? {
    switch (left, right) {
    case (.int(let one), .int(let two)): one < two ? .less : one == two ? .equal : .greater
    case (.int(let one), .float(let two)): order(of: Double(one), and: two)
    case (.float(let one), .int(let two)): order(of: one, and: Double(two))
    case (.float(let one), .float(let two)): order(of: one, and: two)
    case (.string(let one), .string(let two)):
      one == two ? .equal : Text.precedesByUnit(one, two) ? .less : .greater
    case (.bytes(let one), .bytes(let two)):
      one == two ? .equal : one.lexicographicallyPrecedes(two) ? .less : .greater
    case (.timestamp(let one), .timestamp(let two)):
      one < two ? .less : one == two ? .equal : .greater
    case (.duration(let one), .duration(let two)):
      one < two ? .less : one == two ? .equal : .greater
    default: nil
    }
  }

  private static func order(of one: Double, and two: Double) -> Ordering? {
    one < two ? .less : one == two ? .equal : one > two ? .greater : nil
  }
}
