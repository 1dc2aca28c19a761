import RulesEval
package import RulesLang
package import RulesSolver

// Lookups of documents: `get`, `exists`, `getAfter` and `existsAfter`. The limit on their number is not
// encoded. It only makes conditions fail, so a proof that a condition holds also needs `costs`.

/// A lookup in the unit that is charged: one for each document, separately for reads and existence tests.
package struct Lookup: Hashable {
  /// The segments of the document's path, or the term of a computed path.
  package var path: [TermID]
  /// True for `get` and `getAfter`.
  package var isRead: Bool
  /// True if `path` is the term of a computed path.
  var isComputed: Bool
}

/// The unknown result of looking up a computed path.
package struct UnknownDocument {
  /// The path.
  package var path: TermID
  /// The result: the document or null for a read, a bool for an existence test.
  package var result: TermID
  /// The flag "the result is not an error".
  package var isDefined: RequestFlag
  /// True for `get` and `getAfter`.
  package var isRead: Bool
  /// The state in which the document is looked up.
  package var snapshot: Snapshot
}

extension Builtin {
  fileprivate var isRead: Bool { self == .get || self == .getAfter }

  /// The existence test for a read, and the read for an existence test.
  fileprivate var counterpart: Builtin {
    switch self {
    case .get: .exists
    case .exists: .get
    case .getAfter: .existsAfter
    default: .getAfter
    }
  }
}

extension Compiler {
  /// The reason why a lookup is not interpreted.
  private static var computed: String { "a lookup of a computed path" }

  /// Returns the result of looking a path up.
  package func lookup(
    _ builtin: Builtin, of path: Shape, at id: ExprID, in frame: SymbolicFrame
  ) -> Cases {
    if case .path(let segments) = path { return lookup(builtin, of: segments, at: id, in: frame) }
    if let term = path.asTerm {
      lookups.insert(Lookup(path: [term], isRead: builtin.isRead, isComputed: true))
      return lookup(builtin, ofComputed: term, at: id)
    }
    // A missing document is null to the write of that document and an error to the other writes of the
    // commit.
    let number =
      scene.number == home.number
      ? unknownNumber(at: id, reason: Self.computed)
      : unknowns.number(of: nil, at: id, reason: Self.computed)
    return opaque(
      number: number, at: id, reason: Self.computed, types: Builtins.entry(builtin).result)
  }

  /// The lookups of computed paths. A request that is made from a model needs these documents, too.
  package var unknownDocuments: [UnknownDocument] {
    unknowns.computedLookups.map { lookup, number in
      UnknownDocument(
        path: lookup.path,
        result: problem.terms.variable(
          .unknown(number), types: Builtins.entry(lookup.builtin).result),
        isDefined: .defined(number), isRead: lookup.builtin.isRead,
        snapshot: lookup.builtin == .get || lookup.builtin == .exists ? .before : .after)
    }
  }

  /// Returns the unknown result of looking a computed path up; equal paths share it. An existence test is
  /// linked with the read of the same path. Each write of a commit has its own unknowns, since a missing
  /// document is null to its own write and an error to the others.
  private func lookup(_ builtin: Builtin, ofComputed path: TermID, at id: ExprID) -> Cases {
    let own = Unknowns.ComputedLookup(builtin: builtin, path: path, write: scene.number)
    var other = own
    other.builtin = builtin.counterpart
    let number = unknowns.number(of: own, beside: other)
    let result = opaque(
      number: number.own, at: id, reason: Self.computed, types: Builtins.entry(builtin).result)
    if number.isNew, let number = number.other {
      let types = Builtins.entry(other.builtin).result
      let counterpart = Cases(cases: [unknown(number, types: types)])
      let (test, read) = builtin.isRead ? (counterpart, result) : (result, counterpart)
      link(test, with: read)
    }
    return result
  }

  /// Requires that a document exists exactly if reading it gives a value other than null.
  private func link(_ test: Cases, with read: Cases) {
    let isThere = rails(of: test).yes
    let isRead = problem.graph.or(
      read.cases.map { each in
        guard let term = each.shape.asTerm else { return .no }
        return problem.graph.and(each.guardRef, !problem.isType(of: term, in: .null))
      })
    problem.require(isThere, implies: isRead)
    problem.require(isRead, implies: isThere)
  }

