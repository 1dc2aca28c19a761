import FirestoreStore
import FirestoreWire
import RulesEval
import RulesLang

extension FieldPath {
  /// Reads a reference to a field. Without one the path is empty, which is refused later.
  init(reference: WireMessage?) throws(Refusal) {
    try self.init(mask: reference?[.fieldReferenceFieldPath] ?? Text())
  }
}

extension StoreFilter {
  /// Reads a filter, and checks each condition in order. The depth of messages is limited.
  init(_ message: WireMessage, in id: DatabaseID) throws(Refusal) {
    if let composite = message[.filterCompositeFilter] {
      self = try Self.composite(composite, in: id)
    } else if let filter = message[.filterFieldFilter] {
      let field = try FieldPath(reference: filter[.fieldFilterField])
      guard let value = filter[.fieldFilterValue] else {
        throw Refusal(code: 3, message: "Cannot convert firestore.v1.Value with type unset.")
      }
      let comparison = Query.Comparison(filter[.fieldFilterOp])
      try Self.check(operand: value, of: comparison, in: id)
      guard let comparison else {
        throw Refusal(code: 3, message: "Unknown FieldFilter operator.")
      }
      self = .field(field, comparison, value)
    } else if let filter = message[.filterUnaryFilter] {
      let field = try FieldPath(reference: filter[.unaryFilterField])
      switch filter[.unaryFilterOp] {
      case .isNaN: self = .unary(field, .isNaN)
      case .isNull: self = .unary(field, .isNull)
      case .isNotNaN: self = .unary(field, .isNotNaN)
      case .isNotNull: self = .unary(field, .isNotNull)
      case .unspecified: throw Refusal(code: 3, message: "Unknown UnaryFilter operator.")
      }
    } else {
      throw Refusal(code: 3, message: "Unknown Filter type.")
    }
  }

  private static func composite(
    _ message: WireMessage, in id: DatabaseID
  ) throws(Refusal) -> StoreFilter {
    let isOr: Bool
    switch message[.compositeFilterOp] {
    case .and: isOr = false
    case .or: isOr = true
    case .unspecified:
      throw Refusal(code: 3, message: "Unsupported CompositeFilter operator.")
    }
    let messages = message[.compositeFilterFilters]
    if isOr, messages.isEmpty { throw Refusal(.emptyOr) }
    var parts: [StoreFilter] = []
    for part in messages { parts.append(try StoreFilter(part, in: id)) }
    return isOr ? .or(parts) : .and(parts)
  }

  // MARK: Negations

  /// Throws if a query's filter has two negations, or `NOT_IN` and a disjunction. The official emulator
  /// checks this before anything else, even before an unknown transaction.
  static func checkNegations(_ query: WireMessage?) throws(Refusal) {
    guard let filter = query?[.structuredQueryWhere] else { return }
    var count = OperatorCount()
    count.add(filter)
    if count.negations > 1 { throw Refusal(.negations) }
    if count.hasNotIn, count.hasAlternatives { throw Refusal(.notInBesideOr) }
  }

  /// The operators of a filter that cannot be combined.
  private struct OperatorCount {
    /// The number of negations.
    var negations = 0
    /// True if one of them is `NOT_IN`.
    var hasNotIn = false
    /// True if there is an `OR`, or a comparison that is a disjunction.
    var hasAlternatives = false

    /// Adds the operators of a filter.
    mutating func add(_ message: WireMessage) {
      if let composite = message[.filterCompositeFilter] {
        if composite[.compositeFilterOp] == .or { hasAlternatives = true }
        for part in composite[.compositeFilterFilters] { add(part) }
      } else if let filter = message[.filterFieldFilter] {
        add(filter[.fieldFilterOp])
      } else if let filter = message[.filterUnaryFilter] {
        switch filter[.unaryFilterOp] {
        case .isNotNaN, .isNotNull: negations += 1
        case .isNaN, .isNull, .unspecified: return
        }
      }
    }

    private mutating func add(_ comparison: FieldOperator) {
      switch comparison {
      case .notEqual: negations += 1
      case .notIn: (negations, hasNotIn) = (negations + 1, true)
      case .in, .arrayContainsAny: hasAlternatives = true
      case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .arrayContains,
        .unspecified:
        return
      }
    }
  }
}

extension Query.Comparison {
  /// Reads a comparison; nil if it is not specified.
  fileprivate init?(_ wire: FieldOperator) {
    switch wire {
    case .lessThan: self = .less
    case .lessThanOrEqual: self = .lessEqual
    case .greaterThan: self = .greater
    case .greaterThanOrEqual: self = .greaterEqual
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .arrayContains: self = .arrayContains
    case .in: self = .in
    case .arrayContainsAny: self = .arrayContainsAny
    case .notIn: self = .notIn
    case .unspecified: return nil
    }
  }
}
