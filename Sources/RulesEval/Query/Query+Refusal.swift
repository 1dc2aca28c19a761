import RulesLang

// Queries that Firestore refuses as malformed, before any rule is asked: such a query is neither
// allowed nor denied.

extension Query {
  /// Disjuncts beyond this are too many.
  static let maximumDisjuncts = 30

  /// Why Firestore refuses the query before the rules are asked; nil if it does not.
  func refusal(in database: DatabaseName) -> String? {
    reasonToRefuse(in: database).map { "Firestore refuses the query: " + $0 }
  }

  private func reasonToRefuse(in database: DatabaseName) -> String? {
    if let limit, limit < 0 { return "the limit is negative" }
    if offset < 0 { return "the offset is negative" }
    if isCollectionGroup, !parent.segments.isEmpty, hasOrder || filter?.conditionCount ?? 0 > 0 {
      return "a collection group below a document takes no filter and no order"
    }
    return filter.flatMap { reason($0, in: database) }
  }

  private var hasOrder: Bool { !orderBy.isEmpty }

  private func reason(_ filter: Filter, in database: DatabaseName) -> String? {
    if let reason = Self.reasonInParts(filter, in: database) { return reason }
    if filter.count(where: { $0.isNegative }) > 1 {
      return "more than one !=, not-in, is-not-null or is-not-NaN"
    }
    if filter.count(where: { $0.isNotIn }) > 0, filter.hasAlternatives {
      return "not-in together with in, array-contains-any or an OR"
    }
    guard disjuncts() != nil else {
      return "more than \(Self.maximumDisjuncts) disjunctions"
    }
    return filter.mostContains > 1 ? "more than one array-contains in a disjunction" : nil
  }

  private static func reasonInParts(
    _ filter: Filter, in database: DatabaseName
  ) -> String? {
    switch filter {
    case .or(let parts) where parts.isEmpty: return "an OR without parts"
    case .and(let parts), .or(let parts):
      for part in parts {
        if let reason = reasonInParts(part, in: database) { return reason }
      }
      return nil
    case .field(let field, let comparison, let value):
      if field == nameField, let reason = nameReason(comparison, with: value, in: database) {
        return reason
      }
      switch comparison {
      case .in, .arrayContainsAny: return reason(value, for: "in and array-contains-any", limit: 30)
      case .notIn: return reason(value, for: "not-in", limit: 10)
      case .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .arrayContains:
        return nil
      }
    }
  }

  private static func nameReason(
    _ comparison: Comparison, with value: Value, in database: DatabaseName
  ) -> String? {
    switch comparison {
    case .arrayContains, .arrayContainsAny: return "array-contains on __name__"
    case .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .in, .notIn:
      let isNamed = elements(value).allSatisfy { element in
        guard case .path(let path) = element, let full = try? path.flattened() else { return false }
        return DocumentPath(full: full, in: database)?.isDocument ?? false
      }
      return isNamed ? nil : "__name__ compared with what is no document"
    }
  }

  private static func reason(_ value: Value, for what: String, limit: Int) -> String? {
    let count = elements(value).count
    if count == 0 { return "\(what) without values" }
    return count > limit ? "\(what) with more than \(limit) values" : nil
  }
}

extension Query.Filter {
  /// The number of conditions on fields.
  fileprivate var conditionCount: Int { count { _ in true } }

  /// The number of conditions of a kind.
  fileprivate func count(where isMeant: (Query.Comparison) -> Bool) -> Int {
    switch self {
    case .field(_, let comparison, _): isMeant(comparison) ? 1 : 0
    case .and(let parts), .or(let parts):
      parts.reduce(0) { $0 + $1.count(where: isMeant) }
    }
  }

  /// The largest number of array-contains in one disjunct. Equal members of a conjunction count once.
  fileprivate var mostContains: Int {
    switch self {
    case .field(_, let comparison, _):
      comparison == .arrayContains || comparison == .arrayContainsAny ? 1 : 0
    case .or(let parts): parts.map { $0.mostContains }.max() ?? 0
    case .and(let parts):
      (distinctMembers() ?? parts).reduce(0) { $0 + $1.mostContains }
    }
  }

  /// Whether there is an OR, or a comparison that stands for one.
  fileprivate var hasAlternatives: Bool {
    switch self {
    case .field(_, let comparison, _): comparison == .in || comparison == .arrayContainsAny
    case .and(let parts): parts.contains { $0.hasAlternatives }
    case .or: true
    }
  }
}

extension Query.Comparison {
  /// Whether it excludes values. Of these a query may have one.
  fileprivate var isNegative: Bool { self == .notEqual || self == .notIn }

  /// Whether it excludes a list of values.
  fileprivate var isNotIn: Bool { self == .notIn }
}