  private func lookup(
    _ builtin: Builtin, of segments: [TermID], at id: ExprID, in frame: SymbolicFrame
  ) -> Cases {
    let root = rules.database.root.map { problem.text($0) }
    let path = Array(segments.dropFirst(root.count))
    guard segments.count > root.count, path.count.isMultiple(of: 2) else { return .error }
    let empty = problem.text(Text())
    // An empty database name stands for `(default)`, too (Docs/Fidelity.md §11).
    let isOfNone =
      rules.database.isStandard ? problem.same(segments[DatabaseName.place], empty) : .no
    let isRooted = problem.graph.and(
      problem.same(segments[0], root[0]), problem.same(segments[2], root[2]),
      problem.graph.or(
        problem.same(segments[DatabaseName.place], root[DatabaseName.place]), isOfNone))
    let isWhole = problem.graph.and(path.map { !problem.same($0, empty) })
    let isAfter = builtin == .getAfter || builtin == .existsAfter
    // For the rules, a query that names its document has no state after it (Docs/Fidelity.md §17); claims are
    // about the document.
    if isAfter, scene.scenario.access == .namedQuery, !frame.seesDocument { return .error }
    if path != scene.segments {
      lookups.insert(Lookup(path: path, isRead: builtin.isRead, isComputed: false))
    }
    if isAfter, scene.scenario.method.isWrite, path != home.segments,
      !afterPaths.contains(path)
    {
      afterPaths.append(path)
      afterPlaces.append(rules.ruleset[id].range)
    }
    let document = document(at: path, in: isAfter ? .after : .before)
    let isStored = isStored(document)
    for segment in path { problem.require(isStored, implies: problem.isSegment(segment)) }
    let isLegal = problem.graph.and(isRooted, isWhole)
    if builtin == .exists || builtin == .existsAfter {
      return Cases(cases: [Cases.Case(guardRef: isLegal, shape: .truth(isStored))])
    }
    let record = Shape.record([
      Shape.Field(key: "data", value: Cases(data(of: document))),
      Shape.Field(key: "id", value: Cases(path[path.count - 1])),
      Shape.Field(key: "__name__", value: Cases(.path(root + path))),
    ])
    let isNull = problem.graph.and(
      isLegal, !isStored, isNullIfMissing(document, path: path, isAfter: isAfter, at: id))
    return Cases(cases: [
      Cases.Case(guardRef: problem.graph.and(isLegal, isStored), shape: record),
      Cases.Case(guardRef: isNull, shape: .term(problem.terms.null)),
    ])
  }

  /// Returns the document at a path in a state. A read has only the state before it.
  package func document(at path: [TermID], in snapshot: Snapshot) -> TermID {
    let state = scene.scenario.method.isWrite ? snapshot : .before
    let document = problem.terms.apply(.document(state), to: path, types: .map)
    linkOwn(state)
    return document
  }

  /// Returns the data of a document.
  package func data(of document: TermID) -> TermID {
    problem.terms.apply(.data, to: [document], types: .map)
  }

  /// Returns the proposition that a document is stored.
  package func isStored(_ document: TermID) -> Ref { problem.holds(.exists, of: [document]) }

  /// Returns the proposition that a lookup of a missing document gives null rather than an error: it is the
  /// request's own document, or the commit deletes it.
  private func isNullIfMissing(
    _ document: TermID, path: [TermID], isAfter: Bool, at id: ExprID
  ) -> Ref {
    let isOwn = isOwn(document, path: path, at: id)
    guard isAfter, scene.scenario.method.isWrite else { return isOwn }
    let before = problem.terms.apply(.document(.before), to: path, types: .map)
    linkOwn(.before)
    let wasStored = isStored(before)
    nullable.insert(document)
    return problem.graph.or(isOwn, wasStored, isWritten(document))
  }

  /// Returns the proposition that a document is the request's own.
  private func isOwn(_ document: TermID, path: [TermID], at id: ExprID) -> Ref {
    if path.count == scene.segments.count {
      return problem.graph.and(zip(path, scene.segments).map { problem.same($0.0, $0.1) })
    }
    guard scene.scenario.isOpen, path.count > scene.segments.count else { return .no }
    // The document may have one of the longer paths that the scenario represents.
    note(
      [problem.terms.apply(.definedBuiltin(.get), to: [document], types: .bool)], at: id,
      as: "a path of any length")
    return problem.holds(.definedBuiltin(.get), of: [document])
  }

  /// Returns the proposition that a commit deletes a document that was not stored, perhaps after writing it.
  package func isWritten(_ document: TermID) -> Ref {
    problem.holds(.definedBuiltin(.getAfter), of: [document])
  }

  /// Requires that the request's own document, if looked up by its path, is the document of the scenario.
  private func linkOwn(_ state: Snapshot) {
    let own = problem.terms.apply(.document(state), to: home.segments, types: .map)
    let isThere = isStored(own)
    let (expected, content) =
      state == .before ? (home.isStored, home.before) : (home.isWritten, home.after)
    problem.require(isThere, implies: expected)
    problem.require(expected, implies: isThere)
    problem.require(isThere, implies: problem.same(data(of: own), content))
  }
}
