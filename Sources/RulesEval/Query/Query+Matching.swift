import RulesLang

extension Query {
  /// Whether the query returns a document with these data at this path: it is in the collection and
  /// meets the filters, as Firestore compares.
  public func returns(_ path: DocumentPath, _ data: MapValue) -> Bool {
    let segments = path.segments
    guard segments.count >= 2, segments[segments.count - 2] == collection else { return false }
    let collectionParent = Array(segments.dropLast(2))
    let isInside =
      isCollectionGroup
      ? collectionParent.starts(with: parent.segments) : collectionParent == parent.segments
    return isInside && (filter.map { Self.meets($0, path, data) } ?? true)
  }

  private static func meets(_ filter: Filter, _ path: DocumentPath, _ data: MapValue) -> Bool {
    switch filter {
    case .and(let parts): parts.allSatisfy { meets($0, path, data) }
    case .or(let parts): parts.contains { meets($0, path, data) }
    case .field(let field, let comparison, let operand):
      meets(
        field.names == ["__name__"] ? .path(path.value) : data.value(at: field), comparison,
        operand)
    }
  }

  private static func meets(_ value: Value?, _ comparison: Comparison, _ operand: Value) -> Bool {
    guard let value else { return false }
    switch comparison {
    case .equal: return isSame(value, operand)
    case .notEqual:
      if case .null = value { return false }
      return !isSame(value, operand)
    case .less: return order(value, operand) == .less
    case .lessEqual: return isSame(value, operand) || order(value, operand) == .less
    case .greater: return order(value, operand) == .greater
    case .greaterEqual: return isSame(value, operand) || order(value, operand) == .greater
    case .arrayContains: return elements(of: value).contains { isSame($0, operand) }
    case .arrayContainsAny:
      return elements(of: value).contains { one in
        elements(of: operand).contains { isSame(one, $0) }
      }
    case .in: return elements(of: operand).contains { isSame(value, $0) }
    case .notIn:
      if case .null = value { return false }
      return !elements(of: operand).contains { isSame(value, $0) }
    }
  }

  private static func elements(of value: Value) -> [Value] {
    if case .list(let elements) = value { return elements }
    return []
  }

  /// Firestore takes numbers of both types for equal, at every depth.
  private static func isSame(_ one: Value, _ other: Value) -> Bool {
    Value.areStoredEqual(one, other)
  }

  /// Ranges compare values of one kind only.
  private static func order(_ one: Value, _ other: Value) -> RulesEval.Order? {
    Value.order(of: one, and: other)
  }
}
