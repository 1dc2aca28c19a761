// Of the models that a search has found many questions ask whether one satisfies something else, too. So
// what all of them say of a proposition is one word, a bit for each model, and a conjunction is a few
// operations on words.

/// What models say of the nodes of a graph, apart from the searches that found them.
struct KnownModels {
  /// The models, those of the last shelf the newest.
  private var shelves: [ModelShelf] = []

  /// So many words at most say what models make of nodes.
  private static let greatestWords = 3_000_000

  /// Takes in a model of a graph of so many nodes: the nodes of `trail` have values there. The oldest models
  /// make room for it.
  mutating func add(_ trail: [Int32], nodes: Int, isHolding: (Int32) -> Bool) {
    if shelves.last?.isFull ?? true {
      let greatest = max(1, Self.greatestWords / (ModelShelf.wordsByNode * max(nodes, 1)))
      if shelves.count >= greatest { shelves.removeFirst(shelves.count - greatest + 1) }
      shelves.append(ModelShelf())
    }
    shelves[shelves.count - 1].add(trail, nodes: nodes, isHolding: isHolding)
  }

  /// Whether propositions of the graph hold in one of the models, whatever it leaves open. `budget` counts
  /// what is looked at.
  mutating func satisfy(_ roots: [Ref], in graph: Graph, within budget: Budget?) -> Bool {
    for place in shelves.indices.reversed()
    where shelves[place].satisfies(roots, in: graph, within: budget) {
      return true
    }
    return false
  }
}

/// What as many models say of the nodes of a graph as a word has bits.
struct ModelShelf {
  /// By node, in which models it holds, and in which it does not; where neither, it is open.
  private var holds: [UInt64] = []
  private var fails: [UInt64] = []
  /// By node, in which models it stays open whatever follows from the others.
  private var isOpen: [UInt64] = []
  /// How many models there are; the first has the lowest bit.
  private var count = 0

  /// Of more models there would be no bits.
  private static let greatestCount = 64
  /// So many words there are for each node.
  static let wordsByNode = 3
  /// More nodes are not worth it for one question.
  private static let greatestSteps = 2000

  /// Whether there is no room for another one.
  var isFull: Bool { count == Self.greatestCount }

  /// Takes in a model, if there is room; see `KnownModels.add`.
  mutating func add(_ trail: [Int32], nodes: Int, isHolding: (Int32) -> Bool) {
    know(nodes)
    let bit: UInt64 = 1 << UInt64(count)
    // What holds always was never decided.
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

  /// See `KnownModels.satisfy`.
  mutating func satisfies(_ roots: [Ref], in graph: Graph, within budget: Budget?) -> Bool {
    if count == 0 { return false }
    know(graph.count)
    var left: UInt64 = count == Self.greatestCount ? .max : (1 << UInt64(count)) - 1
    // What has a value excludes most models, and costs nothing.
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

  /// Finds out what follows for a node, in some of the models, from those that have values; children have
  /// smaller numbers.
  private mutating func settle(
    _ node: Int, among models: UInt64, in graph: Graph, _ steps: inout Int
  ) {
    let asked = models & ~(holds[node] | fails[node] | isOpen[node])
    if asked == 0 { return }
    let parts = graph.children(of: node)
    steps += 4 + parts.count
    if steps > Self.greatestSteps { return }
    var (yes, no, left) = (parts.isEmpty ? 0 : asked, UInt64(0), asked)
    for part in parts {
      let child = Int(part.node)
      settle(child, among: left, in: graph, &steps)
      yes &= (part.isNegated ? fails : holds)[child]
      no |= left & (part.isNegated ? holds : fails)[child]
      // One part that does not hold is enough.
      left &= ~no
      if left == 0 { break }
    }
    holds[node] |= yes
    fails[node] |= no
    // What was not looked at to the end may have a value another time.
    if steps <= Self.greatestSteps { isOpen[node] |= asked & ~(yes | no) }
  }
}
