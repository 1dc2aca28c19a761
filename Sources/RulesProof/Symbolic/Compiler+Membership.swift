import RulesEval
import RulesLang

// `in` and `is` (Docs/Language.md §8).

extension Compiler {
  func membership(_ element: Cases, _ container: Cases, _ id: ExprID) -> Rails {
    var yes: [Ref] = []
    var no: [Ref] = []
    for one in element.cases {
      for other in container.cases {
        let both = problem.graph.and(one.guardRef, other.guardRef)
        if both == .no { continue }
        let rails = membership(one.shape, other.shape, id)
        yes.append(problem.graph.and(both, rails.yes))
        no.append(problem.graph.and(both, rails.no))
      }
    }
    return Rails(yes: problem.graph.or(yes), no: problem.graph.or(no))
  }

  private func membership(_ element: Shape, _ container: Shape, _ id: ExprID) -> Rails {
    switch container {
    case .list(let elements): return isAmong(element, elements, id)
    case .set(let elements): return isAmong(element, elements, id)
    case .keySet(let keys), .keyList(let keys):
      guard case .term(let term) = element, let member = contains(keys, term) else {
        return opaqueRails(id, "looking for a computed key")
      }
      return total(member)
    case .record(let fields):
      guard case .term(let term) = element, case .string(let name) = problem.terms.value(of: term)
      else { return opaqueRails(id, "looking for a computed key") }
      return total(fields.contains { $0.key == name } ? .yes : .no)
    case .view: return opaqueRails(id, "looking for a key of a request")
    case .term(let term): return isInside(element, term, id)
    case .truth, .path, .count, .diff: return .error
    }
  }

  private func isAmong(_ element: Shape, _ elements: [Cases], _ id: ExprID) -> Rails {
    var parts: [Ref] = []
    for each in elements {
      guard let same = areMembers(element, each) else {
        return opaqueRails(id, "looking for a computed value")
      }
      parts.append(same)
    }
    return total(problem.graph.or(parts))
  }

  /// Whether an element of a list is a value, by the equality of `in`.
  private func areMembers(_ element: Shape, _ other: Cases) -> Ref? {
    var parts: [Ref] = []
    for each in other.cases {
      switch (element, each.shape) {
      case (.term(let one), .term(let two)):
        parts.append(problem.graph.and(each.guardRef, problem.areMembers(one, two)))
      case (.truth(let one), .term(let two)), (.term(let two), .truth(let one)):
        let same = problem.graph.or(
          problem.graph.and(one, problem.same(two, problem.terms.yes)),
          problem.graph.and(!one, problem.same(two, problem.terms.no)))
        parts.append(problem.graph.and(each.guardRef, same))
      case (.list, _), (_, .list), (.record, _), (_, .record):
        // Their members are compared as by `==`.
        guard let same = identical(element, each.shape) else { return nil }
        parts.append(problem.graph.and(each.guardRef, same))
      default:
        guard let one = type(of: element), let two = type(of: each.shape), one != two else {
          return nil
        }
      }
    }
    return problem.graph.or(parts)
  }

  private func isInside(_ element: Shape, _ container: TermID, _ id: ExprID) -> Rails {
    if let value = problem.terms.value(of: container) { return isInside(element, value, id) }
    guard case .term(let term) = element else {
      return opaqueRails(id, "looking for a computed value")
    }
    let isList = problem.isType(container, .list)
    let isMember = problem.holds(.member, [container, term])
    let isMap = problem.graph.and(problem.isType(container, .map), problem.isType(term, .string))
    let hasKey = problem.has(container, term)
    var yes = [problem.graph.and(isList, isMember), problem.graph.and(isMap, hasKey)]
    let bound = problem.isType(container, .constraint)
    if bound != .no { yes.append(problem.graph.and(bound, promise(.in, container, term))) }
    var result = Rails(
      yes: problem.graph.or(yes),
      no: problem.graph.or(
        problem.graph.and(isList, !isMember), problem.graph.and(isMap, !hasKey)))
    let isSet = problem.isType(container, .set)
    if isSet != .no {
      let unknown = opaqueRails(id, "a computed set")
      result.yes = problem.graph.or(result.yes, problem.graph.and(isSet, unknown.yes))
      result.no = problem.graph.or(result.no, problem.graph.and(isSet, unknown.no))
    }
    return result
  }

  private func isInside(_ element: Shape, _ container: Value, _ id: ExprID) -> Rails {
    switch container {
    case .list(let elements):
      return isAmong(element, elements.map { Cases(problem.constant($0)) }, id)
    case .set(let set):
      return isAmong(element, set.elements.map { Cases(problem.constant($0)) }, id)
    case .map(let map):
      guard case .term(let term) = element else { return .error }
      let isText = problem.isType(term, .string)
      let found = problem.graph.or(map.keys.map { problem.same(term, problem.text($0)) })
      return Rails(
        yes: problem.graph.and(isText, found), no: problem.graph.and(isText, !found))
    default: return .error
    }
  }

  func isType(_ value: Cases, _ word: TypeWord) -> Cases {
    each(value) { shape in
      if case .term(let term) = shape {
        return Cases(.truth(problem.isType(term, word.accepts)))
      }
      guard let type = type(of: shape) else { return .error }
      return Cases(.truth(word.accepts.contains(type) ? .yes : .no))
    }
  }
}
