import RulesEval
import RulesLang

/// A request in parts that can be taken away one by one, with what is stored when it is made.
struct Draft {
  /// Another document: what it is before the request and after it.
  struct Other {
    var path: DocumentPath
    var before: MapValue?
    var after: MapValue?
    /// Whether it is deleted although it is not stored.
    var isDeleted = false

    /// Whether the request writes it. By identity rather than equality: a NaN that stays is no
    /// change.
    var isChanged: Bool {
      before.map { ConstantKey(of: .map($0)) } != after.map { ConstantKey(of: .map($0)) }
    }

    /// Whether the request has a write of it.
    fileprivate var isWritten: Bool {
      if before == nil, after == nil { return isDeleted }
      return isChanged
    }
  }

  /// One filter of a query.
  struct Filter {
    var field: FieldPath
    var comparison: Query.Comparison
    var value: Value
  }

  var method: Method
  var access: Scenario.Access
  var path: DocumentPath
  var principal: Principal?
  var time: Timestamp
  var before: MapValue?
  var after: MapValue?
  var others: [Other] = []
  var filters: [Filter] = []
  var limit: Int64?
  var offset: Int64 = 0

  /// What is stored before the request.
  var documents: Documents {
    var stored: [(DocumentPath, MapValue)] = []
    if let before { stored.append((path, before)) }
    for other in others where other.path != path {
      if let data = other.before { stored.append((other.path, data)) }
    }
    return Documents(stored)
  }

  /// The request.
  var request: Request {
    Request(principal: principal, time: time, operation: operation)
  }

  private var operation: Request.Operation {
    switch method {
    case .get: .get([path])
    case .list: .list(query)
    case .create, .update, .delete: .commit([write(path, before, after)] + otherWrites)
    }
  }

  /// The request, if it is one for its document alone.
  var plain: PlainRequest? {
    if method == .list || method.isWrite && others.contains(where: { $0.isWritten }) { return nil }
    var written: [Text] = []
    if method == .update, let before, let after {
      written = SuiteWriter.updatedKeys(before, after) ?? []
    }
    return PlainRequest(
      method, principal, at: time, before: before, after: after, written: written)
  }

  private func write(_ path: DocumentPath, _ old: MapValue?, _ new: MapValue?) -> Write {
    guard let new else { return Write(path, .delete) }
    guard let old else { return Write(path, .set(new, mask: nil), precondition: .missing) }
    // Exactly the update that the test in the report makes, which names what it changes.
    let mask = SuiteWriter.updatedKeys(old, new)?.map { FieldPath([$0]) }
    return Write(path, .set(new, mask: mask), precondition: .exists)
  }

  private var otherWrites: [Write] {
    others.compactMap { other in
      switch (other.before, other.after) {
      case (.none, .none): other.isDeleted ? Write(other.path, .delete) : nil
      case (.some, .some) where !other.isChanged: nil
      case (let old, let new): write(other.path, old, new)
      }
    }
  }

  private var query: Query {
    let segments = path.segments
    var query = Query(
      parent: DocumentPath(Array(segments.dropLast(2))), collection: segments[segments.count - 2])
    if case .group(let below) = access {
      query.parent = DocumentPath(Array(segments[..<below]))
      query.isCollectionGroup = true
    }
    var parts = filters.map { Query.Filter.field($0.field, $0.comparison, $0.value) }
    if access == .namedQuery {
      parts.append(.field(FieldPath(["__name__"]), .equal, .path(path.value)))
    }
    query.filter = parts.isEmpty ? nil : parts.count == 1 ? parts[0] : .and(parts)
    query.limit = limit
    query.offset = offset
    return query
  }
}

extension Model {
  /// The request that the model describes; nil if no request could be like that.
  func draft() -> Draft? {
    let segments = scene.segments.map { text(of: $0) }
    guard !segments.contains(where: { $0.isEmpty }) else { return nil }
    let method = scene.scenario.method
    var draft = Draft(
      method: method, access: scene.scenario.access, path: DocumentPath(segments),
      principal: principal, time: time)
    if holds(scene.isStored) { draft.before = map(of: scene.before) }
    if method == .create || method == .update { draft.after = map(of: scene.after) }
    draft.others = others(except: draft.path)
    if method == .list { addQuery(to: &draft) }
    return draft
  }

  private func text(of term: TermID) -> Text {
    if case .string(let text) = value(of: term) { return text }
    return Text()
  }

  private func map(of term: TermID) -> MapValue {
    if case .map(let map) = value(of: term) { return map }
    return MapValue()
  }

  private var principal: Principal? {
    if flag(.signedOut) { return nil }
    return Principal(uid: text(of: scene.uid), claims: map(of: scene.token)).asSent
  }

