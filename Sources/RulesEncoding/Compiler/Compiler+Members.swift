import RulesEval
package import RulesLang
package import RulesSolver

// Members, indices, slices and path literals.

extension Compiler {
  /// Returns `base.name`.
  package func member(of base: Cases, named name: Text, at id: ExprID) -> Cases {
    guarded(by: OperandTypes.member, operands: [base], at: id) {
      member(of: $0[0], named: name, at: id)
    }
  }

  /// Returns a member of a map or path.
  private func member(of base: Shape, named name: Text, at id: ExprID) -> Cases {
    let known = evaluated([base], at: id) { values throws(EvaluationError.Reason) in
      try PureFunctions.member(of: values[0], named: name)
    }
    if let known { return known }
    switch base {
    case .record(let fields), .view(let fields):
      guard let value = fields.first(where: { $0.key == name })?.value else { return .error }
      noteUnknown(in: value, named: name, at: id)
      return value
    case .term(let term):
      let found = field(of: term, at: problem.text(name))
      // A reference has no captures to read; other paths may.
      let isOpen = problem.terms.isPlain(term) ? .no : problem.isType(of: term, in: .path)
      return isOpen == .no
        ? found
        : found.union(
          under(
            isOpen, value: opaque(at: id, reason: "a name inside a path", types: [.string, .path])))
    // A path of plain segments has no captures.
    case .path: return .error
    case .truth, .list, .set, .keyList, .keySet, .count, .diff:
      return opaque(at: id, reason: "a member of a computed value")
    }
  }

  /// Records a place that reads an uninterpreted member of the request.
  private func noteUnknown(in value: Cases, named name: Text, at id: ExprID) {
    for case .term(let term) in value.cases.map({ $0.shape }) {
      guard case .variable(.unknown(let number)) = problem.terms[term] else { continue }
      let place = OpaquePlace(
        range: rules.ruleset[id].range, reason: "`\(String(name))` of a request is not analysed")
      note(number, at: place)
    }
  }

  /// Returns the value of a key, defined where the term is a map with that key.
  package func field(of term: TermID, at key: TermID) -> Cases {
    let isThere = problem.graph.and(
      problem.isType(of: term, in: .map), problem.isType(of: key, in: .string),
      problem.has(term, key: key))
    if isThere == .no { return .error }
    let value = problem.field(of: term, at: key, types: memberTypes(of: term))
    linkPromise(value)
    return Cases(cases: [Cases.Case(guardRef: isThere, shape: .term(value))])
  }

  /// Returns `base[key]`.
  package func index(_ base: Cases, by key: Cases, at id: ExprID) -> Cases {
    guarded(by: OperandTypes.index, operands: [base, key], at: id) {
      index($0[0], by: $0[1], at: id)
    }
  }

  private func index(_ base: Shape, by key: Shape, at id: ExprID) -> Cases {
    let known = evaluated([base, key], at: id) { values throws(EvaluationError.Reason) in
      try PureFunctions.index(values[0], by: values[1])
    }
    if let known { return known }
    switch (base, value(of: key)) {
    case (.record, .string(let name)), (.view, .string(let name)), (.path, .string(let name)):
      return member(of: base, named: name, at: id)
    case (.list(let elements), .int(let place)):
      return elements.indices.contains(Int(clamping: place)) ? elements[Int(place)] : .error
    case (.path(let segments), .int(let place)):
      return segments.indices.contains(Int(clamping: place))
        ? Cases(segments[Int(place)]) : .error
    default: break
    }
    guard let term = base.asTerm, let position = key.asTerm else {
      return opaque(
        at: id, reason: "a computed index", types: results(of: OperandTypes.index, [base, key]))
    }
    return element(of: term, position: position, at: id)
  }

