package import RulesEval
package import RulesLang
import RulesSolver

/// A filter of a query on one field: which values it finds, and which comparisons the engine takes it to
/// imply. These are two things: a filter for 1 finds 1.0 as well, and one for 2.0 implies `!= 2`.
package struct FieldFilter {
  /// How it compares.
  package var comparison: Query.Comparison
  /// What it compares with.
  package var value: Value

  /// Makes a filter.
  package init(_ comparison: Query.Comparison, value: Value) {
    self.comparison = comparison
    self.value = value
  }
}

extension FieldFilter {
  private static let (field, path) = (FieldPath(["f"]), DocumentPath(["c", "d"]))

  /// Whether a query with the filter returns a document whose field has a value.
  package func finds(_ own: Value) -> Bool {
    var query = Query(parent: DocumentPath([]), collection: "c")
    query.filter = .field(Self.field, comparison, value)
    return query.returns(Self.path, with: MapValue([("f", own)]), in: .standard)
  }

  /// Whether the filter implies a comparison of the field with a value, seen from the field: `in` says
  /// that the value is in the field.
  package func implies(_ op: BinaryOperator, value wanted: Value) -> Bool {
    let promise = Value.constraint(Constraint(entry.map { [$0] } ?? []))
    if op == .in { return (try? PureFunctions.collection(promise, contains: wanted)) == true }
    guard case .bool(true)? = try? PureFunctions.apply(op, to: promise, and: wanted) else {
      return false
    }
    return true
  }

  /// What the filter leaves in the constraint of its field, which is nothing for a range over a type
  /// without an order.
  private var entry: Constraint.Entry? {
    let comparator: Constraint.Comparator
    switch comparison {
    case .equal: return Constraint.Entry(.equal, value: value)
    case .notEqual: return Constraint.Entry(.notEqual, value: value)
    case .arrayContains: return Constraint.Entry(.listContains, value: value)
    case .less: comparator = .less
    case .lessEqual: comparator = .lessEqual
    case .greater: comparator = .greater
    case .greaterEqual: comparator = .greaterEqual
    // These stand for several filters.
    case .in, .arrayContainsAny, .notIn: return nil
    }
    return Self.unordered.contains(value.type) ? nil : Constraint.Entry(comparator, value: value)
  }

  /// The types of stored values that have no order in the language. Of a field with such a value a range
  /// promises nothing; of one of another type every filter that finds it implies `!= null`.
  package static let unordered: TypeSet = [.null, .bool, .list, .map, .latlng, .path, .vector]
}
