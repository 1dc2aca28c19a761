import RulesEval
import RulesLang

/// A document that may be a result of a query, with its sort keys.
struct Candidate: Sendable {
  /// The document.
  var document: StoredDocument
  /// The values of the fields that the order names.
  var keys: [Value]
}

/// The complete order of a query's results: the fields of its orders, then the fields with inequalities, by
/// name, then the name of the document.
struct ResultOrder: Sendable {
  /// The fields, the most significant one first.
  private(set) var fields: [Query.Order]
  /// True if documents with equal fields are ordered by descending name.
  private(set) var isNameDescending: Bool
  /// The order of values.
  let values: ValueOrder

  /// Creates the order of a query's results.
  ///
  /// - Parameter aggregated: The fields of aggregations. Documents without one of them are not candidates,
  ///   and a limit applies to the order by these fields.
  init(_ query: StoreQuery, in id: DatabaseID, aggregated: Set<FieldPath> = []) {
    values = ValueOrder(id: id)
    fields = query.orders
    // Implied orders have the direction of the last explicit order.
    isNameDescending = query.orders.last?.isDescending ?? false
    if fields.last?.field == StoreFilter.nameField {
      fields.removeLast()
      return
    }
    for implied in [query.filter?.inequalityFields ?? [], aggregated] {
      let new = implied.subtracting(fields.map { $0.field })
      for field in new.sorted(by: Self.precedes) where field != StoreFilter.nameField {
        fields.append(Query.Order(field, isDescending: isNameDescending))
      }
    }
  }

  /// Returns true if one implied order precedes another: lexicographically by the names of the fields.
  static func precedes(_ one: FieldPath, _ other: FieldPath) -> Bool {
    for (left, right) in zip(one.names, other.names) where left != right {
      return Text.precedesByCodePoint(left, right)
    }
    return one.names.count < other.names.count
  }

  /// Returns a document with its sort keys; nil if it lacks a field of the order.
  func candidate(_ document: StoredDocument) -> Candidate? {
    var keys: [Value] = []
    keys.reserveCapacity(fields.count)
    for order in fields {
      guard let value = document.data.value(at: order.field) else { return nil }
      keys.append(value)
    }
    return Candidate(document: document, keys: keys)
  }

  /// Returns true if one document precedes another.
  func precedes(_ one: Candidate, _ other: Candidate) -> Bool {
    for (place, field) in fields.enumerated() {
      switch values.compare(one.keys[place], other.keys[place]) {
      case .less: return !field.isDescending
      case .greater: return field.isDescending
      case .equal: continue
      }
    }
    return isNameDescending
      ? DocumentPath.precedes(other.document.path, one.document.path)
      : DocumentPath.precedes(one.document.path, other.document.path)
  }

  /// Returns true if a document is between the cursors.
  func isWithin(_ candidate: Candidate, from start: Cursor?, to end: Cursor?) -> Bool {
    if let start {
      switch position(of: candidate, beside: start) {
      case .less: return false
      case .equal: if !start.isBefore { return false }
      case .greater: break
      }
    }
    if let end {
      switch position(of: candidate, beside: end) {
      case .less: break
      case .equal: return !end.isBefore
      case .greater: return false
      }
    }
    return true
  }

  /// Returns the order of a document relative to a cursor's values.
  private func position(of candidate: Candidate, beside cursor: Cursor) -> Ordering {
    for (place, value) in cursor.values.enumerated() {
      let isField = place < fields.count
      let document = candidate.document
      let own = isField ? candidate.keys[place] : .path(document.path.value(in: values.id.database))
      let order = values.compare(own, value)
      if order == .equal { continue }
      let isDescending = isField ? fields[place].isDescending : isNameDescending
      return isDescending ? order.reversed : order
    }
    return .equal
  }
}
