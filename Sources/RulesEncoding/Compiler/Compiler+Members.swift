import RulesEval
package import RulesLang
package import RulesSolver

// Members, indices, slices, path literals.

extension Compiler {
  package func member(_ base: Cases, _ name: Text, _ id: ExprID) -> Cases {
    guarded(by: OperandTypes.member, operands: [base], at: id) { member($0[0], name, id) }
  }

  /// A member of a map or path.
  private func member(_ base: Shape, _ name: Text, _ id: ExprID) -> Cases {
    let known = evaluated([base], at: id) { values throws(EvaluationError.Reason) in
      try PureFunctions.member(of: values[0], named: name)
    }
    if let known { return known }
    switch base {
    case .record(let fields), .view(let fields):
      guard let value = fields.first(where: { $0.key == name })?.value else { return .error }
      noteUnknown(value, name, id)
      return value
    case .term(let term):
      let found = field(term, problem.text(name))
      // References have no names to read; other paths may.
      let isOpen = problem.terms.isPlain(term) ? .no : problem.isType(term, .path)
      return isOpen == .no
        ? found : found.union(under(isOpen, opaque(id, "a name inside a path", [.string, .path])))
    // A path of plain segments has no names.
    case .path: return .error
    case .truth, .list, .set, .keyList, .keySet, .count, .diff:
      return opaque(id, "a member of a computed value")
    }
  }

  /// Notes that a member of a request is none that the prover can choose.
  private func noteUnknown(_ value: Cases, _ name: Text, _ id: ExprID) {
    guard let term = value.onlyTerm, case .variable(.unknown(let number)) = problem.terms[term]
    else { return }
    let place = OpaquePlace(
      range: rules.ruleset[id].range, reason: "`\(String(name))` of a request is not followed")
    note(number, place)
  }

  /// The value of a key of a term, where the term is a map that has it.
  package func field(_ term: TermID, _ key: TermID) -> Cases {
    let isThere = problem.graph.and(
      problem.isType(term, .map), problem.isType(key, .string), problem.has(term, key))
    if isThere == .no { return .error }
    let value = problem.field(term, key, memberTypes(of: term))
    linkPromise(value)
    return Cases(cases: [Cases.Case(guardRef: isThere, shape: .term(value))])
  }

  package func index(_ base: Cases, _ key: Cases, _ id: ExprID) -> Cases {
    guarded(by: OperandTypes.index, operands: [base, key], at: id) { index($0[0], $0[1], id) }
  }

  private func index(_ base: Shape, _ key: Shape, _ id: ExprID) -> Cases {
    let known = evaluated([base, key], at: id) { values throws(EvaluationError.Reason) in
      try PureFunctions.index(values[0], by: values[1])
    }
    if let known { return known }
    switch (base, value(of: key)) {
    case (.record, .string(let name)), (.view, .string(let name)), (.path, .string(let name)):
      return member(base, name, id)
    case (.list(let elements), .int(let place)):
      return elements.indices.contains(Int(clamping: place)) ? elements[Int(place)] : .error
    case (.path(let segments), .int(let place)):
      return segments.indices.contains(Int(clamping: place))
        ? Cases(segments[Int(place)]) : .error
    default: break
    }
    guard let term = base.asTerm, let position = key.asTerm else {
      return opaque(id, "a computed index", results(of: OperandTypes.index, [base, key]))
    }
    return element(term, position, id)
  }

  /// `term[position]`: a key of a map, an element of a list, or something that is not followed.
  private func element(_ term: TermID, _ position: TermID, _ id: ExprID) -> Cases {
    var result = field(term, position)
    let indexed = problem.graph.and(
      problem.isType(term, .list), problem.isType(position, .int))
    if indexed != .no {
      if case .int(let place) = problem.terms.value(of: position) {
        let size = problem.terms.apply(.size, [term], .int)
        let isInside =
          place < 0
          ? Ref.no : problem.graph.and(indexed, !problem.atMost(size, .int, Int128(place)))
        let value = problem.terms.apply(.element, [term, position], memberTypes(of: term))
        result = result.union(
          Cases(cases: [Cases.Case(guardRef: isInside, shape: .term(value))]))
        problem.require(isInside, implies: isMember(value, of: term))
      } else {
        result = result.union(under(indexed, opaque(id, "a computed index")))
      }
    }
    let counted = problem.graph.and(
      problem.isType(term, [.string, .path]), problem.isType(position, .int))
    if counted != .no {
      result = result.union(under(counted, opaque(id, "an index of text", .string)))
    }
    let isNamed =
      problem.terms.isPlain(term)
      ? Ref.no
      : problem.graph.and(problem.isType(term, .path), problem.isType(position, .string))
    return isNamed == .no
      ? result
      : result.union(under(isNamed, opaque(id, "a name inside a path", [.string, .path])))
  }

