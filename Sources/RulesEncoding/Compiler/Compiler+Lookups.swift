import RulesEval
package import RulesLang
package import RulesSolver

// Other documents: `get`, `exists`, `getAfter`, `existsAfter`. The limit on their number only makes
// a condition fail more often; who needs that a condition holds has to ask `costs`.

/// A lookup as it is paid for: once for each document, reads and tests of existence apart.
package struct Lookup: Hashable {
  /// The segments of the document's path, or the whole path if it is computed.
  package var path: [TermID]
  /// Whether the document is read.
  package var isRead: Bool
  /// Whether the path is the value of one term.
  var isComputed: Bool
}

/// What a lookup of a path that is the value of one term finds, of which nothing else is known.
package struct UnknownDocument {
  /// The path.
  package var path: TermID
  /// What is there: what `get` returns, or whether there is anything.
  package var result: TermID
  /// Whether there is a result and no error.
  package var isDefined: RequestFlag
  /// Whether the document is read.
  package var isRead: Bool
  /// Whether it is looked up before the request or after it.
  package var snapshot: Snapshot
}

extension Builtin {
  fileprivate var isRead: Bool { self == .get || self == .getAfter }

  /// The test of existence that goes with reading, and the other way round.
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
  /// Why a lookup is not followed.
  private static var computed: String { "a lookup of a computed path" }

  /// A lookup of a path.
  package func lookup(
    _ builtin: Builtin, of path: Shape, at id: ExprID, in frame: SymbolicFrame
  ) -> Cases {
    if case .path(let segments) = path { return lookup(builtin, of: segments, at: id, in: frame) }
    if let term = path.asTerm {
      lookups.insert(Lookup(path: [term], isRead: builtin.isRead, isComputed: true))
      return lookup(builtin, ofComputed: term, at: id)
    }
    // What is null to the write that is about a document is an error to the others of its commit.
    let number =
      scene.number == home.number
      ? unknownNumber(at: id, reason: Self.computed)
      : unknowns.number(of: nil, at: id, reason: Self.computed)
    return opaque(
      number: number, at: id, reason: Self.computed, types: Builtins.entry(builtin).result)
  }

  /// What lookups of paths that are the values of terms find: a request that is made of a model needs these
  /// documents, too.
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

  /// A lookup of a path of which only is known that equal ones are one. What a test of existence finds
  /// there can be read, and nothing else but null. To which write of a commit a document is its own, which
  /// is null instead of an error, is another matter for each of them.
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

  /// Links a test of existence with a read: a document exists exactly if reading it gives a value but null.
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
    // An empty name is `(default)`, too (Docs/Fidelity.md §11).
    let isOfNone =
      rules.database.isStandard ? problem.same(segments[DatabaseName.place], empty) : .no
    let isRooted = problem.graph.and(
      problem.same(segments[0], root[0]), problem.same(segments[2], root[2]),
      problem.graph.or(
        problem.same(segments[DatabaseName.place], root[DatabaseName.place]), isOfNone))
    let isWhole = problem.graph.and(path.map { !problem.same($0, empty) })
    let isAfter = builtin == .getAfter || builtin == .existsAfter
    // To the rules a query that names its document knows no state after it (Docs/Fidelity.md §17);
    // claims are about the document.
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

  /// The document at a path, before or after. A read sees one state only.
  package func document(at path: [TermID], in snapshot: Snapshot) -> TermID {
    let state = scene.scenario.method.isWrite ? snapshot : .before
    let document = problem.terms.apply(.document(state), to: path, types: .map)
    linkOwn(state)
    return document
  }

  /// What is stored in a document.
  package func data(of document: TermID) -> TermID {
    problem.terms.apply(.data, to: [document], types: .map)
  }

  /// Whether there is a document.
  package func isStored(_ document: TermID) -> Ref { problem.holds(.exists, of: [document]) }

  /// When a lookup of a document that is not there gives null instead of an error: it is the
  /// request's own, or the commit deletes it.
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

  /// A document is the one that the request is about.
  private func isOwn(_ document: TermID, path: [TermID], at id: ExprID) -> Ref {
    if path.count == scene.segments.count {
      return problem.graph.and(zip(path, scene.segments).map { problem.same($0.0, $0.1) })
    }
    guard scene.scenario.isOpen, path.count > scene.segments.count else { return .no }
    // It can be one of the longer paths that the scenario stands for.
    note(
      [problem.terms.apply(.definedBuiltin(.get), to: [document], types: .bool)], at: id,
      as: "a path of any length")
    return problem.holds(.definedBuiltin(.get), of: [document])
  }

  /// A commit deletes a document that was not stored before, perhaps after writing it.
  package func isWritten(_ document: TermID) -> Ref {
    problem.holds(.definedBuiltin(.getAfter), of: [document])
  }

  /// The request's own document is found by its path like any other.
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
