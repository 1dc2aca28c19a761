// Of the models that a search has found many questions ask whether one satisfies something else, too. So
// what all of them say of a proposition is one word, a bit for each model, and a conjunction is a few
// operations on words.

/// What models say of the nodes of a graph, apart from the search that found them.
struct KnownModels {
  /// By node, in which models it holds, and in which it does not; where neither, it is open.
  private var holds: [UInt64] = []
  private var fails: [UInt64] = []
  /// How many models there are; the first has the lowest bit.
  private var count = 0

  /// Of more models there would be no bits.
  private static let greatestCount = 64
  /// So many of the oldest make room for newer ones.
  private static let leaving = 16
  /// More nodes are not worth it for one question.
  private static let greatestSteps = 2000

  /// Takes in a model of a graph of so many nodes: the nodes of `trail` have values there.
  mutating func add(_ trail: [Int32], nodes: Int, isHolding: (Int32) -> Bool) {
    if count == Self.greatestCount {
      for node in holds.indices {
        holds[node] >>= UInt64(Self.leaving)
        fails[node] >>= UInt64(Self.leaving)
      }
      count -= Self.leaving
    }
    if holds.count < nodes {
      let missing = nodes - holds.count
      holds.append(contentsOf: repeatElement(0, count: missing))
      fails.append(contentsOf: repeatElement(0, count: missing))
    }
    let bit: UInt64 = 1 << UInt64(count)
    // What holds always was never decided.
    holds[Int(Ref.yes.node)] |= bit
    for node in trail where Int(node) < nodes {
      if isHolding(node) { holds[Int(node)] |= bit } else { fails[Int(node)] |= bit }
    }
    count += 1
  }

  /// Whether propositions of the graph hold in one of the models, whatever it leaves open. `budget` counts
  /// what is looked at.
  func satisfy(_ roots: [Ref], in graph: Graph, within budget: Budget?) -> Bool {
    if count == 0 { return false }
    var left: UInt64 = count == Self.greatestCount ? .max : (1 << UInt64(count)) - 1
    // What has a value excludes most models, and costs nothing.
    for root in roots where Int(root.node) < holds.count {
      left &= ~(root.isNegated ? holds : fails)[Int(root.node)]
    }
    var lookUp = LookUp()
    defer { budget?.charge(lookUp.steps) }
    for root in roots {
      if left == 0 { return false }
      let values = values(of: root.node, among: left, in: graph, &lookUp)
      left &= root.isNegated ? values.fails : values.holds
    }
    return left != 0
  }

  /// In which models something holds, and in which it does not.
  private typealias Values = (holds: UInt64, fails: UInt64)

  /// What was found out for one question.
  private struct LookUp {
    var derived: [Int32: (values: Values, models: UInt64)] = [:]
    var steps = 0
  }

  /// What follows for a node, in some of the models, from those that have values; children have smaller
  /// numbers.
  private func values(
    of node: Int32, among models: UInt64, in graph: Graph, _ lookUp: inout LookUp
  ) -> Values {
    let own: Values = Int(node) < holds.count ? (holds[Int(node)], fails[Int(node)]) : (0, 0)
    var open = models & ~(own.holds | own.fails)
    if open == 0 { return own }
    if let known = lookUp.derived[node], open & ~known.models == 0 { return known.values }
    let parts = graph.children(of: Int(node))
    lookUp.steps += 4 + parts.count
    if parts.isEmpty || lookUp.steps > Self.greatestSteps { return own }
    let asked = open
    var result: Values = (open, 0)
    for part in parts {
      let values = values(of: part.node, among: open, in: graph, &lookUp)
      result.holds &= part.isNegated ? values.fails : values.holds
      result.fails |= open & (part.isNegated ? values.holds : values.fails)
      // One part that does not hold is enough.
      open &= ~result.fails
      if open == 0 { break }
    }
    result = (result.holds | own.holds, result.fails | own.fails)
    lookUp.derived[node] = (result, asked)
    return result
  }
}
