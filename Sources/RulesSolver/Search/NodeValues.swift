/// What a model says of each node of a graph, apart from the search that found it.
package struct NodeValues {
  /// By node: 1 holds, -1 does not, 0 is open.
  private let values: [Int8]

  /// Keeps the values of nodes.
  init(values: [Int8]) { self.values = values }

  /// Whether propositions of the graph hold in the model, whatever it leaves open. `budget` counts what is
  /// looked at.
  package func satisfies(_ roots: [Ref], in graph: Graph, within budget: Budget?) -> Bool {
    var known: [Int32: Int8] = [:]
    var steps = 0
    let holds = roots.allSatisfy { root in
      let value = evaluate(root.node, in: graph, &known, &steps)
      return root.isNegated ? value < 0 : value > 0
    }
    budget?.charge(steps)
    return holds
  }

  /// More nodes are not worth it.
  private static let greatestSteps = 400

  /// What follows for a node from those that have a value; children have smaller numbers.
  private func evaluate(
    _ node: Int32, in graph: Graph, _ known: inout [Int32: Int8], _ steps: inout Int
  ) -> Int8 {
    if Int(node) < values.count, values[Int(node)] != 0 { return values[Int(node)] }
    if let value = known[node] { return value }
    let parts = graph.children(of: Int(node))
    steps += 4 + parts.count
    if parts.isEmpty || steps > Self.greatestSteps { return 0 }
    var result: Int8 = 1
    for part in parts {
      let value = evaluate(part.node, in: graph, &known, &steps)
      let holds = part.isNegated ? -value : value
      if holds < 0 {
        result = -1
        break
      }
      if holds == 0 { result = 0 }
    }
    known[node] = result
    return result
  }
}
