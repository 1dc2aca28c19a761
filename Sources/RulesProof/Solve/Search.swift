import RulesLang

// Looks for values of the atoms under which some propositions hold, or shows that there are none.
//
// The search works on the graph itself. A proposition that must hold makes its parts hold; a
// conjunction that must not hold needs one part that does not: until there is one it is
// *unjustified*, and only unjustified conjunctions are ever decided. What no justification asks for
// is never looked at, so a model comes out small: it says no more about a request than is needed.
//
// A conflict is traced back to the first node through which everything that led to it went (the
// first unique implication point); the reason is learned as a conjunction that must not hold, and
// the search goes back to where it would have helped. Learned conjunctions mention gates that the
// graph shares, which is what keeps distributed conditions from exploding.
//
// All that is learned follows from the definitions of gates and the theories, whatever is asserted.

/// When a search has to give up.
struct SearchBudget {
  /// The greatest number of conflicts.
  var conflicts = 100_000
  /// Whether time is up; asked now and then. The host decides, for the core knows no clock.
  var isTimeUp: () -> Bool = { false }
}

/// A step of a proof, as clauses: lists of propositions of which one holds.
enum ProofStep {
  /// A theory shows that the negations cannot hold together.
  case theory([Ref])
  /// Follows from the definitions and the steps before by unit propagation.
  case learned([Ref])
}

/// A search for a model.
final class Search {
  /// What came of it.
  enum Result {
    case satisfiable
    case unsatisfiable
    /// The budget was spent.
    case givenUp
  }

  let graph: Graph
  let theory: Theory
  /// What showed that there is no model.
  private(set) var proof: [ProofStep] = []
  /// The number of conflicts met.
  private(set) var conflicts = 0
  /// The number of decisions made.
  private(set) var decisions = 0

  private var children: [[Ref]]
  private var parents: [[Int32]]
  private let isAxiom: [Bool]
  private let comesFirst: [Bool]
  /// By node: 1 holds, -1 does not, 0 is open.
  private var values: [Int8]
  private var reasons: [[Int32]]
  private var levels: [Int32]
  private var trail: [Int32] = []
  private var marks: [(trail: Int, theory: Int, frontier: Int)] = []
  /// Conjunctions that do not hold, in the order in which that was found out.
  private var frontier: [Int32] = []
  private var budget: SearchBudget

  /// Prepares a search for a model of `roots` and `axioms`.
  ///
  /// Axioms are true of every request anyway; they only rule out what no request can be, so they
  /// are not decided unless everything else about them is. Conjunctions below `first` are justified
  /// before others.
  init(
    _ graph: Graph, _ terms: TermTable, _ patterns: PatternTable, first: [Ref],
    axioms: [Ref], budget: SearchBudget
  ) {
    self.graph = graph
    self.budget = budget
    children = graph.children
    let count = graph.count
    values = Array(repeating: 0, count: count)
    reasons = Array(repeating: [], count: count)
    levels = Array(repeating: 0, count: count)
    parents = Array(repeating: [], count: count)
    var isAxiom = Array(repeating: false, count: count)
    for axiom in axioms { isAxiom[Int(axiom.node)] = true }
    self.isAxiom = isAxiom
    comesFirst = Self.cone(of: first, graph)
    for node in 0..<count {
      for child in graph.children[node] { parents[Int(child.node)].append(Int32(node)) }
    }
    theory = Theory(terms, patterns, used: Self.terms(of: graph, terms))
    values[0] = 1
  }

  private static func cone(of roots: [Ref], _ graph: Graph) -> [Bool] {
    var isInside = Array(repeating: false, count: graph.count)
    var open = roots.map { $0.node }
    while let node = open.popLast() {
      if isInside[Int(node)] { continue }
      isInside[Int(node)] = true
      open += graph.children[Int(node)].map { $0.node }
    }
    return isInside
  }

  /// Every term that an atom speaks about, with the terms inside.
  private static func terms(of graph: Graph, _ table: TermTable) -> [TermID] {
    var isUsed = Array(repeating: false, count: table.count)
    for term in [table.yes, table.no, table.null] { isUsed[term.index] = true }
    var open: [TermID] = []
    for case let atom? in graph.atoms { open += atom.terms }
    while let term = open.popLast() {
      if isUsed[term.index] { continue }
      isUsed[term.index] = true
      open += table.arguments(of: term)
    }
    return isUsed.indices.filter { isUsed[$0] }.map { TermID($0) }
  }

