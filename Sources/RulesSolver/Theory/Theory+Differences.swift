import RulesLang

// Bounds on differences: `x - y <= c` is an edge of a graph, and a cycle of negative length is a conflict.
// A node of its own stands for zero, so that bounds are edges too.
//
// What is asserted is followed at once from where it ends, through what was asserted before, as far as a
// few steps go; the whole graph is looked at once, at the end of a search. Why there is an edge is asked
// only of those of a cycle.

extension Theory {
  /// What an edge comes from.
  private enum Origin {
    /// A bound on a difference.
    case fact(DifferenceFact)
    /// A term that is another one and a number, from which or to which the edge goes.
    case sum(TermID)
    /// A bound.
    case limit(Limit)
  }

  /// `value(to) <= value(from) + length`.
  private struct Edge {
    var from: Int32
    var to: Int32
    var length: Int128
    var origin: Origin
  }

  private static let zero: Int32 = -1

  /// The nodes of a conflict between differences and bounds, or nil. O(terms × edges).
  func differenceCycle() -> [Source]? {
    if differenceFacts.isEmpty && sums.isEmpty { return nil }
    for domain in [Domain.int, .timestamp, .duration] {
      let edges = edges(in: domain)
      budget?.charge(4 + 16 * edges.count)
      // Bounds alone were checked while they were asserted.
      if edges.contains(where: { $0.from != Self.zero && $0.to != Self.zero }),
        let conflict = negativeCycle(edges, in: domain)
      {
        return conflict
      }
    }
    return nil
  }

  private func edges(in domain: Domain) -> [Edge] {
    var edges: [Edge] = []
    var nodes: Set<Int32> = []
    func add(from: TermID, to: TermID, length: Int128, origin: Origin) {
      guard counts(from, in: domain), counts(to, in: domain) else { return }
      let (start, end) = (leader[from.index], leader[to.index])
      nodes.formUnion([start, end])
      edges.append(Edge(from: start, to: end, length: length, origin: origin))
    }
    for fact in differenceFacts where fact.domain == domain {
      add(from: fact.right, to: fact.left, length: fact.bound, origin: .fact(fact))
    }
    for term in sums {
      guard let (base, step) = sum(term, in: domain) else { continue }
      add(from: base, to: term, length: step, origin: .sum(term))
      add(from: term, to: base, length: -step, origin: .sum(term))
    }
    for node in nodes.sorted() { addBounds(of: node, in: domain, to: &edges) }
    return edges
  }

  /// Whether a term is known to be of a domain's type; its bounds count only then.
  private func counts(_ term: TermID, in domain: Domain) -> Bool {
    classTypes[Int(leader[term.index])] == TypeSet(domain.type)
  }

  /// What a term is that is another one and a number.
  private func sum(_ term: TermID, in domain: Domain) -> (base: TermID, step: Int128)? {
    guard case .apply(.plus(let own, let step), let arguments) = terms[term], own == domain else {
      return nil
    }
    return (arguments[0], Int128(step))
  }

  private func addBounds(of node: Int32, in domain: Domain, to edges: inout [Edge]) {
    let limits = limits(of: node, domain)
    if let upper = limits.upper {
      edges.append(
        Edge(from: Self.zero, to: node, length: upper.value, origin: .limit(upper)))
    }
    if let lower = limits.lower {
      edges.append(
        Edge(from: node, to: Self.zero, length: -lower.value, origin: .limit(lower)))
    }
  }

  /// Adds the nodes because of which there is an edge.
  private func explain(_ edge: Edge, in domain: Domain, into sources: inout Set<Source>) {
    func add(_ term: TermID) {
      sources.formUnion(explain(term, equals: leader(of: term)))
      // The edge counts only because both are of the domain's type.
      sources.formUnion(typeConflict(leader(of: term), for: TypeSet(domain.type)))
    }
    switch edge.origin {
    case .fact(let fact):
      add(fact.left)
      add(fact.right)
      if let source = fact.source { sources.insert(source) }
    case .sum(let term):
      add(term)
      if let (base, _) = sum(term, in: domain) { add(base) }
    case .limit(let limit):
      sources.formUnion(self.sources(of: limit))
      add(limit.term)
    }
  }

  // MARK: Following what is asserted

  /// A node that was come to from where a new edge ends.
  private struct Visit {
    var node: Int32
    var distance: Int128
    /// The visit before it, and how it led here.
    var before: Int
    var edge: Edge?
  }

  /// So many nodes are come to for one edge.
  private static let greatestVisits = 200

