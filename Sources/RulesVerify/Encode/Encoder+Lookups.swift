import RulesEval
import RulesLang

// Document lookups (`get`, `exists`, `getAfter`, `existsAfter`) and the other writes of a commit.

extension Encoder {
  /// Returns an uninterpreted lookup, for a path that is not written out segment by segment. `get`
  /// is a document exactly if `exists` is true; else null or an error, independently for each write
  /// of a commit.
  private func computedLookup(_ builtin: Builtin, of terms: [Term], when isPath: Prop) -> Cases {
    let isAfter = builtin == .getAfter || builtin == .existsAfter
    let isOwn = scene.number == home.number
    let terms = isOwn ? terms : terms + [question.constant(.int(Int64(scene.number)))]
    let read = computed(.builtin(isAfter ? .getAfter : .get), of: terms, when: isPath)
    let test = computed(.builtin(isAfter ? .existsAfter : .exists), of: terms, when: isPath)
    let isThere = question.any(
      test.cases.map { question.all([$0.when, question.same($0.term, question.yes)]) })
    let isRead = question.any(
      read.cases.map { question.all([$0.when, !question.isType(of: $0.term, in: .null)]) })
    question.require(isThere, implies: isRead)
    question.require(isRead, implies: isThere)
    return builtin == .get || builtin == .getAfter ? read : test
  }

  /// Returns the value of a lookup of the document at a path.
  func lookup(_ builtin: Builtin, of terms: [Term], in frame: Frame) -> Cases {
    let isPath = fits(builtin, given: terms)
    if isPath == .no { return .error }
    let isAfter = builtin == .getAfter || builtin == .existsAfter
    // Approximation: for a query that names its document, the state after is uninterpreted.
    guard let segments = plainSegments(terms[0]), !isAfter || kind.access != .namedQuery else {
      return computedLookup(builtin, of: terms, when: isPath)
    }
    let root = rules.database.root
    let path = Array(segments.dropFirst(root.count))
    guard segments.count > root.count, path.count.isMultiple(of: 2) else { return .error }
    let names = root.map { question.text($0) }
    let empty = question.text(Text())
    // An empty database name means `(default)`, too (Docs/Fidelity.md §11).
    let name = segments[DatabaseName.place]
    var isNamed = question.same(name, names[DatabaseName.place])
    if rules.database.isStandard { isNamed = question.any([isNamed, question.same(name, empty)]) }
    var legal = [
      question.same(segments[0], names[0]), question.same(segments[2], names[2]), isNamed,
    ]
    for segment in path { legal.append(!question.same(segment, empty)) }
    let isLegal = question.all(legal)
    if isAfter, home.method.isWrite, path != home.segments, !afterPaths.contains(path) {
      afterPaths.append(path)
    }
    let document = document(path, isAfter: isAfter)
    let isThere = isStored(document)
    for segment in path { question.require(isThere, implies: question.isSegment(segment)) }
    if builtin == .exists || builtin == .existsAfter {
      return under(isLegal, value: cases(of: total(isThere)))
    }
    let whole = question.apply(
      .record(["data", "id", "__name__"]),
      to: [
        question.apply(.data, to: [document]), path[path.count - 1],
        question.apply(.path, to: names + path),
      ])
    let isNull = question.all([
      isLegal, !isThere, isNullIfMissing(document, at: path, isAfter: isAfter),
    ])
    return Cases(whole, when: question.all([isLegal, isThere])) + Cases(question.null, when: isNull)
  }

  /// Returns the document at a path, before or after the commit. A read has one state only.
  private func document(_ path: [Term], isAfter: Bool) -> Term {
    question.apply(.document(isAfter: isAfter && home.method.isWrite), to: path)
  }

  private func isStored(_ document: Term) -> Prop { question.holds(.exists, of: [document]) }

  /// Returns "a lookup of this missing document is null rather than an error", as for the request's
  /// own document and for a document that the commit deletes.
  private func isNullIfMissing(_ document: Term, at path: [Term], isAfter: Bool) -> Prop {
    var isOwn = Prop.no
    if path.count == scene.segments.count {
      isOwn = question.all(zip(path, scene.segments).map { question.same($0.0, $0.1) })
    } else if kind.isOpen, path.count > scene.segments.count {
      // The path may be any of the longer paths that the kind stands for.
      isOwn = question.holds(.defined(.builtin(.get)), of: [document])
    }
    guard isAfter, home.method.isWrite else { return isOwn }
    let wasStored = isStored(self.document(path, isAfter: false))
    // A commit may also write and delete a document that was not stored before.
    return question.any([
      isOwn, wasStored, question.holds(.defined(.builtin(.getAfter)), of: [document]),
    ])
  }

  /// Adds the axiom that a lookup of the request's own path finds its document.
  func assumeOwnDocument() {
    for isAfter in home.method.isWrite ? [false, true] : [false] {
      let own = document(home.segments, isAfter: isAfter)
      let (isThere, data) =
        isAfter ? (home.isWritten, home.after) : (home.isStored, home.before)
      question.require(question.iff(isStored(own), isThere))
      question.require(
        isThere, implies: question.same(question.apply(.data, to: [own]), data))
    }
  }

  // MARK: Commits

  /// Maximum other writes of a commit that are encoded. Any further write is unconstrained.
  private static let greatestWrites = 4

  /// Returns "the rules grant the other writes of the commit whose documents conditions look up". A
  /// commit succeeds only if all of its writes are granted.
  ///
  /// - Requires: Those conditions are encoded.
  func otherWritesAreGranted() -> Prop {
    guard home.method.isWrite else { return .yes }
    var parts: [Prop] = []
    var place = 0
    while place < min(afterPaths.count, Self.greatestWrites) {
      parts.append(isGranted(afterPaths[place], number: place + 1))
      place += 1
    }
    return question.all(parts)
  }

  /// Returns "the document is unchanged, or the rules grant its change".
  private func isGranted(_ path: [Term], number: Int) -> Prop {
    let (before, after) = (document(path, isAfter: false), document(path, isAfter: true))
    let (was, isThere) = (isStored(before), isStored(after))
    let (old, new) = (question.apply(.data, to: [before]), question.apply(.data, to: [after]))
    let changes: [(Method, Prop)] = [
      (.create, question.all([!was, isThere])),
      (.update, question.all([was, isThere, !question.same(old, new)])),
      (.delete, question.all([was, !isThere])),
    ]
    var parts: [Prop] = []
    defer { scene = home }
    for (method, happens) in changes {
      scene = Scene(
        method, at: path, before: old, after: new, number: number * 4 + Int(method.rawValue))
      var grants: [Prop] = []
      for statement in statements() {
        grants.append(question.all([statement.applies, rails(of: statement).yes]))
      }
      parts.append(question.any(grants + [!happens]))
    }
    return question.all(parts)
  }
}
