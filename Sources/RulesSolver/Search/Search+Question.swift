extension Search {
  /// Marks the cone of `roots`, whose conjunctions are justified before all others.
  mutating func ask(_ roots: [Ref]) {
    for word in asked.indices { asked[word] = 0 }
    // A marked node has a marked cone, so the roots themselves are marked last.
    defer { for root in roots { asked[Int(root.node) >> 6] |= 1 << UInt64(root.node & 63) } }
    for root in roots {
      let range = Int(starts[Int(root.node)])..<Int(starts[Int(root.node) + 1])
      // The parts of a query are usually shared with other queries, whose cones are cached.
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

  /// Marks the cone of a node, from the cache if it is used often.
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

  /// True if the cone of a node was used too rarely to be cached.
  private mutating func isNew(_ root: Int32) -> Bool {
    let times = times[root, default: 0]
    self.times[root] = times + 1
    return times < Self.fewTimes
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

  /// Uses of a cone before it is cached.
  private static let fewTimes = 2

  /// Maximum parts of a conjunction whose cones are cached one by one.
  private static let greatestParts = 64
  /// Maximum words of all cached cones.
  private static let greatestCones = 200_000

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
  func tell(_ models: inout KnownModels) {
    models.add(trail, nodes: graph.count) { values[Int($0)] > 0 }
  }

  /// The literals of the assigned atoms.
  package var literals: [Ref] {
    trail.filter { Int($0) < graph.count && graph.atoms[Int($0)] != nil }.map {
      values[Int($0)] > 0 ? Ref(node: $0) : !Ref(node: $0)
    }
  }
}