  /// The nodes of a conflict in which a fact, the last one, closes a cycle that is shorter than nothing.
  /// None is found among bounds, nor behind very many nodes: these are left to the end of the search.
  func roundTrip(closedBy fact: DifferenceFact, steps: inout Int) -> [Source]? {
    let domain = fact.domain
    guard counts(fact.left, in: domain), counts(fact.right, in: domain) else { return nil }
    let (start, end) = (leader[fact.left.index], leader[fact.right.index])
    let closing = Edge(from: end, to: start, length: fact.bound, origin: .fact(fact))
    if start == end { return fact.bound < 0 ? conflict([closing], in: domain) : nil }
    var visits = [Visit(node: start, distance: fact.bound, before: -1, edge: nil)]
    var best: [Int32: Int] = [start: 0]
    var place = 0
    while place < visits.count, visits.count < Self.greatestVisits {
      let visit = visits[place]
      steps += 8
      if best[visit.node] == place {
        for edge in edges(from: visit.node, in: domain, steps: &steps) {
          let distance = visit.distance + edge.length
          if edge.to == end, distance < 0 {
            return conflict([closing, edge] + way(to: place, in: visits), in: domain)
          }
          if let known = best[edge.to], visits[known].distance <= distance { continue }
          best[edge.to] = visits.count
          visits.append(Visit(node: edge.to, distance: distance, before: place, edge: edge))
        }
      }
      place += 1
    }
    return nil
  }

  /// The edges on the way to a visit.
  private func way(to place: Int, in visits: [Visit]) -> [Edge] {
    var way: [Edge] = []
    var place = place
    while place >= 0, let edge = visits[place].edge {
      way.append(edge)
      place = visits[place].before
    }
    return way
  }

  /// The edges that begin at a class, but for those to zero.
  private func edges(from node: Int32, in domain: Domain, steps: inout Int) -> [Edge] {
    var edges: [Edge] = []
    func add(to term: TermID, length: Int128, origin: Origin) {
      steps += 4
      guard counts(term, in: domain) else { return }
      edges.append(Edge(from: node, to: leader[term.index], length: length, origin: origin))
    }
    for member in members(of: node) {
      steps += 1
      var place = lastDifference[member.index]
      while place >= 0 {
        let fact = differenceFacts[Int(place)]
        if fact.domain == domain { add(to: fact.left, length: fact.bound, origin: .fact(fact)) }
        place = fact.before
      }
      if let (base, step) = sum(member, in: domain) {
        add(to: base, length: -step, origin: .sum(member))
      }
    }
    for use in classUses[Int(node)] {
      steps += 1
      guard let (_, step) = sum(use, in: domain) else { continue }
      add(to: use, length: step, origin: .sum(use))
    }
    return edges
  }

  /// The nodes because of which there are some edges.
  private func conflict(_ edges: [Edge], in domain: Domain) -> [Source] {
    var sources: Set<Source> = []
    for edge in edges { explain(edge, in: domain, into: &sources) }
    return sources.sorted()
  }

  // MARK: The whole graph

  /// Bellman and Ford: relaxes every edge as often as there are nodes; who still gets shorter then
  /// is on or behind a negative cycle.
  private func negativeCycle(_ edges: [Edge], in domain: Domain) -> [Source]? {
    let nodes = Set(edges.flatMap { [$0.from, $0.to] })
    var distance: [Int32: Int128] = [:]
    var cameBy: [Int32: Int] = [:]
    for node in nodes { distance[node] = 0 }
    var last: Int32?
    for _ in 0..<nodes.count {
      last = nil
      budget?.charge(8 * edges.count)
      if budget?.isSpent == true { return nil }
      for (index, edge) in edges.enumerated() {
        let new = (distance[edge.from] ?? 0) + edge.length
        if new < distance[edge.to] ?? 0 {
          distance[edge.to] = new
          cameBy[edge.to] = index
          last = edge.to
        }
      }
      if last == nil { return nil }
    }
    guard var node = last else { return nil }
    // As many steps back as there are nodes end on the cycle itself.
    for _ in 0..<nodes.count {
      if let index = cameBy[node] { node = edges[index].from }
    }
    var cycle: [Edge] = []
    let start = node
    repeat {
      guard let index = cameBy[node] else { break }
      cycle.append(edges[index])
      node = edges[index].from
    } while node != start
    return conflict(cycle, in: domain)
  }

  /// A value for each class of a domain that satisfies all differences; nil if there are none.
  package func differenceModel(in domain: Domain) -> [Int32: Int128]? {
    let edges = edges(in: domain)
    guard edges.contains(where: { $0.from != Self.zero && $0.to != Self.zero }) else { return nil }
    // Rather values that storage does not cut, where there are such.
    return distances(
      edges.map { edge in
        var edge = edge
        edge.length = edge.length.rounded(toMultipleOf: domain.grain, up: false)
        return edge
      }) ?? distances(edges)
  }

  /// The shortest ways; nil if a round trip is shorter than nothing.
  private func distances(_ edges: [Edge]) -> [Int32: Int128]? {
    var distance: [Int32: Int128] = [:]
    for edge in edges {
      distance[edge.from] = 0
      distance[edge.to] = 0
    }
    var isSettled = false
    for _ in 0...distance.count where !isSettled {
      budget?.charge(8 * edges.count)
      if budget?.isSpent == true { return nil }
      isSettled = true
      for edge in edges {
        let new = (distance[edge.from] ?? 0) + edge.length
        if new < distance[edge.to] ?? 0 {
          distance[edge.to] = new
          isSettled = false
        }
      }
    }
    guard isSettled else { return nil }
    let zero = distance[Self.zero] ?? 0
    distance[Self.zero] = nil
    return distance.mapValues { $0 - zero }
  }
}
