// A bit-parallel cache of models: many queries are satisfied by a model that an earlier search
// found. A word holds the value of a proposition in 64 models, so a conjunction is evaluated by a
// few word operations.

/// A cache of the models of a graph.
struct ModelCache {
  /// The models in groups of 64, newest last.
  private var shelves: [ModelTable] = []

  /// Adds a model of a graph with `nodes` nodes, in which the nodes of `trail` have values. Evicts
  /// the oldest models if the cache is full.
  mutating func add(_ trail: [Int32], nodes: Int, isHolding: (Int32) -> Bool) {
    if shelves.last?.isFull ?? true {
      let greatest = max(1, SearchStrategy.wordsOfModels / (ModelTable.wordsByNode * max(nodes, 1)))
      if shelves.count >= greatest { shelves.removeFirst(shelves.count - greatest + 1) }
      shelves.append(ModelTable())
    }
    shelves[shelves.count - 1].add(trail, nodes: nodes, isHolding: isHolding)
  }

  /// True if a cached model satisfies all `roots`. Charges `budget` for the nodes evaluated.
  mutating func satisfy(_ roots: [Ref], in graph: Graph, within budget: Budget?) -> Bool {
    for place in shelves.indices.reversed()
    where shelves[place].satisfies(roots, in: graph, within: budget) {
      return true
    }
    return false
  }
}

/// The values of the nodes of a graph in up to 64 models.
struct ModelTable {
  /// For each node, the models in which it is true, and those in which it is false; in others it is
  /// open.
  private var holds: [UInt64] = []
  private var fails: [UInt64] = []
  /// For each node, the models in which it stays open after evaluation.
  private var isOpen: [UInt64] = []
  /// The number of models; the first one is the lowest bit.
  private var count = 0

  /// Maximum models: the bits of a word.
  private static let greatestCount = 64
  /// The number of words for each node.
  static let wordsByNode = 3

  /// True if there is no room for another model.
  var isFull: Bool { count == Self.greatestCount }

  /// Adds a model. See `ModelCache.add`.
  mutating func add(_ trail: [Int32], nodes: Int, isHolding: (Int32) -> Bool) {
    know(nodes)
    let bit: UInt64 = 1 << UInt64(count)
    // The constant node is on no trail.
    holds[Int(Ref.yes.node)] |= bit
    for node in trail where Int(node) < nodes {
      if isHolding(node) { holds[Int(node)] |= bit } else { fails[Int(node)] |= bit }
    }
    count += 1
  }

  private mutating func know(_ nodes: Int) {
    let missing = nodes - holds.count
    if missing <= 0 { return }
    holds.append(contentsOf: repeatElement(0, count: missing))
    fails.append(contentsOf: repeatElement(0, count: missing))
    isOpen.append(contentsOf: repeatElement(0, count: missing))
  }

  /// True if a model satisfies all `roots`. See `ModelCache.satisfy`.
  mutating func satisfies(_ roots: [Ref], in graph: Graph, within budget: Budget?) -> Bool {
    if count == 0 { return false }
    know(graph.count)
    var left: UInt64 = count == Self.greatestCount ? .max : (1 << UInt64(count)) - 1
    // Known values exclude most models at no cost.
    for root in roots { left &= ~(root.isNegated ? holds : fails)[Int(root.node)] }
    var steps = 0
    defer { budget?.charge(steps) }
    for root in roots {
      if left == 0 { return false }
      settle(Int(root.node), among: left, in: graph, &steps)
      left &= (root.isNegated ? fails : holds)[Int(root.node)]
    }
    return left != 0
  }

  /// Evaluates a node in some of the models. Children have smaller indices.
  private mutating func settle(
    _ node: Int, among models: UInt64, in graph: Graph, _ steps: inout Int
  ) {
    let asked = models & ~(holds[node] | fails[node] | isOpen[node])
    if asked == 0 { return }
    let parts = graph.children(of: node)
    steps += 4 + parts.count
    if steps > SearchStrategy.stepsOfModels { return }
    var (yes, no, left) = (parts.isEmpty ? 0 : asked, UInt64(0), asked)
    for part in parts {
      let child = Int(part.node)
      settle(child, among: left, in: graph, &steps)
      yes &= (part.isNegated ? fails : holds)[child]
      no |= left & (part.isNegated ? holds : fails)[child]
      // A single false part makes the conjunction false.
      left &= ~no
      if left == 0 { break }
    }
    holds[node] |= yes
    fails[node] |= no
    // A node that was not fully evaluated may get a value later.
    if steps <= SearchStrategy.stepsOfModels { isOpen[node] |= asked & ~(yes | no) }
  }
}
