public import RulesEval
import RulesLang

extension Store {
  /// Returns the documents that a query finds, in its order, with the fields that it selects.
  public func run(_ query: StoreQuery) throws(Refusal) -> [StoredDocument] {
    try query.check(in: id)
    return try results(of: query)
  }

  /// Returns the documents that a listener hears of whose query is checked and allowed by the rules.
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

  /// Returns the documents that a query finds, in its order, whole; what `nearest` asks for aside.
  ///
  /// - Parameter aggregated: fields without which a document counts for nothing.
  func matches(of query: StoreQuery, aggregated: Set<FieldPath> = []) -> [StoredDocument] {
    let order = ResultOrder(query, in: id, aggregated: aggregated)
    let offset = Int(clamping: query.offset)
    let limit = query.limit.map { Int(clamping: $0) }
    if limit == 0 { return [] }
    let isInOrder =
      order.fields.isEmpty && query.isScannedByName(isBackward: order.isNameDescending)
    // Documents that may have to be passed over, and those wanted; nil if that is as good as all.
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

  /// Passes the documents of the collections that a query reads, until the body returns false.
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
  /// Returns true if a scan passes the documents in the order of their names, or backward: it can then end
  /// with the limit.
  fileprivate func isScannedByName(isBackward: Bool) -> Bool {
    if collection != nil { return !allDescendants }
    return !isBackward
  }

  /// Returns a range of names that all results are in, by the conditions on `__name__` that all must hold
  /// and, where only names are ordered, by the cursors. Conditions and cursors are looked at all the same.
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
  /// Returns the path of a document of the own database that a value refers to; nil for other values.
  fileprivate func ownPath(_ value: Value) -> DocumentPath? {
    guard case .path(let path) = value else { return nil }
    let reference = values.reference(path)
    return reference.database == values.id ? reference.path : nil
  }
}

extension MapValue {
  /// Returns the map with the fields at some paths and no others; `__name__` is no field.
  public func selecting(_ paths: [FieldPath]) -> MapValue {
    var selected = MapValue()
    for path in paths {
      if let value = value(at: path) { selected.set(value, at: path) }
    }
    return selected
  }
}
