import RulesEval
import RulesLang

// Evaluation of filters on documents (Docs/Emulator.md, Queries, Docs/Fidelity.md §26). Values are equal if
// neither precedes the other; ranges use the order of all values, within one type.

extension StoreFilter {
  /// The name of the pseudo-field that holds a document's own reference.
  static let nameField = FieldPath(["__name__"])

  /// Returns true if a document matches the filter.
  func finds(_ document: StoredDocument, in order: ValueOrder) -> Bool {
    switch self {
    case .and(let parts): return parts.allSatisfy { $0.finds(document, in: order) }
    case .or(let parts): return parts.contains { $0.finds(document, in: order) }
    case .unary(let path, let test):
      guard let value = document.value(at: path, in: order.id) else { return false }
      return test.finds(value)
    case .field(let path, let comparison, let operand):
      guard let value = document.value(at: path, in: order.id) else { return false }
      return comparison.finds(value, operand: operand, in: order)
    }
  }
}

extension StoredDocument {
  /// Returns the value of a field, or the document's own reference for `__name__`; nil if the field is
  /// missing.
  func value(at field: FieldPath, in id: DatabaseID) -> Value? {
    field == StoreFilter.nameField ? .path(path.value(in: id.database)) : data.value(at: field)
  }
}

extension StoreFilter.Unary {
  /// Returns true if a stored value passes the test. Null does not pass the negated tests.
  fileprivate func finds(_ value: Value) -> Bool {
    let rank = ValueOrder.Rank(value)
    switch self {
    case .isNull: return rank == .null
    case .isNaN: return rank == .notANumber
    case .isNotNull: return rank != .null
    case .isNotNaN: return rank != .null && rank != .notANumber
    }
  }
}

extension Query.Comparison {
  /// Returns true if a stored value passes a comparison with an operand.
  fileprivate func finds(_ value: Value, operand: Value, in order: ValueOrder) -> Bool {
    switch self {
    case .equal: return Self.isFound(value, by: operand, in: order)
    case .notEqual:
      if ValueOrder.Rank(value) == .null || ValueOrder.Rank(operand) == .null { return false }
      return !Self.isFound(value, by: operand, in: order)
    case .less, .lessEqual, .greater, .greaterEqual:
      let rank = ValueOrder.Rank(operand)
      guard !rank.isFoundByTestsOnly, rank == ValueOrder.Rank(value) else { return false }
      return finds(order.compare(value, operand))
    case .arrayContains:
      return Self.elements(of: value).contains { Self.isFound($0, by: operand, in: order) }
    case .arrayContainsAny:
      let operands = Self.elements(of: operand)
      return Self.elements(of: value).contains { one in
        operands.contains { Self.isFound(one, by: $0, in: order) }
      }
    case .in: return Self.elements(of: operand).contains { Self.isFound(value, by: $0, in: order) }
    case .notIn:
      if ValueOrder.Rank(value) == .null { return false }
      return !Self.elements(of: operand).contains {
        ValueOrder.Rank($0) == .null || Self.isFound(value, by: $0, in: order)
      }
    }
  }

  /// Returns true if a range includes values with this order relative to its bound.
  private func finds(_ order: Ordering) -> Bool {
    switch self {
    case .less: order == .less
    case .lessEqual: order != .greater
    case .greater: order == .greater
    case .greaterEqual: order != .less
    case .equal, .notEqual, .arrayContains, .in, .arrayContainsAny, .notIn: false
    }
  }

  /// Returns true if a value equals the operand; null and NaN equal nothing here.
  private static func isFound(_ value: Value, by operand: Value, in order: ValueOrder) -> Bool {
    !ValueOrder.Rank(operand).isFoundByTestsOnly && order.compare(value, operand) == .equal
  }

  private static func elements(of value: Value) -> [Value] {
    if case .list(let elements) = value { elements } else { [] }
  }
}
