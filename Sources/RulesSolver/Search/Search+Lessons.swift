// Reuse of a search: forgetting its learned clauses, and adding new nodes.

extension Search {
  /// Undoes the last query and forgets all learned clauses, but not that the axioms are contradictory. Adds
  /// the propositions that the graph has by now.
  ///
  /// - Requires: The added propositions contain no atoms.
  mutating func forget(in graph: Graph, within budget: SearchBudget) {
    // Work that the old budget interrupted is redone.
    use(budget)
    back(to: 0)
    take(back: base)
    let count = self.graph.count
    if !watchers.isEmpty {
      for part in parts[self.graph.parts.count...] { watchers[Int(part.raw)] = [] }
    }
    parts.removeLast(parts.count - self.graph.parts.count)
    starts.removeLast(starts.count - count - 1)
    values.removeLast(values.count - count)
    reasons.removeLast(reasons.count - count)
    levels.removeLast(levels.count - count)
    if graph.count > count { grow(to: graph) }
  }

  /// Adds new nodes of the graph.
  ///
  /// - Requires: Nothing is decided or learned.
  private mutating func grow(to new: Graph) {
    let old = graph.count
    let more = new.count - old
    starts.append(contentsOf: new.starts[graph.starts.count...])
    parts.append(contentsOf: new.parts[graph.parts.count...])
    graph.follow(new)
    values.append(contentsOf: repeatElement(0, count: more))
    reasons.append(contentsOf: repeatElement(.none, count: more))
    levels.append(contentsOf: repeatElement(0, count: more))
    blamed.append(contentsOf: repeatElement(0, count: more))
    isAxiom.append(contentsOf: repeatElement(false, count: more))
    justifiers.append(contentsOf: new.starts[old..<new.count])
    doubtful.append(contentsOf: new.starts[old..<new.count].map { ($0, $0) })
    new.addGates(after: old, to: &gateStarts, &gates)
    watchers = []
    assumptions = []
    asked = Array(repeating: 0, count: (new.count + 63) / 64)
    // Moving the table of gates costs a nanosecond for each part.
    steps += 4 * more + (new.count + new.parts.count) / 4
    for node in old..<new.count where !isContradictory {
      // Consequences of the axioms are assigned at level 0.
      let known = new.children(of: node).map { value(of: $0) }
      if known.contains(false) {
        isContradictory = assign(!Ref(node: Int32(node)), because: []) != nil
      } else if !known.contains(nil) {
        isContradictory = assign(Ref(node: Int32(node)), because: []) != nil
      }
    }
    base = present
  }
}