  // MARK: Values

  /// Whether a proposition holds in the present state; nil if that is open.
  func value(of ref: Ref) -> Bool? {
    let value = values[Int(ref.node)]
    return value == 0 ? nil : (value > 0) != ref.isNegated
  }

  /// The atoms that have a value in the present state, each as it is.
  var literals: [Ref] {
    trail.filter { Int($0) < graph.count && graph.atoms[Int($0)] != nil }.map {
      values[Int($0)] > 0 ? Ref(node: $0) : !Ref(node: $0)
    }
  }

  // MARK: Propagation

  /// Makes a proposition hold because of some nodes, and everything that follows. Returns the nodes
  /// of a conflict, or nil.
  private func assign(_ ref: Ref, because reason: [Int32]) -> [Int32]? {
    var queue = [(ref, reason)]
    var next = 0
    while next < queue.count {
      let (ref, reason) = queue[next]
      next += 1
      if let known = value(of: ref) {
        if known { continue }
        return reason + [ref.node]
      }
      if let conflict = set(ref, reason, &queue) { return conflict }
    }
    return nil
  }

  private func set(
    _ ref: Ref, _ reason: [Int32], _ queue: inout [(Ref, [Int32])]
  ) -> [Int32]? {
    let node = ref.node
    values[Int(node)] = ref.isNegated ? -1 : 1
    reasons[Int(node)] = reason
    levels[Int(node)] = Int32(marks.count)
    trail.append(node)
    let parts = children[Int(node)]
    if parts.isEmpty {
      if let conflict = assertAtom(node, !ref.isNegated) { return conflict }
    } else if ref.isNegated {
      if let conflict = scan(node, &queue) { return conflict }
      frontier.append(node)
    } else {
      for part in parts { queue.append((part, [node])) }
    }
    for parent in parents[Int(node)] {
      if let conflict = visit(parent, below: node, &queue) { return conflict }
    }
    return nil
  }

  private func assertAtom(_ node: Int32, _ holds: Bool) -> [Int32]? {
    guard Int(node) < graph.atoms.count, let atom = graph.atoms[Int(node)] else { return nil }
    guard let conflict = theory.assert(atom, holds, node) else { return nil }
    proof.append(.theory(clause(against: conflict)))
    return conflict
  }

  /// Looks at a conjunction after one of its parts got a value.
  private func visit(
    _ parent: Int32, below node: Int32, _ queue: inout [(Ref, [Int32])]
  ) -> [Int32]? {
    if values[Int(parent)] > 0 { return nil }
    for part in children[Int(parent)] where part.node == node {
      if value(of: part) == false {
        if values[Int(parent)] == 0 { queue.append((!Ref(node: parent), [node])) }
        return nil
      }
    }
    return scan(parent, &queue)
  }

  /// What the parts of a conjunction say about it, and it about the last open one of them.
  private func scan(_ node: Int32, _ queue: inout [(Ref, [Int32])]) -> [Int32]? {
    var open: Ref?
    for part in children[Int(node)] {
      switch value(of: part) {
      case .some(false): return nil
      case .some(true): break
      case .none:
        if open != nil { return nil }
        open = part
      }
    }
    let others = children[Int(node)].filter { $0 != open }.map { $0.node }
    switch (open, values[Int(node)]) {
    case (.none, -1): return others + [node]
    case (.none, 0): queue.append((Ref(node: node), others))
    case (.some(let part), -1): queue.append((!part, others + [node]))
    default: break
    }
    return nil
  }

  // MARK: Running

  /// Looks for a model in which `roots` hold.
  func run(_ roots: [Ref]) -> Result {
    for root in roots {
      if assign(root, because: []) != nil { return refuted() }
    }
    while true {
      guard let choice = choose() else {
        guard let conflict = finalConflict() else { return .satisfiable }
        if !resolve(conflict) { return refuted() }
        continue
      }
      if isSpent() { return .givenUp }
      decisions += 1
      marks.append((trail.count, theory.mark, frontier.count))
      if let conflict = assign(choice, because: []), !resolve(conflict) { return refuted() }
    }
  }

