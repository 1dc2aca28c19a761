import RulesLang

// Bounds on differences at the end of a search: `x - y <= c` is an edge of a graph, and a cycle of
// negative length is a conflict. A node of its own stands for zero, so that bounds are edges too.

extension Theory {
  /// `value(to) <= value(from) + length`.
  private struct Edge {
    var from: Int32
    var to: Int32
    var length: Int128
    var sources: [Source]
  }

  private static let zero: Int32 = -1

  /// The nodes of a conflict between differences and bounds, or nil. O(terms × edges).
  func differenceCycle() -> [Source]? {
    for domain in [Domain.int, .timestamp, .duration] {
      let edges = edges(in: domain)
      budget?.charge(leader.count / 8 + 16 * edges.count)
      // Bounds alone were checked while they were asserted.
      if edges.contains(where: { $0.from != Self.zero && $0.to != Self.zero }),
        let conflict = negativeCycle(edges)
      {
        return conflict
      }
    }
    return nil
  }

  private func edges(in domain: Domain) -> [Edge] {
    var edges: [Edge] = []
    var nodes: Set<Int32> = []
    func add(from: TermID, to: TermID, length: Int128, source: Source?) {
      let (start, end) = (leader(of: from), leader(of: to))
      var sources = Set(explain(from, equals: start)).union(explain(to, equals: end))
      if let source { sources.insert(source) }
      // The edge counts only because both are of the domain's type.
      for node in [start, end] {
        sources.formUnion(typeConflict(node, for: TypeSet(domain.type)))
      }
      nodes.formUnion([start.raw, end.raw])
      edges.append(Edge(from: start.raw, to: end.raw, length: length, sources: sources.sorted()))
    }
    for fact in differenceFacts where fact.domain == domain {
      guard classTypes[Int(leader[fact.left.index])] == TypeSet(domain.type),
        classTypes[Int(leader[fact.right.index])] == TypeSet(domain.type)
      else { continue }
      add(from: fact.right, to: fact.left, length: fact.bound, source: fact.source)
    }
    for index in leader.indices {
      let term = TermID(index)
      guard case .apply(.plus(let own, let step), let arguments) = terms[term], own == domain,
        classTypes[Int(leader[index])] == TypeSet(domain.type),
        classTypes[Int(leader[arguments[0].index])] == TypeSet(domain.type)
      else { continue }
      add(from: arguments[0], to: term, length: Int128(step), source: nil)
      add(from: term, to: arguments[0], length: -Int128(step), source: nil)
    }
    for node in nodes.sorted() { addBounds(of: node, in: domain, to: &edges) }
    return edges
  }

  private func addBounds(of node: Int32, in domain: Domain, to edges: inout [Edge]) {
    let limits = limits(of: node, domain)
    let type = Set(typeConflict(TermID(Int(node)), for: TypeSet(domain.type)))
    if let upper = limits.upper {
      let sources = sources(of: upper).union(type).sorted()
      edges.append(Edge(from: Self.zero, to: node, length: upper.value, sources: sources))
    }
    if let lower = limits.lower {
      let sources = sources(of: lower).union(type).sorted()
      edges.append(Edge(from: node, to: Self.zero, length: -lower.value, sources: sources))
    }
  }

  /// Bellman and Ford: relaxes every edge as often as there are nodes; who still gets shorter then
  /// is on or behind a negative cycle.
  private func negativeCycle(_ edges: [Edge]) -> [Source]? {
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
    var sources: Set<Source> = []
    let start = node
    repeat {
      guard let index = cameBy[node] else { break }
      sources.formUnion(edges[index].sources)
      node = edges[index].from
    } while node != start
    return sources.sorted()
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
