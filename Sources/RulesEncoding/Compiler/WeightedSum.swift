import RulesSolver

// A sum of weights of propositions is compared with a bound by a decision diagram: place by place, how much
// is still needed of the rest. Bounds between which nothing changes are one node, as Abío, Nieuwenhuis,
// Oliveras, Rodríguez-Carbonell and Mayer-Eichberger build it ("A New Look at BDDs for Pseudo-Boolean
// Constraints", 2012). A graph of unary sums has ten times as many nodes, or tells sums less well apart.

/// Weights, of which those count whose propositions hold.
struct WeightedSum {
  /// What may count, the greatest weights first.
  private var parts: [(proposition: Ref, weight: Int)] = []
  /// What counts in any case.
  private var certain = 0

  /// More parts than these are not told apart: the smallest count in any case.
  private static let greatestParts = 400
  /// About so many nodes are made. Where it would be more, weights are rounded up.
  private static let greatestSize = 2_500

  /// Takes the weights. Each proposition stands there once.
  init(_ parts: [(proposition: Ref, weight: Int)]) {
    for part in parts where part.weight > 0 && part.proposition != .no {
      if part.proposition == .yes { certain += part.weight } else { self.parts.append(part) }
    }
    self.parts = self.parts.enumerated().sorted {
      ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
    }.map { $0.element }
    certain += self.parts.dropFirst(Self.greatestParts).reduce(0) { $0 + $1.weight }
    self.parts = Array(self.parts.prefix(Self.greatestParts))
  }

  /// When the weights come to a bound. Where rounding makes a difference it is said of too many cases, and
  /// of none too few.
  func isAtLeast(_ bound: Int, in graph: inout Graph) -> Ref {
    let need = bound - certain
    let scale = (size(for: need) + Self.greatestSize - 1) / Self.greatestSize
    if scale <= 1 { return Diagram(parts).isAtLeast(need, in: &graph) }
    let rounded = parts.map { part in
      (proposition: part.proposition, weight: (part.weight + scale - 1) / scale)
    }
    return Diagram(rounded).isAtLeast((need + scale - 1) / scale, in: &graph)
  }

  /// How many nodes there can be: at each place as many as there are sums that are neither enough nor too
  /// little.
  private func size(for need: Int) -> Int {
    var (size, before) = (0, 0)
    var rest = parts.reduce(0) { $0 + $1.weight }
    for part in parts {
      size += max(0, min(need, rest) - max(0, need - before))
      before += part.weight
      rest -= part.weight
    }
    return size
  }
}

/// The nodes of one comparison.
///
/// A graph melts conjunctions into conjunctions, which would make each node as long as there are places. So
/// a node is made as a disjunction where it is a part of a conjunction, and the other way round.
private struct Diagram {
  private let parts: [(proposition: Ref, weight: Int)]
  /// From each place on, the sum of all weights.
  private let rest: [Int]
  /// By place, those that are disjunctions and those that are conjunctions.
  private var disjunctions: [[Node]]
  private var conjunctions: [[Node]]

  /// When the rest comes to any of some bounds, which is the same for all of them.
  private struct Node {
    var bounds: ClosedRange<Int>
    var isReached: Ref
  }

  /// Bounds beyond which nothing is looked at.
  private static let farthest = 1 << 40

  init(_ parts: [(proposition: Ref, weight: Int)]) {
    self.parts = parts
    var rest = [0]
    for part in parts.reversed() { rest.append((rest.last ?? 0) + part.weight) }
    self.rest = rest.reversed()
    disjunctions = Array(repeating: [], count: parts.count)
    conjunctions = disjunctions
  }

  func isAtLeast(_ bound: Int, in graph: inout Graph) -> Ref {
    var diagram = self
    return diagram.node(at: 0, bound, isConjunction: false, in: &graph).isReached
  }

  private mutating func node(
    at place: Int, _ bound: Int, isConjunction: Bool, in graph: inout Graph
  ) -> Node {
    if bound <= 0 { return Node(bounds: -Self.farthest...0, isReached: .yes) }
    if bound > rest[place] {
      return Node(bounds: rest[place] + 1...Self.farthest, isReached: .no)
    }
    let known = (isConjunction ? conjunctions : disjunctions)[place]
    if let known = known.first(where: { $0.bounds.contains(bound) }) { return known }
    let (proposition, weight) = parts[place]
    // Who comes to more without a part comes to it with the part.
    let without = node(at: place + 1, bound, isConjunction: true, in: &graph)
    let with = node(at: place + 1, bound - weight, isConjunction: false, in: &graph)
    let lower = max(without.bounds.lowerBound, with.bounds.lowerBound + weight)
    let upper = min(without.bounds.upperBound, with.bounds.upperBound + weight)
    let made = Node(
      bounds: lower...upper,
      isReached: isConjunction
        ? graph.and(with.isReached, graph.or(proposition, without.isReached))
        : graph.or(without.isReached, graph.and(proposition, with.isReached)))
    if isConjunction {
      conjunctions[place].append(made)
    } else {
      disjunctions[place].append(made)
    }
    return made
  }
}
