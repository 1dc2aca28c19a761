package import RulesLang

// Queries that Firestore refuses as malformed before any rule is evaluated: such a query is neither allowed
// nor denied.

extension Query {
  /// Maximum disjuncts of a query.
  package static let maximumDisjuncts = 30

  /// Returns the reason why Firestore refuses the query before the rules decide; nil if it does not.
  func refusal(in database: DatabaseName) -> String? {
    reasonToRefuse(in: database).map { "Firestore refuses the query: " + $0 }
  }

  private func reasonToRefuse(in database: DatabaseName) -> String? {
    if !isRefusedLater {
      if let limit, limit < 0 { return "the limit is negative" }
      if offset < 0 { return "the offset is negative" }
    }
    if !isRefusedLater, isCollectionGroup, !parent.segments.isEmpty, asksForFields {
      return "a collection group below a document takes no filter and no order but on `__name__`"
    }
    return filterMistake(in: database)?.reason
  }

  private var asksForFields: Bool {
    orderBy.contains { $0.field != Self.nameField } || filter?.asksForFields ?? false
  }

  /// Returns the first mistake for which Firestore refuses the filter, in the official emulator's order
  /// (Docs/Fidelity.md, Queries); nil if there is none.
  package func filterMistake(in database: DatabaseName) -> FilterMistake? {
    guard let filter else { return nil }
    if filter.count(where: { $0.isNegative }) > 1 { return .negations }
    if filter.count(where: { $0.isNotIn }) > 0, filter.hasAlternatives { return .notInBesideOr }
    if let mistake = Self.listMistake(filter) { return mistake }
    if filter.mostContains > 1, !isRefusedLater { return .arrayContains }
    if let mistake = Self.nameMistake(filter, in: database) { return mistake }
    return disjuncts() == nil ? .disjunctions : nil
  }

  /// Returns the first list of values, or of alternatives, that is empty or too long.
  private static func listMistake(_ filter: Filter) -> FilterMistake? {
    switch filter {
    case .or(let parts) where parts.isEmpty: return .emptyOr
    case .and(let parts), .or(let parts):
      for part in parts {
        if let mistake = listMistake(part) { return mistake }
      }
      return nil
    case .field(_, let comparison, let value):
      guard let limit = comparison.greatestCount else { return nil }
      let count = elements(value).count
      if count == 0 { return .noValues(comparison) }
      return count > limit ? .values(comparison, limit: limit) : nil
    }
  }

  /// Returns the first condition on `__name__` that Firestore does not allow.
  private static func nameMistake(_ filter: Filter, in database: DatabaseName) -> FilterMistake? {
    switch filter {
    case .and(let parts), .or(let parts):
      for part in parts {
        if let mistake = nameMistake(part, in: database) { return mistake }
      }
      return nil
    case .field(let field, let comparison, let value):
      return field == nameField ? nameMistake(comparison, with: value, in: database) : nil
    }
  }

  private static func nameMistake(
    _ comparison: Comparison, with value: Value, in database: DatabaseName
  ) -> FilterMistake? {
    switch comparison {
    case .arrayContains, .arrayContainsAny: return .nameContains
    case .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .in, .notIn:
      let isNamed = elements(value).allSatisfy { element in
        guard case .path(let path) = element, let full = try? path.flattened() else { return false }
        return DocumentPath(full: full, in: database)?.isDocument ?? false
      }
      return isNamed ? nil : .nameNoDocument
    }
  }
}

