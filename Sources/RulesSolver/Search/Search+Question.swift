extension Search {
  /// Has what some propositions are made of justified before anything else.
  mutating func ask(_ roots: [Ref]) {
    for word in asked.indices { asked[word] = 0 }
    // What is marked is all there with what it is made of, so the roots themselves come last.
    defer { for root in roots { asked[Int(root.node) >> 6] |= 1 << UInt64(root.node & 63) } }
    for root in roots {
      let range = Int(starts[Int(root.node)])..<Int(starts[Int(root.node) + 1])
      // Who asks is mostly a conjunction of what others are asked for, too.
      if range.count > Self.greatestParts {
        for place in range { walk(from: parts[place].node) }
      } else {
        for place in range { addCone(of: parts[place].node) }
      }
    }
    steps += frontier.count
    let asked = asked
    frontier.ask { asked[Int($0) >> 6] >> UInt64($0 & 63) & 1 == 1 }
  }

  /// Adds the nodes that a proposition is made of to those of the question.
  private mutating func addCone(of root: Int32) {
    if graph.children(of: Int(root)).isEmpty || cones[root] == nil && isNew(root) {
      return walk(from: root)
    }
    if cones[root] == nil {
      let made = graph.cone(of: root)
      steps += made.reduce(0) { $0 + $1.nonzeroBitCount }
      if cones.count * asked.count >= Self.greatestCones { cones = [:] }
      cones[root] = made
    }
    guard let cone = cones[root] else { return }
    for word in asked.indices { asked[word] |= cone[word] }
    steps += asked.count
  }

  /// Whether what a proposition is made of was asked for so seldom that it is better found out each time.
  private mutating func isNew(_ root: Int32) -> Bool {
    let times = times[root, default: 0]
    self.times[root] = times + 1
    return times < Self.fewTimes
  }

  /// Adds the nodes that a proposition is made of, those apart which have been added already.
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

  /// So often it is found out anew what a proposition is made of; then it is remembered.
  private static let fewTimes = 2

  /// What the parts of a greater conjunction are made of is found together.
  private static let greatestParts = 64
  /// So many words at most say which propositions others are made of.
  private static let greatestCones = 200_000

  /// Whether the present question is made of a node.
  func isAsked(_ node: Int32) -> Bool {
    asked[Int(node) >> 6] >> UInt64(node & 63) & 1 == 1
  }

  /// Whether a proposition holds in the present state; nil if that is open.
  package func value(of ref: Ref) -> Bool? {
    let value = values[Int(ref.node)]
    return value == 0 ? nil : (value > 0) != ref.isNegated
  }

  /// Has the present state, a model, remembered.
  func tell(_ models: inout KnownModels) {
    models.add(trail, nodes: graph.count) { values[Int($0)] > 0 }
  }

  /// The atoms that have a value in the present state, each as it is.
  package var literals: [Ref] {
    trail.filter { Int($0) < graph.count && graph.atoms[Int($0)] != nil }.map {
      values[Int($0)] > 0 ? Ref(node: $0) : !Ref(node: $0)
    }
  }

  #if !hasFeature(Embedded)
    /// The atoms that have no value in the present state.
    var openAtoms: [Ref] {
      graph.atoms.indices.filter { graph.atoms[$0] != nil && values[$0] == 0 }.map {
        Ref(node: Int32($0))
      }
    }
  #endif
}