  /// An element at a place is one of the elements, unless it differs from itself.
  private func isMember(_ value: TermID, of list: TermID) -> Ref {
    problem.graph.or(
      problem.holds(.member, [list, value]), !problem.identical(value, value))
  }

  package func slice(
    _ base: ExprID, _ from: ExprID?, _ to: ExprID?, _ id: ExprID, _ frame: SymbolicFrame
  ) -> Cases {
    let whole = cases(base, frame)
    let bounds = [from, to].map { bound in
      bound.map { cases($0, frame) } ?? Cases(problem.terms.null)
    }
    return guarded(by: OperandTypes.slice, operands: [whole] + bounds, at: id) { shapes in
      evaluated(shapes, at: id) { values throws(EvaluationError.Reason) in
        try PureFunctions.slice(values[0], from: values[1], to: values[2])
      } ?? opaque(id, "a slice", results(of: OperandTypes.slice, shapes))
    }
  }

  // MARK: Paths

  package func path(_ parts: [PathPart], _ id: ExprID, _ frame: SymbolicFrame) -> Cases {
    var result = Cases(.path([]))
    for part in parts {
      let next: Cases
      switch part.kind {
      case .literal(let text): next = Cases(.path([problem.text(text)]))
      case .interpolation(let inner): next = segments(cases(inner, frame), id)
      case .capture, .glob: return opaque(id, "a path with a capture", .path)
      }
      result = joined(result, next, id)
    }
    return result
  }

  private func joined(_ head: Cases, _ tail: Cases, _ id: ExprID) -> Cases {
    guarded(by: [OperandTypes.Row([.any, .any], giving: .path)], operands: [head, tail], at: id) {
      shapes in
      guard case .path(let one) = shapes[0], case .path(let other) = shapes[1] else {
        return opaque(id, "a computed path")
      }
      return Cases(.path(one + other))
    }
  }

  /// What a value gives inside a path: a path its segments, a text itself, and numbers, bools and
  /// null their text.
  private func segments(_ value: Cases, _ id: ExprID) -> Cases {
    guarded(by: OperandTypes.segment, operands: [value], at: id) { shapes in
      switch shapes[0] {
      case .path: return Cases(shapes[0])
      case .term(let term): return segment(term, id)
      case .truth(let proposition):
        return choose(
          total(proposition), Cases(.path([problem.text("true")])),
          Cases(.path([problem.text("false")])))
      case .count, .list, .set, .record, .view, .keyList, .keySet, .diff:
        return opaque(id, "a computed value in a path")
      }
    }
  }

  private func segment(_ term: TermID, _ id: ExprID) -> Cases {
    if let value = problem.terms.value(of: term) {
      if case .path = value { return opaque(id, "a reference inside a path") }
      guard let text = try? PureFunctions.segment(value) else { return .error }
      return Cases(.path([problem.text(text)]))
    }
    let isText = problem.isType(term, .string)
    var result = Cases(cases: [Cases.Case(guardRef: isText, shape: .path([term]))])
    let isPrinted = problem.isType(term, [.int, .float, .bool, .null])
    if isPrinted != .no {
      let text = problem.terms.apply(.builtin(.string), [term], .string)
      result = result.union(
        Cases(cases: [Cases.Case(guardRef: isPrinted, shape: .path([text]))]))
    }
    let isPath = problem.isType(term, .path)
    if isPath != .no {
      result = result.union(under(isPath, opaque(id, "a reference inside a path")))
    }
    return result
  }
}
