public import RulesLang

extension Query {
  /// True if the query returns a document with these data at this path: it is in the collection and meets the
  /// filters, by Firestore's comparison.
  public func returns(
    _ path: DocumentPath, with data: MapValue, in database: DatabaseName
  ) -> Bool {
    let segments = path.segments
    guard segments.count >= 2,
      collection.isEmpty || segments[segments.count - 2] == collection
    else { return false }
    let collectionParent = Array(segments.dropLast(2))
    let isInside =
      isCollectionGroup
      ? collectionParent.starts(with: parent.segments) : collectionParent == parent.segments
    return isInside
      && (filter.map { Self.meets($0, at: path.value(in: database), with: data) } ?? true)
  }

  private static func meets(_ filter: Filter, at path: PathValue, with data: MapValue) -> Bool {
    switch filter {
    case .and(let parts): parts.allSatisfy { meets($0, at: path, with: data) }
    case .or(let parts): parts.contains { meets($0, at: path, with: data) }
    case .field(let field, let comparison, let operand):
      meets(
        field.names == ["__name__"] ? .path(path) : data.value(at: field),
        comparison: comparison,
        operand: operand)
    }
  }

  private static func meets(_ value: Value?, comparison: Comparison, operand: Value) -> Bool {
    guard let value else { return false }
    switch comparison {
    case .equal: return isSame(value, as: operand)
    case .notEqual:
      if case .null = value { return false }
      return !isSame(value, as: operand)
    case .less: return order(of: value, and: operand) == .less
    case .lessEqual: return isFound(value, by: operand) || order(of: value, and: operand) == .less
    case .greater: return order(of: value, and: operand) == .greater
    case .greaterEqual:
      return isFound(value, by: operand) || order(of: value, and: operand) == .greater
    case .arrayContains: return elements(of: value).contains { isFound($0, by: operand) }
    case .arrayContainsAny:
      return elements(of: value).contains { one in
        elements(of: operand).contains { isFound(one, by: $0) }
      }
    case .in: return elements(of: operand).contains { isFound(value, by: $0) }
    case .notIn:
      if case .null = value { return false }
      return !elements(of: operand).contains { $0.type == .null || isFound(value, by: $0) }
    }
  }

  /// True if a value equals the operand of a range or an element of a list operand; never for null and NaN,
  /// at which no range ends and which no list finds.
  private static func isFound(_ value: Value, by operand: Value) -> Bool {
    !operand.isNullOrNaN && isSame(value, as: operand)
  }

  private static func elements(of value: Value) -> [Value] {
    if case .list(let elements) = value { return elements }
    return []
  }

  /// True if both values are equal as Firestore compares them: int and float are one type, at every depth.
  private static func isSame(_ one: Value, as other: Value) -> Bool {
    Value.areStoredEqual(one, other)
  }

  /// Orders two values as Firestore's ranges do: only within a type, and ints with floats exactly, where the
  /// rules language rounds ints. Nil for values of different types.
  private static func order(of one: Value, and other: Value) -> RulesEval.Ordering? {
    switch (one, other) {
    case (.int(let one), .float(let other)): order(of: one, and: other)
    case (.float(let one), .int(let other)):
      switch order(of: other, and: one) {
      case .less: .greater
      case .equal: .equal
      case .greater: .less
      case .none: nil
      }
    default: Value.order(of: one, and: other)
    }
  }

  private static func order(of one: Int64, and other: Double) -> RulesEval.Ordering? {
    if other.isNaN { return nil }
    if other >= 0x1p63 { return .less }
    if other < -0x1p63 { return .greater }
    let whole = Int64(other.rounded(.down))
    if one != whole { return one < whole ? .less : .greater }
    return other == other.rounded(.down) ? .equal : .less
  }
}
