import RulesLang

// `a && b && c` is one chain of three operands, however the tree nests. A parenthesized operand
// that is itself a chain is a separate chain.

/// A chain of operands joined by one connective.
struct OperandChain {
  /// The outermost node.
  var id: ExprID
  /// True for `&&`, false for `||`.
  var isAnd: Bool
  /// The operands, in order; at least two.
  var operands: [ExprID]
  /// The connectives, one before each operand except the first.
  var marks: [SourceRange]

  /// The neutral element of the connective.
  var neutral: String { isAnd ? "true" : "false" }

  /// Removes operands and their connectives.
  func cut(_ removed: Set<Int>, from rules: Ruleset, into patch: inout Patch) {
    guard let first = operands.indices.first(where: { !removed.contains($0) }) else {
      return patch.replace(rules[id].range, with: neutral)
    }
    for index in operands.indices {
      if removed.contains(index) { patch.replace(rules[operands[index]].range, with: "") }
      if index > 0, removed.contains(index) || index == first {
        patch.replace(marks[index - 1], with: "")
      }
    }
  }
}

extension Ruleset {
  /// Returns the chains of an expression, outer ones first, later ones before earlier ones.
  func chains(in body: Body) -> [OperandChain] {
    var inner: Set<ExprID> = []
    var found: [OperandChain] = []
    for id in body.nodes.reversed() {
      guard !inner.contains(id), let isAnd = connective(id) else { continue }
      var chain = OperandChain(id: id, isAnd: isAnd, operands: [], marks: [])
      var next = id
      while let same = connective(next), same == isAnd,
        case .binary(_, let left, let right) = self[next].kind
      {
        inner.insert(next)
        chain.operands.insert(right, at: 0)
        chain.marks.insert(self[next].mark, at: 0)
        next = left
      }
      chain.operands.insert(next, at: 0)
      found.append(chain)
    }
    return found
  }

  private func connective(_ id: ExprID) -> Bool? {
    switch self[id].kind {
    case .binary(.and, _, _): true
    case .binary(.or, _, _): false
    default: nil
    }
  }
}