/// A mistake in the filter of a query for which Firestore refuses it.
package enum FilterMistake: Hashable, Sendable {
  /// An OR has no parts.
  case emptyOr
  /// More than one condition excludes values.
  case negations
  /// A `not-in` is combined with alternatives.
  case notInBesideOr
  /// The filter has too many alternatives.
  case disjunctions
  /// An alternative has more than one array-contains.
  case arrayContains
  /// An array-contains is on `__name__`.
  case nameContains
  /// `__name__` is compared with a value that names no document of the database.
  case nameNoDocument
  /// A list of values is empty.
  case noValues(Query.Comparison)
  /// A list of values is longer than `limit`.
  case values(Query.Comparison, limit: Int)

  /// The message for suites.
  fileprivate var reason: String {
    switch self {
    case .emptyOr: "an OR without parts"
    case .negations: "more than one !=, not-in, is-not-null or is-not-NaN"
    case .notInBesideOr: "not-in together with in, array-contains-any or an OR"
    case .disjunctions: "more than \(Query.maximumDisjuncts) disjunctions"
    case .arrayContains: "more than one array-contains in a disjunction"
    case .nameContains: "array-contains on __name__"
    case .nameNoDocument: "__name__ compared with something that is not a document"
    case .noValues(let comparison): "\(comparison.listWord) without values"
    case .values(let comparison, let limit):
      "\(comparison.listWord) with more than \(limit) values"
    }
  }
}

extension Query.Filter {
  /// True if a condition is on a field other than `__name__`.
  fileprivate var asksForFields: Bool {
    switch self {
    case .field(let field, _, _): field != Query.nameField
    case .and(let parts), .or(let parts): parts.contains { $0.asksForFields }
    }
  }

  /// Returns the number of conditions with a certain comparison.
  fileprivate func count(where isMeant: (Query.Comparison) -> Bool) -> Int {
    switch self {
    case .field(_, let comparison, _): isMeant(comparison) ? 1 : 0
    case .and(let parts), .or(let parts):
      parts.reduce(0) { $0 + $1.count(where: isMeant) }
    }
  }

  /// The largest number of array-contains in one disjunct. Repetitions side by side count once, also those of
  /// an array-contains-any with its values in another order.
  fileprivate var mostContains: Int {
    switch self {
    case .field(_, let comparison, _):
      return comparison == .arrayContains || comparison == .arrayContainsAny ? 1 : 0
    case .or(let parts): return parts.map { $0.mostContains }.max() ?? 0
    case .and(let parts):
      var seen: [Query.Filter] = []
      var count = 0
      for part in parts where !seen.contains(where: { $0.isSameCondition(as: part) }) {
        count += part.mostContains
        seen.append(part)
      }
      return count
    }
  }

  private func isSameCondition(as other: Query.Filter) -> Bool {
    guard case .field(let field, let comparison, let value) = self,
      case .field(let otherField, let otherComparison, let otherValue) = other,
      field == otherField, comparison == otherComparison
    else { return false }
    if Value.areIdentical(value, otherValue) { return true }
    let (own, others) = (Query.elements(value), Query.elements(otherValue))
    return comparison == .arrayContainsAny
      && own.allSatisfy { one in others.contains { Value.areIdentical(one, $0) } }
      && others.allSatisfy { one in own.contains { Value.areIdentical(one, $0) } }
  }

  /// True if the filter has an OR, or an `in` or array-contains-any, which mean one.
  fileprivate var hasAlternatives: Bool {
    switch self {
    case .field(_, let comparison, _): comparison == .in || comparison == .arrayContainsAny
    case .and(let parts): parts.contains { $0.hasAlternatives }
    case .or: true
    }
  }
}

extension Query.Comparison {
  /// True if the comparison excludes values. A query may have one such filter.
  fileprivate var isNegative: Bool { self == .notEqual || self == .notIn }

  /// True if the comparison is `not-in`.
  fileprivate var isNotIn: Bool { self == .notIn }

  /// Maximum values in the list operand; nil if the operand is not a list.
  package var greatestCount: Int? {
    switch self {
    case .in, .arrayContainsAny: 30
    case .notIn: 10
    case .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .arrayContains: nil
    }
  }

  /// The comparisons with this limit, for messages.
  fileprivate var listWord: String { self == .notIn ? "not-in" : "in and array-contains-any" }
}
