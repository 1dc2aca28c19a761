extension Graph {
  /// For each node the gates of which it is a part, in order, each shifted left once; the lowest bit says
  /// that it is negated there.
  func gatesByPart() -> (starts: [Int32], gates: [Int32]) {
    var ends: [Int32] = Array(repeating: 0, count: count + 1)
    for part in parts { ends[Int(part.node)] += 1 }
    var sum: Int32 = 0
    for node in ends.indices {
      sum += ends[node]
      ends[node] = sum
    }
    var gates: [Int32] = Array(repeating: 0, count: parts.count)
    for gate in stride(from: count - 1, through: 0, by: -1) {
      for part in children(of: gate) {
        ends[Int(part.node)] -= 1
        gates[Int(ends[Int(part.node)])] = Int32(gate) << 1 | (part.isNegated ? 1 : 0)
      }
    }
    return (ends, gates)
  }

  /// Propositions, and what they are conjunctions of.
  func conjuncts(of roots: [Ref]) -> Set<Ref> {
    var found: Set<Ref> = []
    var open = roots
    while let ref = open.popLast() {
      if !found.insert(ref).inserted || ref.isNegated { continue }
      open += children(of: Int(ref.node))
    }
    return found
  }

  /// Every term that an atom speaks about, with the terms inside.
  func terms(in table: TermTable) -> [TermID] {
    var isUsed = Array(repeating: false, count: table.count)
    for term in [table.yes, table.no, table.null] { isUsed[term.index] = true }
    var open: [TermID] = []
    func use(_ term: TermID) {
      if isUsed[term.index] { return }
      isUsed[term.index] = true
      if case .apply = table[term] { open.append(term) }
    }
    for case let atom? in atoms {
      use(atom.term)
      if let other = atom.otherTerm { use(other) }
    }
    while let term = open.popLast() {
      for argument in table.arguments(of: term) { use(argument) }
    }
    var used: [TermID] = []
    for index in isUsed.indices where isUsed[index] { used.append(TermID(index)) }
    return used
  }
}
