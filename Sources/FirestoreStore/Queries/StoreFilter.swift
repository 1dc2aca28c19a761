public import RulesEval
import RulesLang

/// A filter of a query, as it comes over the wire.
public indirect enum StoreFilter: Sendable {
  /// A comparison of a field with a value; `__name__` with references.
  case field(FieldPath, Query.Comparison, Value)
  /// A test of a field without a value.
  case unary(FieldPath, Unary)
  /// All of some filters.
  case and([StoreFilter])
  /// At least one of some filters.
  case or([StoreFilter])

  /// A test of a field.
  public enum Unary: Sendable {
    case isNull, isNaN, isNotNull, isNotNaN
  }
}

extension StoreFilter {
  /// The filter as the rules see it.
  ///
  /// An equality with null or NaN finds nothing as a comparison, where the unary test finds the value; to
  /// rules, which know no tests, the comparison is a range that ends at the value: it finds nothing either.
  var rulesFilter: Query.Filter {
    switch self {
    case .field(let path, .equal, let value) where ValueOrder.Rank(value).isFoundByTestsOnly:
      .field(path, .less, value)
    case .field, .unary: plainFilter
    case .and(let parts): .and(parts.map { $0.rulesFilter })
    case .or(let parts): .or(parts.map { $0.rulesFilter })
    }
  }

  /// The filter with tests as comparisons with null and NaN, by which mistakes are counted.
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

  /// Passes the conditions on fields: field, comparison (nil for a test) and value (null for a test).
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

  /// Throws if a value cannot be an operand of a comparison: one that cannot be in a request, or for lists of
  /// values a value that is no list, an empty list, or too long a list. Any value that can be in a request
  /// can be compared with nil, a comparison that the request does not name.
  public static func check(
    operand: Value, of comparison: Query.Comparison?, in id: DatabaseID
  ) throws(Refusal) {
    try operand.checkSent(in: id)
    guard let comparison, let limit = comparison.greatestCount else { return }
    guard case .list(let elements) = operand else { throw .noList(for: comparison) }
    if elements.isEmpty { throw Refusal(.noValues(comparison)) }
    if elements.count > limit { throw Refusal(.values(comparison, limit: limit)) }
  }

  /// The fields with an inequality, by which documents are ordered.
  ///
  /// A comparison that finds nothing because of its value does not count, but those beside it in a
  /// conjunction do, although the conjunction finds nothing either.
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

  /// The filters that all must hold: those of conjunctions inside conjunctions, too.
  var conjuncts: [StoreFilter] {
    if case .and(let parts) = self { parts.flatMap { $0.conjuncts } } else { [self] }
  }
}

extension ValueOrder.Rank {
  /// True if comparisons do not find the value, but tests do: null and NaN.
  var isFoundByTestsOnly: Bool { self == .null || self == .notANumber }
}

extension Query.Comparison {
  /// True if it finds a range of values, or excludes values.
  var isInequality: Bool {
    switch self {
    case .notEqual, .less, .lessEqual, .greater, .greaterEqual, .notIn: true
    case .equal, .arrayContains, .in, .arrayContainsAny: false
    }
  }

  /// Returns true if no value passes the comparison with a value that only tests find.
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
