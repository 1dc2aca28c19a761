import RulesEval

/// Shrinks JSON values.
enum JSONShrinker {
  /// Returns smaller variants of a value: with one member or element removed or shrunk, the largest cuts
  /// first.
  static func candidates(_ json: JSONText) -> [JSONText] {
    switch json {
    case .object(let members):
      return members.indices.map { .object(Self.elements(members, without: $0)) }
        + members.indices.flatMap { index in
          candidates(members[index].1).map { smaller in
            var copy = members
            copy[index].1 = smaller
            return .object(copy)
          }
        }
    case .array(let elements):
      return elements.indices.map { .array(Self.elements(elements, without: $0)) }
        + elements.indices.flatMap { index in
          candidates(elements[index]).map { smaller in
            var copy = elements
            copy[index] = smaller
            return .array(copy)
          }
        }
    case .null, .bool, .int, .number, .string, .written: return []
    }
  }

  private static func elements<Element>(_ elements: [Element], without index: Int) -> [Element] {
    var copy = elements
    copy.remove(at: index)
    return copy
  }
}
