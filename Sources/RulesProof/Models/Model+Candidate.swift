import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

extension Model {
  /// Returns the request that the model describes; nil if there is no such request.
  func candidate() -> CandidateRequest? {
    let segments = scene.segments.map { text(of: $0) }
    guard !segments.contains(where: { $0.isEmpty }) else { return nil }
    let method = scene.scenario.method
    var candidate = CandidateRequest(
      method: method, access: scene.scenario.access, path: DocumentPath(segments),
      principal: principal, time: time, database: database)
    if holds(scene.isStored) { candidate.before = map(of: scene.before) }
    if method == .create || method == .update { candidate.after = map(of: scene.after) }
    if method != .create { extend(&candidate.before, with: .before, of: candidate.path) }
    if candidate.after != nil { extend(&candidate.after, with: .after, of: candidate.path) }
    candidate.others = others(except: candidate.path)
    if method == .list { addQuery(to: &candidate) }
    candidate.variables = furtherVariables
    return candidate
  }

  /// Adds the data of lookups that turn out to be of the request's own document.
  private func extend(
    _ data: inout MapValue?, with snapshot: Snapshot, of path: DocumentPath
  ) {
    for (term, state, segments) in documentTerms where state == snapshot && isStored(term) == true {
      guard DocumentPath(segments.map { text(of: $0) }) == path else { continue }
      data = (self.data(of: term).map { map(of: $0) } ?? MapValue()).overlaid(by: data)
    }
  }