  /// Returns `term[position]`: the value of a map's key, an element of a list, or an unknown.
  private func element(of term: TermID, position: TermID, at id: ExprID) -> Cases {
    var result = field(of: term, at: position)
    let indexed = problem.graph.and(
      problem.isType(of: term, in: .list), problem.isType(of: position, in: .int))
    if indexed != .no {
      if case .int(let place) = problem.terms.value(of: position) {
        let size = problem.terms.apply(.size, to: [term], types: .int)
        let isInside =
          place < 0
          ? Ref.no
          : problem.graph.and(indexed, !problem.atMost(size, in: .int, bound: Int128(place)))
        let value = problem.terms.apply(
          .element, to: [term, position], types: memberTypes(of: term))
        result = result.union(
          Cases(cases: [Cases.Case(guardRef: isInside, shape: .term(value))]))
        problem.require(isInside, implies: isMember(value, of: term))
        requirePiece(value, of: term, at: place, when: isInside)
      } else {
        result = result.union(under(indexed, value: opaque(at: id, reason: "a computed index")))
      }
    }
    let counted = problem.graph.and(
      problem.isType(of: term, in: [.string, .path]), problem.isType(of: position, in: .int))
    if counted != .no {
      let part = opaque(at: id, reason: "an index of text", types: .string)
      requireUnit(part, of: term)
      result = result.union(under(counted, value: part))
    }
    let isNamed =
      problem.terms.isPlain(term)
      ? Ref.no
      : problem.graph.and(
        problem.isType(of: term, in: .path), problem.isType(of: position, in: .string))
    return isNamed == .no
      ? result
      : result.union(
        under(
          isNamed, value: opaque(at: id, reason: "a name inside a path", types: [.string, .path])))
  }

  /// Requires that an index of a string gives a string of size 1 (Docs/Language.md §7.10), so that it equals
  /// no longer one. A segment of a path may have any size.
  private func requireUnit(_ part: Cases, of whole: TermID) {
    for each in part.cases {
      guard case .term(let unit) = each.shape else { continue }
      let size = problem.terms.apply(.size, to: [unit], types: .int)
      problem.require(
        problem.graph.and(each.guardRef, problem.isType(of: whole, in: .string)),
        implies: problem.same(size, problem.constant(.int(1))))
    }
  }

  /// Returns the proposition that an element at an index is a member of the list; one that contains a NaN is
  /// not.
  private func isMember(_ value: TermID, of list: TermID) -> Ref {
    problem.graph.or(
      problem.holds(.member, of: [list, value]), !problem.identical(value, value))
  }

  /// Requires that a piece of `split` at one character does not contain that character, and that a text with
  /// a second piece does (Docs/Language.md §8).
  private func requirePiece(
    _ piece: TermID, of pieces: TermID, at place: Int64, when isInside: Ref
  ) {
    guard case .apply(.builtin(.stringSplit), let arguments) = problem.terms[pieces],
      case .string(let source) = problem.terms.value(of: arguments[1]),
      let separator = (try? Pattern.syntax(of: source))?.onlyCharacter
    else { return }
    let character = PatternSyntax.literal(separator)
    problem.require(isInside, implies: problem.isType(of: piece, in: .string))
    if let isWithout = problem.matches(piece, pattern: "[^" + character + "]*") {
      problem.require(isInside, implies: isWithout)
    }
    if place > 0,
      let isWith = problem.matches(
        arguments[0], pattern: "(?s).*" + character + ".*")
    {
      problem.require(isInside, implies: isWith)
    }
  }

  /// Returns `base[from:to]`; an omitted bound is nil.
  package func slice(
    of base: ExprID, from: ExprID?, to: ExprID?, at id: ExprID, in frame: SymbolicFrame
  ) -> Cases {
    let whole = cases(of: base, in: frame)
    let bounds = [from, to].map { bound in
      bound.map { cases(of: $0, in: frame) } ?? Cases(problem.terms.null)
    }
    return guarded(by: OperandTypes.slice, operands: [whole] + bounds, at: id) { shapes in
      evaluated(shapes, at: id) { values throws(EvaluationError.Reason) in
        try PureFunctions.slice(values[0], from: values[1], to: values[2])
      } ?? part(of: shapes, at: id)
        ?? opaque(at: id, reason: "a slice", types: results(of: OperandTypes.slice, shapes))
    }
  }

