extension Search {
  /// Has what some propositions are made of justified before anything else.
  mutating func ask(_ roots: [Ref]) {
    for word in asked.indices { asked[word] = 0 }
    for root in roots {
      let cone = cone(of: root.node)
      for word in asked.indices { asked[word] |= cone[word] }
      steps += asked.count
    }
  }

  /// The nodes that a proposition is made of.
  private mutating func cone(of root: Int32) -> [UInt64] {
    if let known = cones[root] { return known }
    let made = graph.cone(of: root)
    steps += made.reduce(0) { $0 + $1.nonzeroBitCount }
    if cones.count == Self.greatestCones { cones = [:] }
    cones[root] = made
    return made
  }

  /// Of so many propositions it is known what they are made of.
  private static let greatestCones = 64

  /// Whether the present question is made of a node.
  func isAsked(_ node: Int32) -> Bool {
    asked[Int(node) >> 6] >> UInt64(node & 63) & 1 == 1
  }

  /// Whether a proposition holds in the present state; nil if that is open.
  package func value(of ref: Ref) -> Bool? {
    let value = values[Int(ref.node)]
    return value == 0 ? nil : (value > 0) != ref.isNegated
  }

  /// What the present state says of each proposition of the graph.
  package var snapshot: NodeValues { NodeValues(values: Array(values.prefix(graph.count))) }

  /// The atoms that have a value in the present state, each as it is.
  package var literals: [Ref] {
    trail.filter { Int($0) < graph.count && graph.atoms[Int($0)] != nil }.map {
      values[Int($0)] > 0 ? Ref(node: $0) : !Ref(node: $0)
    }
  }
}