  /// The values of the claim's further variables, in order.
  private var furtherVariables: [Text] {
    var found: [(place: Int, text: Text)] = []
    let terms = terms
    for index in 0..<terms.count {
      guard case .variable(.segment(let place)) = terms[TermID(index)],
        place >= Compiler.firstFurtherVariable
      else { continue }
      found.append((place, text(of: TermID(index))))
    }
    return found.sorted { $0.place < $1.place }.map { $0.text }
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

  private func others(except own: DocumentPath) -> [CandidateRequest.Other] {
    var found: [CandidateRequest.Other] = []
    for (term, snapshot, segments) in documentTerms {
      let path = DocumentPath(segments.map { text(of: $0) })
      guard path != own, path.isDocument, !path.segments.contains(where: { $0.isEmpty }) else {
        continue
      }
      let data = isStored(term) == true ? map(of: self.data(of: term) ?? term) : nil
      let place = place(of: path, in: &found)
      // A state about which nothing was asserted stays as it is.
      switch snapshot {
      case .before:
        if let data { found[place].before = data }
      case .after:
        if let data { found[place].after = data }
        found[place].isDeleted = truth(of: .definedBuiltin(.getAfter), [term]) == true
      }
    }
    found = found.map { settle($0) }
    for document in unknownDocuments { add(document, to: &found, except: own) }
    return found
  }

  private func place(of path: DocumentPath, in found: inout [CandidateRequest.Other]) -> Int {
    if let known = found.firstIndex(where: { $0.path == path }) { return known }
    found.append(CandidateRequest.Other(path: path))
    return found.count - 1
  }

  /// Adds the document that a lookup with a computed path finds. Fields asserted by the document's
  /// own path take precedence.
  private func add(
    _ document: UnknownDocument, to found: inout [CandidateRequest.Other], except own: DocumentPath
  ) {
    // A search may know fewer terms than the compiler, but it knows either all terms of the lookup
    // or none.
    guard flag(document.isDefined), case .path(let target) = value(of: document.path),
      let segments = try? target.flattened(), let path = DocumentPath(full: segments, in: database),
      path != own,
      path.isDocument, let data = data(of: document)
    else { return }
    let place = place(of: path, in: &found)
    // A document with only one known state does not change.
    let isKept = !found[place].isChanged
    switch document.snapshot {
    case .before:
      found[place].before = data.overlaid(by: found[place].before)
      if isKept { found[place].after = found[place].before }
    case .after:
      found[place].after = data.overlaid(by: found[place].after)
      if isKept { found[place].before = found[place].after }
    }
  }

  /// Returns the data of the found document; nil if there must be none.
  private func data(of document: UnknownDocument) -> MapValue? {
    let result = value(of: document.result)
    if !document.isRead {
      if case .bool(true) = result { return MapValue() }
      return nil
    }
    guard case .map(let resource) = result else { return nil }
    if case .map(let data)? = resource["data"] { return data }
    return MapValue()
  }

  /// Completes a document of which only one state is known: it does not change.
  private func settle(_ other: CandidateRequest.Other) -> CandidateRequest.Other {
    var other = other
    let before = knownState(of: other.path, in: .before)
    let after = knownState(of: other.path, in: .after)
    if after == nil { other.after = other.before }
    if before == nil { other.before = other.after }
    return other
  }

  private func knownState(of path: DocumentPath, in snapshot: Snapshot) -> Bool? {
    for (term, state, segments) in documentTerms where state == snapshot {
      if DocumentPath(segments.map { text(of: $0) }) == path, let known = isStored(term) {
        return known
      }
    }
    return nil
  }

  // MARK: Queries

  private func addQuery(to candidate: inout CandidateRequest) {
    if case .int(let limit) = limitValue { candidate.limit = limit }
    if case .int(let offset) = offsetValue { candidate.offset = offset }
    candidate.isNamedInGroup = flag(Compiler.isNamedInGroup)
    let ancestors = stride(from: 2, through: scene.segments.count - 2, by: 2)
    candidate.namedBelow = ancestors.first { flag(Compiler.isNamedBelow($0)) } ?? 0
    guard scene.scenario.access != .namedQuery, scene.scenario.access != .document else { return }
    var constraints: [FieldFilters] = []
    addFilters(of: scene.promise, below: [], to: &candidate, constraints: &constraints)
    // A query may exclude values of one field only.
    var mayExclude = !constraints.contains { $0.excludes }
    for constraint in constraints {
      let filters = constraint.completed(mayExclude: mayExclude)
      mayExclude = mayExclude && !filters.contains { $0.comparison == .notEqual }
      candidate.filters += filters.map {
        CandidateRequest.Filter(field: constraint.field, comparison: $0.comparison, value: $0.value)
      }
    }
  }

  private func addFilters(
    of map: TermID, below outer: [Text], to candidate: inout CandidateRequest,
    constraints: inout [FieldFilters]
  ) {
    for (key, field) in promisedFields(of: map) {
      let names = outer + [key]
      guard let field else {
        addFilter(FieldPath(names), to: &candidate)
        continue
      }
      if isConstraint(field) {
        let path = FieldPath(names)
        constraints.append(filters(of: field, path, own: candidate.before?.value(at: path)))
      } else if isPartial(field) {
        addFilters(of: field, below: names, to: &candidate, constraints: &constraints)
      } else {
        candidate.filters.append(
          CandidateRequest.Filter(
            field: FieldPath(names), comparison: .equal, value: value(of: field)))
      }
    }
    if truth(of: .unnamedKey, [map]) == true {
      for number in 0..<extraKeys(with: .kept, in: [map]) {
        addFilter(FieldPath(outer + [unnamedKey(with: .kept, number: number)]), to: &candidate)
      }
    }
    addOddFilter(of: map, below: outer, to: &candidate)
  }

  /// Adds a filter for NaN if the promise must be unequal to itself and nothing in it is.
  private func addOddFilter(
    of map: TermID, below outer: [Text], to candidate: inout CandidateRequest
  ) {
    let isAnyOdd = candidate.filters.contains { filter in
      filter.field.names.starts(with: outer) && !Value.areEqual(filter.value, filter.value)
    }
    guard truth(of: .odd, [map]) == true, !isAnyOdd else { return }
    let path = FieldPath(outer + [unnamedKey(with: .kept, number: 0)])
    candidate.filters.removeAll { $0.field == path }
    candidate.before?.set(.float(.nan), at: path)
    candidate.filters.append(
      CandidateRequest.Filter(field: path, comparison: .equal, value: .float(.nan)))
  }

  /// Adds an equality filter for the stored value, where the value does not matter.
  private func addFilter(_ field: FieldPath, to candidate: inout CandidateRequest) {
    let stored = candidate.before?.value(at: field)
    if stored == nil { candidate.before?.set(.bool(true), at: field) }
    candidate.filters.append(
      CandidateRequest.Filter(field: field, comparison: .equal, value: stored ?? .bool(true)))
  }
}

extension MapValue {
  /// Returns the map with the fields of another one, which take precedence.
  fileprivate func overlaid(by other: MapValue?) -> MapValue {
    var map = self
    for (key, value) in other ?? MapValue() { map[key] = value }
    return map
  }
}
