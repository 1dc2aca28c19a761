import RulesEval
import RulesLang
import RulesSolver

// Comparison of list and map literals, part by part. Two parts are identical if their type, value and sign of
// zero are (Docs/Language.md §8).

extension Compiler {
  /// Returns the proposition that two parts of collections are identical; nil if it is not expressible.
  func identical(_ left: Shape, _ right: Shape) -> Ref? {
    switch (left, right) {
    case (.term(let one), .term(let other)):
      return oddlyEqual(one, other).isEmpty ? problem.identical(one, other) : nil
    case (.path(let one), .path(let other)): return areSegmentsSame(one, other)
    case (.truth(let one), .truth(let other)): return problem.graph.iff(one, other)
    case (.truth(let truth), .term(let term)), (.term(let term), .truth(let truth)):
      return problem.graph.or(
        problem.graph.and(truth, problem.same(term, problem.terms.yes)),
        problem.graph.and(!truth, problem.same(term, problem.terms.no)))
    case (.list(let one), .list(let other)): return identical(one, other)
    case (.list(let elements), .term(let term)), (.term(let term), .list(let elements)):
      return isList(term, of: elements)
    case (.record(let one), .record(let other)):
      return one.map { $0.key } == other.map { $0.key }
        ? identical(one.map { $0.value }, other.map { $0.value }) : identical(one, other)
    case (.record(let fields), .term(let term)), (.term(let term), .record(let fields)):
      return isRecord(term, of: fields)
    default:
      return types(of: left).isDisjoint(with: types(of: right)) ? .no : nil
    }
  }

  private func identical(_ left: Cases, _ right: Cases) -> Ref? {
    var parts: [Ref] = []
    for one in left.cases {
      for other in right.cases {
        let both = problem.graph.and(one.guardRef, other.guardRef)
        if both == .no { continue }
        guard let same = identical(one.shape, other.shape) else { return nil }
        parts.append(problem.graph.and(both, same))
      }
    }
    return problem.graph.or(parts)
  }

  private func identical(_ one: [Cases], _ other: [Cases]) -> Ref? {
    guard one.count == other.count else { return .no }
    var parts: [Ref] = []
    for (left, right) in zip(one, other) {
      guard let same = identical(left, right) else { return nil }
      parts.append(same)
    }
    return problem.graph.and(parts)
  }

  /// Returns the identity of maps whose keys may be in different orders.
  private func identical(_ one: [Shape.Field], _ other: [Shape.Field]) -> Ref? {
    guard one.count == other.count else { return .no }
    var sorted: [Cases] = []
    for field in one {
      guard let match = other.first(where: { $0.key == field.key }) else { return .no }
      sorted.append(match.value)
    }
    return identical(one.map { $0.value }, sorted)
  }

  /// Returns the proposition that a term is the list of these elements; nil if it is not expressible.
  private func isList(_ term: TermID, of elements: [Cases]) -> Ref? {
    if isNever(term, of: .list) { return .no }
    if case .list(let values) = problem.terms.value(of: term) {
      return identical(elements, values.map { Cases(problem.constant($0)) })
    }
    let size = problem.terms.apply(.size, to: [term], types: .int)
    var parts = [
      problem.isType(of: term, in: .list),
      problem.same(size, problem.constant(.int(Int64(elements.count)))),
    ]
    for (place, element) in elements.enumerated() {
      let index = problem.constant(.int(Int64(place)))
      let actual = problem.terms.apply(.element, to: [term, index], types: memberTypes(of: term))
      guard let same = identical(element, Cases(actual)) else { return nil }
      parts.append(same)
    }
    return problem.graph.and(parts)
  }

  /// Returns the proposition that a term is the map with exactly these fields; nil unless the term is a
  /// constant, because only the named keys of other maps are known.
  private func isRecord(_ term: TermID, of fields: [Shape.Field]) -> Ref? {
    if isNever(term, of: .map) { return .no }
    guard case .map(let map) = problem.terms.value(of: term) else { return nil }
    return identical(
      fields,
      map.keys.map {
        Shape.Field(
          key: $0, value: Cases(map[$0].map { problem.constant($0) } ?? problem.terms.null))
      })
  }
}
