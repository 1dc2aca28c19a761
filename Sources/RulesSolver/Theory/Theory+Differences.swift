import RulesLang

// Difference logic: `x - y <= c` is an edge of a graph, and a cycle of negative length is a
// conflict. A node of its own stands for zero, so that bounds are edges, too.
//
// A new edge is checked at once for a negative cycle within a limited number of visits; the whole
// graph is checked once, at the end of a search. Explanations are only computed for the edges of a
// cycle.

extension Theory {
  /// The reason for an edge.
  private enum Origin {
    /// A difference fact, by index.
    case fact(Int32)
    /// A term "other term plus constant", at one end of the edge.
    case sum(TermID)
    /// A bound of a class.
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

  // MARK: Edges

  /// Returns the sources of a conflict between differences and bounds, or nil.
  ///
  /// - Complexity: O(terms × edges).
  func differenceCycle() -> [Source]? {
    if differenceFacts.isEmpty && sums.isEmpty { return nil }
    for domain in [Domain.int, .timestamp, .duration] {
      // Bounds alone were checked when they were asserted.
      if let edges = edges(in: domain), case .cycle(let cycle) = shortest(edges) {
        return conflict(cycle, in: domain)
      }
    }
    return nil
  }

  /// Returns all edges of a domain; nil if there are only bounds.
  private func edges(in domain: Domain) -> [Edge]? {
    var edges: [Edge] = []
    func add(from: TermID, to: TermID, length: Int128, origin: Origin) {
      guard counts(from, in: domain), counts(to, in: domain) else { return }
      let (start, end) = (leader[from.index], leader[to.index])
      edges.append(Edge(from: start, to: end, length: length, origin: origin))
    }
    for (number, fact) in differenceFacts.enumerated() where fact.domain == domain {
      add(from: fact.right, to: fact.left, length: fact.bound, origin: .fact(Int32(number)))
    }
    for term in sums {
      guard let (base, step) = sum(term, in: domain) else { continue }
      add(from: base, to: term, length: step, origin: .sum(term))
      add(from: term, to: base, length: -step, origin: .sum(term))
    }
    if edges.isEmpty { return nil }
    for node in Set(edges.flatMap { [$0.from, $0.to] }).sorted() {
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
    budget?.charge(16 * edges.count)
    return edges
  }

  /// Returns the edges that leave a class, except those to zero.
  private func edges(from node: Int32, in domain: Domain, steps: inout Int) -> [Edge] {
    var edges: [Edge] = []
    func add(to term: TermID, length: Int128, origin: Origin) {
      if counts(term, in: domain) {
        edges.append(Edge(from: node, to: leader[term.index], length: length, origin: origin))
      }
    }
    for member in members(of: node) {
      steps += 1
      var place = lastDifference[member.index]
      while place >= 0 {
        let fact = differenceFacts[Int(place)]
        if fact.domain == domain { add(to: fact.left, length: fact.bound, origin: .fact(place)) }
        place = fact.before
      }
      if let (base, step) = sum(member, in: domain) {
        add(to: base, length: -step, origin: .sum(member))
      }
    }
    for use in classUses[Int(node)] {
      steps += 1
      if let (_, step) = sum(use, in: domain) { add(to: use, length: step, origin: .sum(use)) }
    }
    steps += 4 * edges.count
    return edges
  }

  /// True if a term is known to have the domain's type; only then are its bounds meaningful.
  private func counts(_ term: TermID, in domain: Domain) -> Bool {
    classTypes[Int(leader[term.index])] == TypeSet(domain.type)
  }

  /// Returns base and step of a term "other term plus constant".
  private func sum(_ term: TermID, in domain: Domain) -> (base: TermID, step: Int128)? {
    guard case .apply(.plus(let own, let step), let arguments) = terms[term], own == domain else {
      return nil
    }
    return (arguments[0], Int128(step))
  }

  /// Returns the sources of a cycle of edges.
  private func conflict(_ edges: [Edge], in domain: Domain) -> [Source] {
    var sources: Set<Source> = []
    for edge in edges {
      var terms: [TermID] = []
      switch edge.origin {
      case .fact(let number):
        let fact = differenceFacts[Int(number)]
        terms = [fact.left, fact.right]
        if let source = fact.source { sources.insert(source) }
      case .sum(let term): terms = [term] + self.terms.arguments(of: term)
      case .limit(let limit):
        terms = [limit.term]
        if let source = limit.source { sources.insert(source) }
      }
      for term in terms {
        sources.formUnion(explain(term, equals: leader(of: term)))
        // An edge is only valid if both ends have the domain's type.
        sources.formUnion(typeConflict(leader(of: term), for: TypeSet(domain.type)))
      }
    }
    return sources.sorted()
  }

  // MARK: Incremental check

  /// A visited node of the search from the end of a new edge.
  private struct Visit {
    var node: Int32
    var distance: Int128
    /// The index of the previous visit; -1 for the first one.
    var before: Int
    /// The edge from the previous visit.
    var edge: Edge
  }

  /// Returns the sources of a negative cycle through the last difference fact, or nil. Incomplete:
  /// ignores cycles through bounds, and stops after `SearchStrategy.cycleVisits`; the check at the end of a
  /// search finds these.
  func closedCycle(steps: inout Int) -> [Source]? {
    let number = differenceFacts.count - 1
    let fact = differenceFacts[number]
    let domain = fact.domain
    guard counts(fact.left, in: domain), counts(fact.right, in: domain) else { return nil }
    let (start, end) = (leader[fact.left.index], leader[fact.right.index])
    let closing = Edge(from: end, to: start, length: fact.bound, origin: .fact(Int32(number)))
    if start == end { return fact.bound < 0 ? conflict([closing], in: domain) : nil }
    var visits = [Visit(node: start, distance: fact.bound, before: -1, edge: closing)]
    var best: [Int32: Int] = [start: 0]
    var place = 0
    while place < visits.count, visits.count < SearchStrategy.cycleVisits {
      let visit = visits[place]
      steps += 8
      if best[visit.node] == place {
        for edge in edges(from: visit.node, in: domain, steps: &steps) {
          let distance = visit.distance + edge.length
          if let known = best[edge.to], visits[known].distance <= distance { continue }
          best[edge.to] = visits.count
          visits.append(Visit(node: edge.to, distance: distance, before: place, edge: edge))
          if edge.to != end || distance >= 0 { continue }
          var cycle: [Edge] = []
          var way = visits.count - 1
          while way >= 0 {
            cycle.append(visits[way].edge)
            way = visits[way].before
          }
          return conflict(cycle, in: domain)
        }
      }
      place += 1
    }
    return nil
  }

  // MARK: The whole graph

  /// The result of a shortest-path search.
  private enum Shortest {
    /// The shortest distance to each node, from a source that reaches all.
    case ways([Int32: Int128])
    /// A cycle of negative length.
    case cycle([Edge])
    /// The budget is spent.
    case open
  }

  /// Bellman-Ford: relaxes every edge once per node; an edge that can still be relaxed then lies on
  /// or behind a negative cycle.
  private func shortest(_ edges: [Edge]) -> Shortest {
    var distance: [Int32: Int128] = [:]
    for edge in edges {
      distance[edge.from] = 0
      distance[edge.to] = 0
    }
    var cameBy: [Int32: Int] = [:]
    var last: Int32?
    for _ in 0...distance.count {
      last = nil
      budget?.charge(8 * edges.count)
      if budget?.isSpent == true { return .open }
      for (index, edge) in edges.enumerated() {
        let new = (distance[edge.from] ?? 0) + edge.length
        if new < distance[edge.to] ?? 0 {
          distance[edge.to] = new
          cameBy[edge.to] = index
          last = edge.to
        }
      }
      if last == nil { return .ways(distance) }
    }
    guard var node = last else { return .ways(distance) }
    // Going back once per node ends on the cycle itself.
    for _ in 0..<distance.count {
      if let index = cameBy[node] { node = edges[index].from }
    }
    var cycle: [Edge] = []
    let start = node
    repeat {
      guard let index = cameBy[node] else { break }
      cycle.append(edges[index])
      node = edges[index].from
    } while node != start
    return .cycle(cycle)
  }

  /// Returns a value for each class of a domain that satisfies all differences; nil if there are no
  /// differences, or no such values were found.
  package func differenceModel(in domain: Domain) -> [Int32: Int128]? {
    guard let edges = edges(in: domain) else { return nil }
    // Prefers values that storage does not round.
    let rounded = edges.map { edge in
      var edge = edge
      edge.length = edge.length.rounded(toMultipleOf: domain.grain, up: false)
      return edge
    }
    for edges in [rounded, edges] {
      guard case .ways(var distance) = shortest(edges) else { continue }
      let zero = distance[Self.zero] ?? 0
      distance[Self.zero] = nil
      return distance.mapValues { $0 - zero }
    }
    return nil
  }
}
