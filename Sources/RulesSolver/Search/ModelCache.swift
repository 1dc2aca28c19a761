// A bit-parallel cache of models: many queries are satisfied by a model that an earlier search
// found. A word holds the value of a proposition in 64 models.

/// A cache of the models of a graph.
struct ModelCache {
  /// The models in groups of 64, newest last.
  private var shelves: [ModelTable] = []

  /// Adds a model of a graph with `nodes` nodes, in which the nodes of `trail` have values. Evicts
  /// the oldest models if the cache is full.
  mutating func add(_ trail: [Int32], nodes: Int, isHolding: (Int32) -> Bool) {
    if shelves.last?.isFull ?? true {
      let greatest = max(1, SearchStrategy.keptNodes / max(nodes, 1))
      if shelves.count >= greatest { shelves.removeFirst(shelves.count - greatest + 1) }
      shelves.append(ModelTable())
    }
    shelves[shelves.count - 1].add(trail, nodes: nodes, isHolding: isHolding)
  }

  /// True if a cached model satisfies all `roots`.
  func satisfy(_ roots: [Ref]) -> Bool {
    shelves.reversed().contains { $0.satisfies(roots) }
  }
}

/// The values of the nodes of a graph in up to 64 models.
struct ModelTable {
  /// For each node, the models in which it is true, and those in which it is false; in others it is
  /// open.
  private var holds: [UInt64] = []
  private var fails: [UInt64] = []
  /// The number of models; the first one is the lowest bit.
  private var count = 0

  /// Maximum models: the bits of a word.
  private static let greatestCount = 64

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
  }

  /// True if a model gives all `roots` the value true.
  func satisfies(_ roots: [Ref]) -> Bool {
    var left: UInt64 = count == Self.greatestCount ? .max : (1 << UInt64(count)) - 1
    for root in roots {
      let node = Int(root.node)
      left &= node < holds.count ? (root.isNegated ? fails : holds)[node] : 0
    }
    return left != 0
  }
}
