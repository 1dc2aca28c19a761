import RulesEval
import RulesLang

// Members, indices, slices, path literals.

extension Compiler {
  func member(_ base: Cases, _ name: Text, _ id: ExprID) -> Cases {
    each(base) { shape in
      switch shape {
      case .record(let fields), .view(let fields):
        fields.first { $0.key == name }?.value ?? .error
      case .term(let term): field(term, problem.text(name))
      case .truth, .list, .set, .path, .keyList, .keySet, .count, .diff: .error
      }
    }
  }

  /// The value of a key of a term, where the term is a map that has it. References have no names to
  /// read, so only maps have members.
  func field(_ term: TermID, _ key: TermID) -> Cases {
    let isThere = problem.graph.and(
      problem.isType(term, .map), problem.isType(key, .string), problem.has(term, key))
    if isThere == .no { return .error }
    let value = problem.field(term, key, memberTypes(of: term))
    linkPromise(value)
    return Cases(cases: [Cases.Case(guardRef: isThere, shape: .term(value))])
  }

  func index(_ base: Cases, _ key: Cases, _ id: ExprID) -> Cases {
    if let constants = constantValues([base, key]) {
      guard let value = try? PureFunctions.index(constants[0], constants[1]) else { return .error }
      return Cases(problem.constant(value))
    }
    return combine(base, key) { shape, key in
      guard case .term(let position) = key else { return opaque(id, "a computed index") }
      switch shape {
      case .record(let fields), .view(let fields):
        guard case .string(let name) = problem.terms.value(of: position) else {
          return opaque(id, "a computed key")
        }
        return fields.first { $0.key == name }?.value ?? .error
      case .list(let elements):
        guard case .int(let place) = problem.terms.value(of: position) else {
          return opaque(id, "a computed index")
        }
        return elements.indices.contains(Int(clamping: place)) ? elements[Int(place)] : .error
      case .path(let segments):
        guard case .int(let place) = problem.terms.value(of: position) else {
          return opaque(id, "a computed index")
        }
        return segments.indices.contains(Int(clamping: place))
          ? Cases(segments[Int(place)]) : .error
      case .term(let term): return element(term, position, id)
      case .keyList: return opaque(id, "one of the keys of a map")
      case .truth, .set, .keySet, .count, .diff: return .error
      }
    }
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
    let others = problem.isType(term, [.string, .path])
    return others == .no ? result : result.union(under(others, opaque(id, "an index of text")))
  }

  /// An element at a place is one of the elements, unless it differs from itself.
  private func isMember(_ value: TermID, of list: TermID) -> Ref {
    problem.graph.or(
      problem.holds(.member, [list, value]), !problem.identical(value, value))
  }

  func slice(
    _ base: ExprID, _ from: ExprID?, _ to: ExprID?, _ id: ExprID, _ frame: SymbolicFrame
  ) -> Cases {
    let whole = cases(base, frame)
    let bounds = [from, to].map { bound in
      bound.map { cases($0, frame) } ?? Cases(problem.terms.null)
    }
    guard let constants = constantValues([whole] + bounds) else { return opaque(id, "a slice") }
    guard let value = try? PureFunctions.slice(constants[0], constants[1], constants[2]) else {
      return .error
    }
    return Cases(problem.constant(value))
  }

  // MARK: Paths

  func path(_ parts: [PathPart], _ id: ExprID, _ frame: SymbolicFrame) -> Cases {
    var result = Cases(.path([]))
    for part in parts {
      let next: Cases
      switch part.kind {
      case .literal(let text): next = Cases(.path([problem.text(text)]))
      case .interpolation(let inner): next = segments(cases(inner, frame), id)
      case .capture, .glob: return opaque(id, "a path with a capture")
      }
      result = combine(result, next) { one, other in
        guard case .path(let head) = one, case .path(let tail) = other else {
          return opaque(id, "a computed path")
        }
        return Cases(.path(head + tail))
      }
    }
    return result
  }

  /// What a value gives inside a path: a path its segments, a text itself, and numbers, bools and
  /// null their text.
  private func segments(_ value: Cases, _ id: ExprID) -> Cases {
    each(value) { shape in
      switch shape {
      case .path: return Cases(shape)
      case .term(let term): return segment(term, id)
      case .truth(let proposition):
        return choose(
          total(proposition), Cases(.path([problem.text("true")])),
          Cases(.path([problem.text("false")])))
      case .count: return opaque(id, "a number of keys in a path")
      case .list, .set, .record, .view, .keyList, .keySet, .diff: return .error
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
