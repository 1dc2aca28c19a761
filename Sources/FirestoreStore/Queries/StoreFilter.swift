public import RulesEval
import RulesLang

/// A filter of a query as received.
public indirect enum StoreFilter: Sendable {
  /// A comparison of a field with a value; `__name__` is compared with references.
  case field(FieldPath, Query.Comparison, Value)
  /// A test of a field that has no operand.
  case unary(FieldPath, Unary)
  /// A conjunction of filters.
  case and([StoreFilter])
  /// A disjunction of filters.
  case or([StoreFilter])

  /// A test of a field.
  public enum Unary: Sendable {
    case isNull, isNaN, isNotNull, isNotNaN
  }
}

extension StoreFilter {
  /// The filter as the rules see it.
  ///
  /// An equality comparison with null or NaN matches nothing, while the unary test matches the value. Rules
  /// have no unary tests, so they see such a comparison as a range that ends at the value, which matches
  /// nothing either.
  var rulesFilter: Query.Filter {
    switch self {
    case .field(let path, .equal, let value) where ValueOrder.Rank(value).isFoundByTestsOnly:
      .field(path, .less, value)
    case .field, .unary: plainFilter
    case .and(let parts): .and(parts.map { $0.rulesFilter })
    case .or(let parts): .or(parts.map { $0.rulesFilter })
    }
  }

  /// The filter with unary tests as comparisons with null and NaN, by which mistakes are determined.
  var plainFilter: Query.Filter {
    switch self {
    case .field(let path, let comparison, let value): .field(path, comparison, value)
    case .unary(let path, .isNull): .field(path, .equal, .null)
    case .unary(let path, .isNaN): .field(path, .equal, .float(.nan))
    case .unary(let path, .isNotNull): .field(path, .notEqual, .null)
    case .unary(let path, .isNotNaN): .field(path, .notEqual, .float(.nan))
    case .and(let parts): .and(parts.map { $0.plainFilter })
    case .or(let parts): .or(parts.map { $0.plainFilter })
    }
  }

  /// Calls `body` for the conditions on fields with the field, the comparison (nil for a test) and the value
  /// (null for a test).
  func forEachCondition(_ body: (FieldPath, Query.Comparison?, Value) -> Void) {
    switch self {
    case .field(let path, let comparison, let value): body(path, comparison, value)
    case .unary(let path, _): body(path, nil, .null)
    case .and(let parts), .or(let parts): for part in parts { part.forEachCondition(body) }
    }
  }

  /// Throws the first mistake of a single condition.
  func checkOperands(in id: DatabaseID) throws(Refusal) {
    switch self {
    case .field(_, let comparison, let value):
      try Self.check(operand: value, of: comparison, in: id)
    case .unary: return
    case .or(let parts) where parts.isEmpty: throw Refusal(.emptyOr)
    case .and(let parts), .or(let parts): for part in parts { try part.checkOperands(in: id) }
    }
  }

  /// Throws if a value cannot be the operand of a comparison: if it cannot be in a request or, for
  /// comparisons with lists, if it is not a list, is empty, or is too long. With a nil `comparison`, which is
  /// one that the request does not name, any value that can be in a request passes.
  public static func check(
    operand: Value, of comparison: Query.Comparison?, in id: DatabaseID
  ) throws(Refusal) {
    try operand.checkSent(in: id)
    guard let comparison, let limit = comparison.greatestCount else { return }
    guard case .list(let elements) = operand else { throw .noList(for: comparison) }
    if elements.isEmpty { throw Refusal(.noValues(comparison)) }
    if elements.count > limit { throw Refusal(.values(comparison, limit: limit)) }
  }

  /// The fields with inequalities, by which documents are ordered.
  ///
  /// A comparison that matches nothing because of its operand is not included. Other inequalities of the same
  /// conjunction are, although the conjunction matches nothing either.
  var inequalityFields: Set<FieldPath> {
    switch self {
    case .field(let path, let comparison, let value):
      comparison.isInequality && !comparison.findsNothing(with: value) ? [path] : []
    case .unary(let path, let test):
      switch test {
      case .isNull, .isNaN: []
      case .isNotNull, .isNotNaN: [path]
      }
    case .and(let parts), .or(let parts):
      parts.reduce(into: Set()) { $0.formUnion($1.inequalityFields) }
    }
  }

  /// The conjuncts, including those of nested conjunctions.
  var conjuncts: [StoreFilter] {
    if case .and(let parts) = self { parts.flatMap { $0.conjuncts } } else { [self] }
  }
}

extension ValueOrder.Rank {
  /// True for null and NaN, which tests match but comparisons do not.
  var isFoundByTestsOnly: Bool { self == .null || self == .notANumber }
}

extension Query.Comparison {
  /// True if the comparison is a range or a negation.
  var isInequality: Bool {
    switch self {
    case .notEqual, .less, .lessEqual, .greater, .greaterEqual, .notIn: true
    case .equal, .arrayContains, .in, .arrayContainsAny: false
    }
  }

  /// Returns true if no value passes the comparison with null or NaN as operand.
  fileprivate func findsNothing(with value: Value) -> Bool {
    let rank = ValueOrder.Rank(value)
    switch self {
    case .equal, .less, .lessEqual, .greater, .greaterEqual: return rank.isFoundByTestsOnly
    case .notEqual: return rank == .null
    case .arrayContains, .arrayContainsAny: return false
    case .in:
      guard case .list(let elements) = value else { return false }
      return elements.allSatisfy { ValueOrder.Rank($0).isFoundByTestsOnly }
    case .notIn:
      guard case .list(let elements) = value else { return false }
      return elements.allSatisfy { ValueOrder.Rank($0) == .null }
    }
  }

  /// The operator's name in the protocol.
  var word: String {
    switch self {
    case .equal: "EQUAL"
    case .notEqual: "NOT_EQUAL"
    case .less: "LESS_THAN"
    case .lessEqual: "LESS_THAN_OR_EQUAL"
    case .greater: "GREATER_THAN"
    case .greaterEqual: "GREATER_THAN_OR_EQUAL"
    case .arrayContains: "ARRAY_CONTAINS"
    case .in: "IN"
    case .arrayContainsAny: "ARRAY_CONTAINS_ANY"
    case .notIn: "NOT_IN"
    }
  }
}
