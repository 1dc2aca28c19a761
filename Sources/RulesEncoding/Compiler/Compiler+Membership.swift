import RulesEval
package import RulesLang
import RulesSolver

// The operators `in` and `is` (Docs/Language.md §8).

extension Compiler {
  /// Returns the rails of `element in container`.
  package func membership(of element: Cases, in container: Cases, at id: ExprID) -> Rails {
    guardedRails(by: OperandTypes.rows(.in), left: element, right: container) {
      membership(of: $0, in: $1, at: id)
    }
  }

  /// The equality that finds an element.
  private enum Likeness {
    /// The equality of lists: equal type, and `==`.
    case member
    /// The equality of sets.
    case set
  }

  private func membership(of element: Shape, in container: Shape, at id: ExprID) -> Rails {
    switch container {
    case .list(let elements): return isElement(element, of: elements, by: .member, at: id)
    case .set(let elements): return isElement(element, of: elements, by: .set, at: id)
    case .keySet(let keys):
      guard canHoldConstraint(element) else { return isKey(element, among: keys, at: id) }
      var rails = lookingForConstraint(at: id)
      // All keys are strings.
      if types(of: element).isDisjoint(with: .string) { rails.yes = .no }
      return rails
    case .keyList(let keys): return isKey(element, among: keys, at: id)
    case .record(let fields):
      guard let term = element.asTerm else {
        return opaqueRails(at: id, reason: "looking for a computed key")
      }
      return total(
        problem.graph.or(fields.map { problem.same(term, problem.text($0.key)) }))
    case .term(let term): return isElement(element, of: term, at: id)
    case .view, .truth, .path, .count, .diff:
      return opaqueRails(at: id, reason: "looking for something in a computed value")
    }
  }

  /// Returns unknown rails: a set that is not empty fails on a value that is, or contains, a constraint of a
  /// query's filters.
  private func lookingForConstraint(at id: ExprID) -> Rails {
    opaqueRails(at: id, reason: "looking for a value that a filter leaves open")
  }

  private func isKey(_ element: Shape, among keys: KeySet, at id: ExprID) -> Rails {
    if types(of: element).isDisjoint(with: .string) { return total(.no) }
    guard case .term(let term) = element,
      let member = contains(keys, key: term) ?? contains(keys, computed: term)
    else {
      return opaqueRails(at: id, reason: "looking for a computed key")
    }
    return total(member)
  }

  private func isElement(
    _ element: Shape, of elements: [Cases], by likeness: Likeness, at id: ExprID
  ) -> Rails {
    if likeness == .set, canHoldConstraint(element) { return lookingForConstraint(at: id) }
    var parts: [Ref] = []
    for each in elements {
      guard let same = areAlike(element, and: each, by: likeness) else {
        return opaqueRails(at: id, reason: "looking for a computed value")
      }
      parts.append(same)
    }
    return total(problem.graph.or(parts))
  }

  /// Returns the proposition that an element of a list or set equals a value; nil if it is not expressible.
  private func areAlike(_ element: Shape, and other: Cases, by likeness: Likeness) -> Ref? {
    var parts: [Ref] = []
    for each in other.cases {
      guard let same = areAlike(element, and: each.shape, by: likeness) else { return nil }
      parts.append(problem.graph.and(each.guardRef, same))
    }
    return problem.graph.or(parts)
  }

  private func areAlike(_ element: Shape, and other: Shape, by likeness: Likeness) -> Ref? {
    switch (element, other) {
    case (.term(let one), .term(let two)):
      if let one = problem.terms.value(of: one), let two = problem.terms.value(of: two) {
        let same =
          likeness == .member
          ? Value.areMembers(one, two) : (try? Value.areSetEqual(one, two)) == true
        return same ? .yes : .no
      }
      guard oddlyEqual(one, two).isEmpty else { return nil }
      return likeness == .member ? problem.areMembers(one, two) : problem.setEqual(one, two)
    case (.list, _), (_, .list), (.record, _), (_, .record):
      // Elements of nested lists are compared as by `==`.
      return likeness == .member ? identical(element, other) : nil
    // Bools and plain paths are equal exactly if they are identical.
    case (.truth, _), (_, .truth), (.path, .path): return identical(element, other)
    case (.path(let segments), .term(let term)), (.term(let term), .path(let segments)):
      let path = self.term(ofPath: segments)
      return oddlyEqual(path, term).isEmpty ? problem.same(path, term) : nil
    default: return types(of: element).isDisjoint(with: types(of: other)) ? .no : nil
    }
  }

  private func isElement(_ element: Shape, of container: TermID, at id: ExprID) -> Rails {
    if let value = problem.terms.value(of: container) {
      return isElement(element, of: value, at: id)
    }
    guard case .term(let term) = element, problem.terms.isPlain(term) else {
      return opaqueRails(at: id, reason: "looking for a computed value")
    }
    let isList = problem.isType(of: container, in: .list)
    // A value does not contain what contains it, and no list contains a constraint.
    let isMember =
      problem.terms.isPart(container, of: term)
      ? Ref.no
      : problem.graph.and(
        !problem.isType(of: term, in: .constraint), problem.holds(.member, of: [container, term]))
    let isMap = problem.graph.and(
      problem.isType(of: container, in: .map), problem.isType(of: term, in: .string))
    let hasKey = problem.has(container, key: term)
    var yes = [problem.graph.and(isList, isMember), problem.graph.and(isMap, hasKey)]
    let bound = problem.isType(of: container, in: .constraint)
    if bound != .no {
      yes.append(problem.graph.and(bound, promise(.in, left: container, right: term, at: id)))
    }
    var result = Rails(
      yes: problem.graph.or(yes),
      no: problem.graph.or(
        problem.graph.and(isList, !isMember), problem.graph.and(isMap, !hasKey)))
    let isSet = problem.isType(of: container, in: .set)
    if isSet != .no {
      let unknown = opaqueRails(at: id, reason: "a computed set")
      result.yes = problem.graph.or(result.yes, problem.graph.and(isSet, unknown.yes))
      result.no = problem.graph.or(result.no, problem.graph.and(isSet, unknown.no))
    }
    return result
  }

  private func isElement(_ element: Shape, of container: Value, at id: ExprID) -> Rails {
    switch container {
    case .list(let elements):
      return isElement(
        element, of: elements.map { Cases(problem.constant($0)) }, by: .member, at: id)
    case .set(let set):
      return isElement(
        element, of: set.elements.map { Cases(problem.constant($0)) }, by: .set, at: id)
    case .map(let map):
      guard let term = element.asTerm else {
        return opaqueRails(at: id, reason: "looking for a computed key")
      }
      let isText = problem.isType(of: term, in: .string)
      let found = problem.graph.or(map.keys.map { problem.same(term, problem.text($0)) })
      return Rails(
        yes: problem.graph.and(isText, found), no: problem.graph.and(isText, !found))
    default: return opaqueRails(at: id, reason: "looking for something in a computed value")
    }
  }

  /// Returns `value is word`.
  package func isType(of value: Cases, word: TypeWord) -> Cases {
    each(of: value) { Cases(.truth(isType(of: $0, in: word.accepts))) }
  }
}