  private var time: Timestamp {
    if case .timestamp(let time) = value(of: scene.time) { return time }
    return .epoch
  }

  // MARK: Other documents

  private func others(except own: DocumentPath) -> [Draft.Other] {
    var found: [Draft.Other] = []
    for (term, snapshot, segments) in documentTerms {
      let path = DocumentPath(segments.map { text(of: $0) })
      guard path != own, path.isDocument, !path.segments.contains(where: { $0.isEmpty }) else {
        continue
      }
      let data = isStored(term) == true ? map(of: self.data(of: term) ?? term) : nil
      let place =
        found.firstIndex { $0.path == path }
        ?? {
          found.append(Draft.Other(path: path))
          return found.count - 1
        }()
      // What nobody asked about stays as it is.
      switch snapshot {
      case .before:
        if let data { found[place].before = data }
      case .after:
        if let data { found[place].after = data }
        found[place].isDeleted = truth(of: .definedBuiltin(.getAfter), [term]) == true
      }
    }
    return found.map { settle($0) }
  }

  /// A document of which only one state was asked about does not change.
  private func settle(_ other: Draft.Other) -> Draft.Other {
    var other = other
    let before = knownState(other.path, .before)
    let after = knownState(other.path, .after)
    if after == nil { other.after = other.before }
    if before == nil { other.before = other.after }
    return other
  }

  private func knownState(_ path: DocumentPath, _ snapshot: Snapshot) -> Bool? {
    for (term, state, segments) in documentTerms where state == snapshot {
      if DocumentPath(segments.map { text(of: $0) }) == path, let known = isStored(term) {
        return known
      }
    }
    return nil
  }

  // MARK: Queries

  private func addQuery(to draft: inout Draft) {
    if case .int(let limit) = limitValue { draft.limit = limit }
    if case .int(let offset) = offsetValue { draft.offset = offset }
    guard scene.scenario.access != .namedQuery, scene.scenario.access != .document else { return }
    var constraints: [FieldFilters] = []
    addFilters(scene.promise, [], to: &draft, &constraints)
    // A query excludes values of one field only.
    var mayExclude = !constraints.contains { $0.excludes }
    for constraint in constraints {
      let filters = constraint.completed(mayExclude: mayExclude)
      mayExclude = mayExclude && !filters.contains { $0.comparison == .notEqual }
      draft.filters += filters.map {
        Draft.Filter(field: constraint.field, comparison: $0.comparison, value: $0.value)
      }
    }
  }

  private func addFilters(
    _ map: TermID, _ outer: [Text], to draft: inout Draft, _ constraints: inout [FieldFilters]
  ) {
    for (key, field) in promisedFields(of: map) {
      let names = outer + [key]
      guard let field else {
        addFilter(FieldPath(names), to: &draft)
        continue
      }
      if isConstraint(field) {
        let path = FieldPath(names)
        constraints.append(filters(of: field, path, own: draft.before?.value(at: path)))
      } else if isPartial(field) {
        addFilters(field, names, to: &draft, &constraints)
      } else {
        draft.filters.append(
          Draft.Filter(field: FieldPath(names), comparison: .equal, value: value(of: field)))
      }
    }
    if truth(of: .unnamedKey, [map]) == true {
      for number in 0..<extraKeys(.kept, [map]) {
        addFilter(FieldPath(outer + [unnamedKey(.kept, number)]), to: &draft)
      }
    }
    addOddFilter(map, outer, to: &draft)
  }

  /// If what filters promise is to differ from itself, and nothing in it does yet, a filter asks for a
  /// NaN.
  private func addOddFilter(_ map: TermID, _ outer: [Text], to draft: inout Draft) {
    let isAnyOdd = draft.filters.contains { filter in
      filter.field.names.starts(with: outer) && !Value.areEqual(filter.value, filter.value)
    }
    guard truth(of: .odd, [map]) == true, !isAnyOdd else { return }
    let path = FieldPath(outer + [unnamedKey(.kept, 0)])
    draft.filters.removeAll { $0.field == path }
    draft.before?.set(.float(.nan), at: path)
    draft.filters.append(Draft.Filter(field: path, comparison: .equal, value: .float(.nan)))
  }

  /// A filter for the value that is in the document, since nothing is asked of it.
  private func addFilter(_ field: FieldPath, to draft: inout Draft) {
    let stored = draft.before?.value(at: field)
    if stored == nil { draft.before?.set(.bool(true), at: field) }
    draft.filters.append(
      Draft.Filter(field: field, comparison: .equal, value: stored ?? .bool(true)))
  }
}
