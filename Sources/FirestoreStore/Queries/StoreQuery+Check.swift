public import RulesEval
import RulesLang

extension StoreQuery {
  /// Maximum filters and orders of a query, including its parent document (Docs/Emulator.md, Queries).
  static let mostConditions = 100

  /// Throws the first mistake for which the query is refused before the rules are evaluated, in the official
  /// words. Other mistakes are found only when the query is run.
  ///
  /// The order of mistakes is that of the official emulator: first those in single parts, as the request is
  /// read, then numbers and the limit of conditions, then those in combined conditions (Docs/Fidelity.md,
  /// Queries).
  public func check(in id: DatabaseID) throws(Refusal) {
    try checkParts(in: id)
    if isFilteredGroupBelowDocument { throw .groupBelowDocument }
    if let refusal = negativeNumber { throw refusal }
    try checkConditionCount()
    let mistake = filterMistake(in: id)
    if case .arrayContains? = mistake { throw Refusal(.arrayContains) }
    if collection == nil { try checkKindless() }
    try check(mistake)
  }

  /// Throws the first mistake for which a listener is refused before the rules are evaluated. Unlike other
  /// queries, listeners may filter and order documents of any collection.
  public func checkListening(in id: DatabaseID) throws(Refusal) {
    try checkParts(in: id)
    if listeningRefusal(in: id) != nil { return }
    try checkConditionCount()
    try check(filterMistake(in: id))
  }

  /// Returns the refusal of a listener after the rules have allowed its query; nil if there is none.
  func listeningRefusal(in id: DatabaseID) -> Refusal? {
    if isFilteredGroupBelowDocument { return .listeningToGroupBelowDocument }
    if case .arrayContains? = filterMistake(in: id) { return .listeningToContains }
    return negativeNumber
  }

  /// The refusal of a negative offset or limit; nil if both are valid.
  private var negativeNumber: Refusal? {
    if offset < 0 { return .invalidArgument("offset is negative") }
    if let limit, limit < 0 { return .invalidArgument("limit is negative") }
    return nil
  }

  /// True for a collection group below a document that is filtered or ordered by fields.
  private var isFilteredGroupBelowDocument: Bool {
    allDescendants && !parent.segments.isEmpty && isFilteredByFields
  }

  private func check(_ mistake: FilterMistake?) throws(Refusal) {
    if let mistake, mistake != .disjunctions { throw Refusal(mistake) }
    if nearest != nil, limit != nil { throw .nearestWith("limit") }
    if nearest != nil, offset != 0 { throw .nearestWith("offset") }
    if let mistake { throw Refusal(mistake) }
  }

  /// Throws the first mistake in a single part of the query.
  func checkParts(in id: DatabaseID) throws(Refusal) {
    try collection?.checkCollection()
    try filter?.checkOperands(in: id)
    try start?.check(for: orders, in: id)
    try end?.check(for: orders, in: id)
    try nearest?.check()
  }

  private func checkConditionCount() throws(Refusal) {
    var count = 0
    filter?.forEachCondition { _, comparison, value in
      count += comparison?.conditionCount(with: value) ?? 1
    }
    let hasParent = !parent.segments.isEmpty
    if count + orders.count + (hasParent ? 1 : 0) > Self.mostConditions {
      throw .conditions(count, orders: orders.count, hasParent: hasParent)
    }
  }

  private func filterMistake(in id: DatabaseID) -> FilterMistake? {
    guard let filter else { return nil }
    var query = Query(parent: parent, collection: Text())
    query.filter = filter.plainFilter
    return query.filterMistake(in: id.database)
  }

  /// Throws the first mistake that is found only when the query is run, after the rules have allowed it.
  ///
  /// - Parameter aggregated: The fields of aggregations.
  func checkRun(aggregated: Set<FieldPath> = []) throws(Refusal) {
    let name = StoreFilter.nameField
    let inequalities = filter?.inequalityFields ?? []
    let behind = aggregated.subtracting(inequalities.union(orders.map { $0.field }))
    let isNameOrdered =
      isGroupBelowDocument || inequalities.contains(name) || orders.contains { $0.field == name }
    if isNameOrdered || isNamedByFilter, !behind.isEmpty {
      throw .aggregatedBehindName(behind.sorted(by: ResultOrder.precedes))
    }
    if !inequalities.isEmpty, !inequalities.contains(name), isNamedByFilter {
      throw .nameBesideRange
    }
    var seen: Set<FieldPath> = []
    for (place, order) in orders.enumerated() {
      if !seen.insert(order.field).inserted { throw .duplicateOrder(order.field) }
      if order.field == name, place + 1 < orders.count { throw .orderBehindName }
    }
    if orders.last?.field == name, !inequalities.subtracting(seen).isEmpty {
      throw .orderBehindName
    }
  }

  /// True for a collection group below a document.
  private var isGroupBelowDocument: Bool {
    collection != nil && allDescendants && !parent.segments.isEmpty
  }

  /// True if documents are filtered or ordered by a field other than the name.
  private var isFilteredByFields: Bool {
    var isFiltered = orders.contains { $0.field != StoreFilter.nameField }
    filter?.forEachCondition { field, _, _ in
      if field != StoreFilter.nameField { isFiltered = true }
    }
    return isFiltered
  }

  /// True if the filter has an equality or `IN` on the document's name.
  private var isNamedByFilter: Bool {
    var isNamed = false
    filter?.forEachCondition { field, comparison, _ in
      let isEquality = comparison == .equal || comparison == .in
      if field == StoreFilter.nameField, isEquality { isNamed = true }
    }
    return isNamed
  }
}

extension StoreQuery {
  /// Throws if a query of any collection is ordered or filtered by anything other than the document's name.
  private func checkKindless() throws(Refusal) {
    let name = StoreFilter.nameField
    if orders.contains(where: { $0.field != name || $0.isDescending }) { throw .kindlessOrder }
    var refusal: Refusal?
    filter?.forEachCondition { field, comparison, _ in
      if field != name, refusal == nil {
        refusal = .kindlessFilter(field, isOfElements: comparison?.looksIntoLists ?? false)
      }
    }
    if let refusal { throw refusal }
  }
}

extension Query.Comparison {
  /// True if the comparison is with elements of a list.
  fileprivate var looksIntoLists: Bool {
    switch self {
    case .arrayContains, .arrayContainsAny: true
    case .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .in, .notIn: false
    }
  }

  /// Returns the number of conditions that a comparison counts as: one for each alternative. A list that is
  /// empty or too long, which is refused separately, counts as one.
  fileprivate func conditionCount(with value: Value) -> Int {
    switch self {
    case .in, .arrayContainsAny:
      guard case .list(let list) = value, (1...Query.maximumDisjuncts).contains(list.count) else {
        return 1
      }
      return list.count
    case .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .arrayContains, .notIn:
      return 1
    }
  }
}

extension Cursor {
  /// Throws the reason why the cursor is invalid for an order.
  public func check(for orders: [Query.Order], in id: DatabaseID) throws(Refusal) {
    if values.count > orders.count { throw .longCursor }
    for (value, order) in zip(values, orders) {
      if order.field == StoreFilter.nameField {
        guard case .path = value else { throw .cursorName }
      }
      try value.checkSent(in: id)
    }
  }
}
