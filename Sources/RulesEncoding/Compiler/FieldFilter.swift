package import RulesEval
package import RulesLang
import RulesSolver

/// A filter of a query on one field: the values that it finds, and the comparisons that the engine considers
/// implied by it. The two differ: a filter for 1 also finds 1.0, and one for 2.0 implies `!= 2`.
package struct FieldFilter {
  /// The comparison operator.
  package var comparison: Query.Comparison
  /// The value that the field is compared with.
  package var value: Value

  /// Creates a filter.
  package init(_ comparison: Query.Comparison, value: Value) {
    self.comparison = comparison
    self.value = value
  }
}

extension FieldFilter {
  private static let (field, path) = (FieldPath(["f"]), DocumentPath(["c", "d"]))

  /// True if a query with the filter returns a document whose field has a value.
  package func finds(_ own: Value) -> Bool {
    var query = Query(parent: DocumentPath([]), collection: "c")
    query.filter = .field(Self.field, comparison, value)
    return query.returns(Self.path, with: MapValue([("f", own)]), in: .standard)
  }

  /// True if the engine considers a comparison implied, with the field on the left; `in` means that the field
  /// contains the value.
  package func implies(_ op: BinaryOperator, value wanted: Value) -> Bool {
    let promise = Value.constraint(Constraint(entry.map { [$0] } ?? []))
    if op == .in { return (try? PureFunctions.collection(promise, contains: wanted)) == true }
    guard case .bool(true)? = try? PureFunctions.apply(op, to: promise, and: wanted) else {
      return false
    }
    return true
  }

  /// The entry that the filter adds to the constraint of its field; nil for a range over a type without an
  /// order.
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
    // Each of these stands for several filters.
    case .in, .arrayContainsAny, .notIn: return nil
    }
    return Self.unordered.contains(value.type) ? nil : Constraint.Entry(comparator, value: value)
  }

  /// The types of stored values without an order in the rules language. A range over one of these promises
  /// nothing; every filter that finds a value of another type implies `!= null`.
  package static let unordered: TypeSet = [.null, .bool, .list, .map, .latlng, .path, .vector]
}