  private func refuted() -> Result {
    proof.append(.learned([]))
    return .unsatisfiable
  }

  private func isSpent() -> Bool {
    conflicts > budget.conflicts || ((decisions + conflicts) & 63 == 63 && budget.isTimeUp())
  }

  private func finalConflict() -> [Int32]? {
    guard let conflict = theory.differenceCycle() ?? theory.stringConflict() else { return nil }
    proof.append(.theory(clause(against: conflict)))
    return conflict
  }

  /// The next decision: a part of an unjustified conjunction, to be made false; nil if all are
  /// justified. Those with the fewest open parts come first.
  private func choose() -> Ref? {
    var best: Ref?
    var bestRank = Int.max
    for node in frontier where Int(node) < graph.count {
      var open: Ref?
      var count = 0
      var isJustified = false
      for part in children[Int(node)] {
        switch value(of: part) {
        case .some(false): isJustified = true
        case .some(true): break
        case .none:
          // An axiom is satisfied by atoms that nobody asserts.
          if isAxiom[Int(node)], !part.isNegated, children[Int(part.node)].isEmpty {
            isJustified = true
          }
          if open == nil { open = part }
          count += 1
        }
        if isJustified { break }
      }
      guard !isJustified, let part = open else { continue }
      let rank = count + (comesFirst[Int(node)] ? 0 : 1 << 20)
      if rank < bestRank { (best, bestRank) = (part, rank) }
      if rank <= 2 { break }
    }
    return best.map { !$0 }
  }

  // MARK: Learning

  /// Learns from a conflict and goes back; false if there is nothing to go back to.
  private func resolve(_ first: [Int32]) -> Bool {
    var conflict = first
    while true {
      conflicts += 1
      let top = conflict.map { levels[Int($0)] }.max() ?? 0
      if top == 0 { return false }
      if Int(top) < marks.count { back(to: Int(top)) }
      let (nodes, level) = analyze(conflict)
      let parts = nodes.map { values[Int($0)] > 0 ? Ref(node: $0) : !Ref(node: $0) }
      proof.append(.learned(parts.map { !$0 }))
      back(to: level)
      var reason = nodes.dropFirst().map { $0 }
      if parts.count > 1 { reason.append(learn(parts)) }
      guard let next = assign(!parts[0], because: reason) else { return true }
      conflict = next
    }
  }

  /// Adds a conjunction that never holds.
  private func learn(_ parts: [Ref]) -> Int32 {
    let node = Int32(children.count)
    children.append(parts)
    values.append(-1)
    reasons.append([])
    levels.append(0)
    parents.append([])
    for part in parts { parents[Int(part.node)].append(node) }
    return node
  }

  /// The first unique implication point of a conflict with the nodes of earlier levels that it
  /// needs, the point first; and the level to go back to.
  private func analyze(_ conflict: [Int32]) -> (nodes: [Int32], level: Int) {
    let current = Int32(marks.count)
    var seen: Set<Int32> = []
    var earlier: [Int32] = []
    var open = 0
    func feed(_ nodes: [Int32]) {
      for node in nodes where levels[Int(node)] > 0 && seen.insert(node).inserted {
        if levels[Int(node)] == current { open += 1 } else { earlier.append(node) }
      }
    }
    feed(conflict)
    var place = trail.count - 1
    while true {
      while !seen.contains(trail[place]) || levels[Int(trail[place])] != current { place -= 1 }
      let node = trail[place]
      place -= 1
      open -= 1
      if open == 0 {
        let level = earlier.map { levels[Int($0)] }.max() ?? 0
        return ([node] + earlier, Int(level))
      }
      feed(reasons[Int(node)])
    }
  }

  private func back(to level: Int) {
    guard level < marks.count else { return }
    let mark = marks[level]
    while trail.count > mark.trail {
      let node = trail.removeLast()
      values[Int(node)] = 0
      reasons[Int(node)] = []
      levels[Int(node)] = 0
    }
    theory.back(to: mark.theory)
    frontier.removeLast(frontier.count - mark.frontier)
    marks.removeLast(marks.count - level)
  }

  /// The clause that says that not all nodes can have their present values.
  private func clause(against nodes: [Int32]) -> [Ref] {
    Set(nodes).sorted().map { values[Int($0)] > 0 ? !Ref(node: $0) : Ref(node: $0) }
  }
}
