// Adding nodes, in their simplest form: no empty operand in a concatenation, no operator with one operand, no
// repetition of nothing. So every node but `empty` compiles to at least one instruction, and unrolling
// `((){1000}){1000}` cannot loop without making progress.

extension PatternSyntax {
  /// Adds a node.
  mutating func add(_ node: Node) -> NodeID {
    nodes.append(node)
    return NodeID(nodes.count - 1)
  }

  /// Adds a set, or finds the equal one; `known` is the caller's index of the sets so far.
  mutating func add(_ set: CodePointSet, known: inout [CodePointSet: SetID]) -> NodeID {
    if let id = known[set] { return add(.set(id)) }
    let id = SetID(sets.count)
    sets.append(set)
    known[set] = id
    return add(.set(id))
  }

  /// Adds operands one after the other.
  mutating func addConcatenation(_ operands: [NodeID]) -> NodeID {
    let operands = operands.filter { self[$0] != .empty }
    guard operands.count > 1 else { return operands.first ?? add(.empty) }
    return add(.concatenation(addChildren(operands)))
  }

  /// Adds alternatives, the first preferred; there is at least one.
  mutating func addAlternation(_ operands: [NodeID]) -> NodeID {
    guard operands.count > 1 else { return operands.first ?? add(.empty) }
    return add(.alternation(addChildren(operands)))
  }

  /// Adds a repetition.
  mutating func addRepetition(of operand: NodeID, as repetition: Repetition) -> NodeID {
    if self[operand] == .empty || repetition.maximum == 0 { return add(.empty) }
    return add(.repetition(operand, repetition))
  }

  private mutating func addChildren(_ operands: [NodeID]) -> Children {
    let start = childIDs.count
    childIDs.append(contentsOf: operands)
    return Children(start: UInt32(start), count: UInt32(operands.count))
  }
}
