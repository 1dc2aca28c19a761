extension Search {
  /// Marks the cone of `roots`, whose conjunctions are justified before all others.
  mutating func ask(_ roots: [Ref]) {
    for word in asked.indices { asked[word] = 0 }
    // A marked node has a marked cone, so the roots themselves are marked last.
    defer { for root in roots { asked[Int(root.node) >> 6] |= 1 << UInt64(root.node & 63) } }
    for root in roots {
      for place in partRange(of: root.node) { walk(from: parts[place].node) }
    }
    steps += decisionQueue.count
    let asked = asked
    decisionQueue.ask { asked[Int($0) >> 6] >> UInt64($0 & 63) & 1 == 1 }
  }

  /// Marks the cone of a node, skipping marked nodes.
  private mutating func walk(from root: Int32) {
    var open = [root]
    while let node = open.popLast() {
      let bit: UInt64 = 1 << UInt64(node & 63)
      steps += 1
      if asked[Int(node) >> 6] & bit != 0 { continue }
      asked[Int(node) >> 6] |= bit
      for place in partRange(of: node) { open.append(parts[place].node) }
    }
  }

  /// True if a node is in the cone of the present query.
  func isAsked(_ node: Int32) -> Bool {
    asked[Int(node) >> 6] >> UInt64(node & 63) & 1 == 1
  }

  /// Returns the present value of a proposition; nil if unassigned.
  package func value(of ref: Ref) -> Bool? {
    let value = values[Int(ref.node)]
    return value == 0 ? nil : (value > 0) != ref.isNegated
  }

  /// Adds the present assignment, a model, to a cache.
  func tell(_ models: inout ModelCache) {
    models.add(trail, nodes: graph.count) { values[Int($0)] > 0 }
  }

  /// The literals of the assigned atoms.
  package var literals: [Ref] {
    trail.filter { Int($0) < graph.count && graph.atoms[Int($0)] != nil }.map {
      values[Int($0)] > 0 ? Ref(node: $0) : !Ref(node: $0)
    }
  }
}