  /// Returns the slice of a list literal between constant bounds; nil for anything else.
  private func part(of shapes: [Shape], at id: ExprID) -> Cases? {
    guard case .list(let elements) = shapes[0], let from = value(of: shapes[1]),
      let to = value(of: shapes[2])
    else { return nil }
    let places = Value.list(elements.indices.map { .int(Int64($0)) })
    guard case .list(let kept)? = try? PureFunctions.slice(places, from: from, to: to) else {
      return .error
    }
    return list(
      kept.compactMap { place in
        if case .int(let index) = place { elements[Int(index)] } else { nil }
      }, at: id)
  }

  // MARK: Paths

  /// Returns a path literal with the segments of its interpolations.
  package func path(_ parts: [PathPart], at id: ExprID, in frame: SymbolicFrame) -> Cases {
    var result = Cases(.path([]))
    for part in parts {
      let next: Cases
      switch part.kind {
      case .literal(let text): next = Cases(.path([problem.text(text)]))
      case .interpolation(let inner): next = segments(of: cases(of: inner, in: frame), at: id)
      case .capture, .glob: return opaque(at: id, reason: "a path with a capture", types: .path)
      }
      result = joined(result, with: next, at: id)
    }
    return result
  }

  private func joined(_ head: Cases, with tail: Cases, at id: ExprID) -> Cases {
    guarded(by: [OperandTypes.Row([.any, .any], giving: .path)], operands: [head, tail], at: id) {
      shapes in
      guard case .path(let one) = shapes[0], case .path(let other) = shapes[1] else {
        return opaque(at: id, reason: "a computed path")
      }
      return Cases(.path(one + other))
    }
  }

  /// Returns the segments that a value adds to a path: those of a path, a string itself, and the text of a
  /// number, bool or null.
  private func segments(of value: Cases, at id: ExprID) -> Cases {
    guarded(by: OperandTypes.segment, operands: [value], at: id) { shapes in
      switch shapes[0] {
      case .path: return Cases(shapes[0])
      case .term(let term): return segment(of: term, at: id)
      case .truth(let proposition):
        return choose(
          total(proposition), then: Cases(.path([problem.text("true")])),
          else: Cases(.path([problem.text("false")])))
      case .count, .list, .set, .record, .view, .keyList, .keySet, .diff:
        return opaque(at: id, reason: "a computed value in a path")
      }
    }
  }

  private func segment(of term: TermID, at id: ExprID) -> Cases {
    if let value = problem.terms.value(of: term) {
      if case .path = value { return opaque(at: id, reason: "a reference inside a path") }
      guard let text = try? PureFunctions.segment(value) else { return .error }
      return Cases(.path([problem.text(text)]))
    }
    let isText = problem.isType(of: term, in: .string)
    var result = Cases(cases: [Cases.Case(guardRef: isText, shape: .path([term]))])
    let isPrinted = problem.isType(of: term, in: [.int, .float, .bool, .null])
    if isPrinted != .no {
      unlikely.append(isPrinted)
      let text = problem.terms.apply(.builtin(.string), to: [term], types: .string)
      // `string()` of a string is that string, so that both segments name one document.
      problem.require(isText, implies: problem.same(text, term))
      result = result.union(
        Cases(cases: [Cases.Case(guardRef: isPrinted, shape: .path([text]))]))
    }
    let isPath = problem.isType(of: term, in: .path)
    if isPath != .no {
      unlikely.append(isPath)
      result = result.union(
        under(isPath, value: opaque(at: id, reason: "a reference inside a path")))
    }
    return result
  }
}
