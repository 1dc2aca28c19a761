public import RulesEval
import RulesLang

extension Store {
  /// Returns the results of a query in its order, with the selected fields.
  public func run(_ query: StoreQuery) throws(Refusal) -> [StoredDocument] {
    try query.check(in: id)
    return try results(of: query)
  }

  /// Returns the results of a listener's query, which is checked and which the rules allow.
  public func runListening(_ query: StoreQuery) throws(Refusal) -> [StoredDocument] {
    if let refusal = query.listeningRefusal(in: id) { throw refusal }
    return try results(of: query)
  }

  private func results(of query: StoreQuery) throws(Refusal) -> [StoredDocument] {
    try query.checkRun()
    var found = matches(of: query)
    if let nearest = query.nearest { found = nearest.nearest(of: found) }
    guard let selection = query.selection else { return found }
    for place in found.indices { found[place].data = found[place].data.selecting(selection) }
    return found
  }

  /// Returns the results of a query in its order, with all fields and before `nearest` is applied.
  ///
  /// - Parameter aggregated: Fields without which a document is not a result.
  func matches(of query: StoreQuery, aggregated: Set<FieldPath> = []) -> [StoredDocument] {
    let order = ResultOrder(query, in: id, aggregated: aggregated)
    let offset = Int(clamping: query.offset)
    let limit = query.limit.map { Int(clamping: $0) }
    if limit == 0 { return [] }
    let isInOrder =
      order.fields.isEmpty && query.isScannedByName(isBackward: order.isNameDescending)
    // The number of first candidates to keep, including those to skip; nil for all.
    let needed = limit.flatMap { limit -> Int? in
      let (sum, overflow) = limit.addingReportingOverflow(offset)
      return overflow ? nil : sum
    }
    var first = FirstCandidates(in: order, limit: needed)
    var results: [StoredDocument] = []
    var skipped = 0
    scan(query, in: query.nameRange(in: order), isBackward: isInOrder && order.isNameDescending) {
      guard query.filter?.finds($0, in: order.values) ?? true,
        let candidate = order.candidate($0),
        order.isWithin(candidate, from: query.start, to: query.end)
      else { return true }
      guard isInOrder else {
        first.add(candidate)
        return true
      }
      if skipped < offset { skipped += 1 } else { results.append($0) }
      return limit.map { results.count < $0 } ?? true
    }
    if isInOrder { return results }
    return first.sorted().dropFirst(offset).map { $0.document }
  }

  /// Calls `body` for the documents of the collections that a query reads, until it returns false.
  private func scan(
    _ query: StoreQuery, in range: PathRange, isBackward: Bool,
    _ body: (StoredDocument) -> Bool
  ) {
    guard let id = query.collection else {
      if query.allDescendants {
        return tree.forEachDocument(below: query.parent, in: range, body)
      }
      tree.children(of: query.parent).forEach { name in
        let path = DocumentPath(query.parent.segments + [name.key])
        return tree.collection(path)?.forEach(in: range, body) ?? true
      }
      return
    }
    if query.allDescendants {
      tree.forEachCollection(ofGroup: id, below: query.parent) { $0.forEach(in: range, body) }
    } else {
      let path = DocumentPath(query.parent.segments + [id])
      tree.collection(path)?.forEach(in: range, isBackward: isBackward, body)
    }
  }
}

extension StoreQuery {
  /// Returns true if a scan visits the documents in ascending or descending order of their names, so that it
  /// can end at the limit.
  fileprivate func isScannedByName(isBackward: Bool) -> Bool {
    if collection != nil { return !allDescendants }
    return !isBackward
  }

  /// Returns a range of names that contains all results. It is derived from the conjuncts on `__name__` and,
  /// if the order is by name alone, from the cursors. Conditions and cursors still have to be checked.
  fileprivate func nameRange(in order: ResultOrder) -> PathRange {
    var range = PathRange.all
    for case .field(StoreFilter.nameField, let comparison, let value) in filter?.conjuncts ?? [] {
      guard let path = order.ownPath(value) else { continue }
      let included = PathRange.End(path: path, isIncluded: true)
      switch comparison {
      case .equal: range.narrow(to: PathRange(lower: included, upper: included))
      case .less, .lessEqual: range.narrow(to: PathRange(lower: nil, upper: included))
      case .greater, .greaterEqual: range.narrow(to: PathRange(lower: included, upper: nil))
      case .notEqual, .arrayContains, .in, .arrayContainsAny, .notIn: continue
      }
    }
    guard order.fields.isEmpty else { return range }
    let (low, high) = order.isNameDescending ? (end, start) : (start, end)
    if let path = low?.values.first.flatMap({ order.ownPath($0) }) {
      range.narrow(to: PathRange(lower: PathRange.End(path: path, isIncluded: true), upper: nil))
    }
    if let path = high?.values.first.flatMap({ order.ownPath($0) }) {
      range.narrow(to: PathRange(lower: nil, upper: PathRange.End(path: path, isIncluded: true)))
    }
    return range
  }
}

extension ResultOrder {
  /// Returns the path of a document of the same database that a value refers to; nil for other values.
  fileprivate func ownPath(_ value: Value) -> DocumentPath? {
    guard case .path(let path) = value else { return nil }
    let reference = values.reference(path)
    return reference.database == values.id ? reference.path : nil
  }
}

extension MapValue {
  /// Returns the map with only the fields at some paths; `__name__` is not a field.
  public func selecting(_ paths: [FieldPath]) -> MapValue {
    var selected = MapValue()
    for path in paths {
      if let value = value(at: path) { selected.set(value, at: path) }
    }
    return selected
  }
}
