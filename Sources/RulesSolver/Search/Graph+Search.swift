extension Graph {
  /// Returns the occurrence lists: for each node, the conjunctions that contain it, in order,
  /// shifted left once; the lowest bit is set if the node occurs negated.
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
      for place in Int(starts[gate])..<Int(starts[gate + 1]) {
        let part = parts[place]
        ends[Int(part.node)] -= 1
        gates[Int(ends[Int(part.node)])] = Int32(gate) << 1 | (part.isNegated ? 1 : 0)
      }
    }
    return (ends, gates)
  }

  /// Extends the occurrence lists of `gatesByPart` by the gates from `known` on. Old entries of a
  /// node stay in front of new ones, so they are only moved.
  func addGates(after known: Int, to starts: inout [Int32], _ gates: inout [Int32]) {
    var added: [(node: Int32, gate: Int32)] = []
    for gate in known..<count {
      for part in children(of: gate) {
        added.append((part.node, Int32(gate) << 1 | (part.isNegated ? 1 : 0)))
      }
    }
    added.sort { ($0.node, $0.gate) < ($1.node, $1.gate) }
    starts.append(contentsOf: repeatElement(Int32(gates.count), count: count - known))
    guard let first = added.first else { return }
    var merged: [Int32] = []
    merged.reserveCapacity(gates.count + added.count)
    var moved = 0
    for (node, gate) in added {
      let behind = Int(starts[Int(node) + 1])
      if moved < behind {
        merged.append(contentsOf: gates[moved..<behind])
        moved = behind
      }
      merged.append(gate)
    }
    merged.append(contentsOf: gates[moved...])
    gates = merged
    var next = 0
    for node in (Int(first.node) + 1)..<starts.count {
      while next < added.count, Int(added[next].node) < node { next += 1 }
      starts[node] += Int32(next)
    }
  }

  /// Returns `roots` and, transitively, the parts of the conjunctions among them.
  func conjuncts(of roots: [Ref]) -> Set<Ref> {
    var found: Set<Ref> = []
    var open = roots
    while let ref = open.popLast() {
      if !found.insert(ref).inserted || ref.isNegated { continue }
      for place in Int(starts[Int(ref.node)])..<Int(starts[Int(ref.node) + 1]) {
        open.append(parts[place])
      }
    }
    return found
  }

  /// Returns the terms of all atoms, with their subterms.
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
