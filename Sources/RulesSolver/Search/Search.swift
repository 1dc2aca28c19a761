import RulesLang

// CDCL(T): looks for values of the atoms that make some propositions true, or shows that there are
// none.
//
// The search works on the and-inverter graph itself, without conversion to clauses. A true
// conjunction propagates to its parts; a false one needs a false part, and is *unjustified* until
// it has one. Only unjustified conjunctions are decided. Whatever no justification needs stays
// unassigned, so models are small and constrain a request no more than necessary.
//
// Conflicts are analysed up to the first unique implication point. The learned clause is stored as
// a conjunction that is always false, over nodes that the graph shares, which keeps distributed
// conditions from exploding.
//
// Sound: UNSAT is reported only if axioms and assumptions have no model. Every learned clause follows from
// the axioms, the gate definitions and the theories; literals of level 0 are left out. Complete for
// propositions within the budget; the theories may miss conflicts (`Theory`), so a model may be none.
//
// Incremental (`run(assuming:)`, `SearchSession`): axioms are asserted at level 0, and the
// assumptions of a query are its first decisions.

/// A search for a model.
package struct Search {
  /// The result of a search.
  package enum Result {
    case satisfiable
    case unsatisfiable
    /// The budget is spent.
    case givenUp
  }

  /// The propositions.
  package internal(set) var graph: Graph
  /// The theory solver, on the assigned atoms.
  package internal(set) var theory: Theory
  /// The proof trace of the present query. It does not repeat clauses that earlier queries learned, so only
  /// the trace of a new search is a complete proof.
  package internal(set) var proof: [ProofStep] = []
  /// The number of conflicts in the present query.
  package internal(set) var conflicts = 0
  /// The number of decisions so far.
  package private(set) var decisions = 0

  // Learned conjunctions are nodes after those of the graph.
  /// For each node, the start of its parts in `parts`.
  var starts: [Int32]
  /// The parts of all nodes.
  var parts: [Ref]
  /// For each node, the start of its occurrence list in `gates`.
  var gateStarts: [Int32]
  /// Occurrence lists: the conjunctions that contain a node, shifted left once; the lowest bit is
  /// set if it occurs negated.
  var gates: [Int32]
  /// Watch lists: for each literal, the learned conjunctions that watch it (two watched literals).
  /// Empty until something is learned.
  var watchers: [[Int32]] = []
  var isAxiom: [Bool]
  /// The cone of the present query, as a bit set of nodes.
  var asked: [UInt64]
  /// The assumptions of the present query, decided before anything else.
  var assumptions: [Ref] = []
  /// True if the cone of the assumptions is marked.
  private var isAskedFor = true
  /// The number of assumption levels; a conflict at or below this level refutes the query.
  var firstLevel = 0
  /// True if the axioms alone are contradictory.
  var isContradictory = false
  /// For each node, the index in `parts` of its last justifier.
  var justifiers: [Int32]
  /// For each node, the indices in `parts` of two parts last seen not to be true; while they are
  /// not, the conjunction propagates nothing.
  var doubtful: [(one: Int32, other: Int32)]
  /// For each node, the number of the last conflict analysis that visited it.
  var blamed: [Int32]
  /// The number of conflict analyses.
  var analyses: Int32 = 0
  /// For each node: 1 true, -1 false, 0 unassigned.
  var values: [Int8]
  /// For each node, the reason of its value.
  var reasons: [Reason]
  /// For each node, the decision level of its value.
  var levels: [Int32]
  /// The nodes of all reasons.
  var because: [Int32] = []
  /// The assigned nodes, in order of assignment.
  var trail: [Int32] = []
  /// The state before each decision, for backtracking.
  var marks: [Mark] = []
  /// The false conjunctions, in order of assignment.
  var decisionQueue = DecisionQueue()
  /// The state after all axioms are asserted.
  var base = Mark(trail: 0, theory: 0, decisionQueue: 0, settled: 0, because: 0)
  private var budget: SearchBudget
  /// The steps not yet charged to the budget.
  var steps = 0
  /// Literals to be propagated.
  private var queue: [(ref: Ref, reason: Reason)] = []

  /// The antecedents of a value: a range of `because`.
  struct Reason {
    /// The start of the range.
    var start: Int32
    /// The end of the range.
    var end: Int32

    /// The reason of decisions and axioms: no antecedents.
    static let none = Reason(start: 0, end: 0)
  }

  /// The sizes of all undoable state at one moment.
  struct Mark {
    /// The length of the trail.
    var trail: Int
    /// The mark of the theory solver.
    var theory: Int
    /// The length of the decision queue.
    var decisionQueue: Int
    /// The number of justified conjunctions in the decision queue.
    var settled: Int
    /// The length of `because`.
    var because: Int
  }

  /// Prepares a search. Axioms are asserted by `state`, or as roots of `run`.
  ///
  /// Axioms are true of every request and only exclude impossible models. So an axiom counts as justified by
  /// an unassigned positive atom, and its parts are only decided if it has none.
  ///
  /// - Parameters:
  ///   - first: Propositions whose cone is justified before other conjunctions.
  ///   - axioms: The propositions that are axioms.
  package init(
    _ graph: Graph, terms: TermTable, patterns: PatternTable, first: [Ref],
    axioms: [Ref], budget: SearchBudget
  ) {
    self.graph = graph.readable
    self.budget = budget
    starts = graph.starts
    parts = graph.parts
    let count = graph.count
    values = Array(repeating: 0, count: count)
    reasons = Array(repeating: .none, count: count)
    levels = Array(repeating: 0, count: count)
    var isAxiom = Array(repeating: false, count: count)
    for axiom in axioms { isAxiom[Int(axiom.node)] = true }
    self.isAxiom = isAxiom
    asked = Array(repeating: 0, count: (count + 63) / 64)
    justifiers = Array(graph.starts.prefix(count))
    doubtful = justifiers.map { ($0, $0) }
    blamed = Array(repeating: 0, count: count)
    (gateStarts, gates) = graph.gatesByPart()
    theory = Theory(
      terms, patterns: patterns, used: graph.terms(in: terms), budget: budget.question)
    values[0] = 1
    ask(first)
    steps = 2 * graph.count + graph.parts.count + 4 * terms.count
  }

  // MARK: Propagation

  /// Assigns a literal with its antecedents, and propagates.
  ///
  /// - Returns: The nodes of a conflict, or nil.
  mutating func assign(_ ref: Ref, because nodes: [Int32]) -> [Int32]? {
    let start = because.count
    because.append(contentsOf: nodes)
    queue.removeAll(keepingCapacity: true)
    queue.append((ref, reason(from: start)))
    var next = 0
    while next < queue.count {
      let (ref, reason) = queue[next]
      next += 1
      if isSpent() { return nil }
      if let known = value(of: ref) {
        if known { continue }
        return because[Int(reason.start)..<Int(reason.end)] + [ref.node]
      }
      if let conflict = set(ref, because: reason) { return conflict }
    }
    return nil
  }

  /// Returns the reason made of `because[start...]`.
  private func reason(from start: Int) -> Reason {
    Reason(start: Int32(start), end: Int32(because.count))
  }

  private mutating func enqueue(_ ref: Ref, because node: Int32) {
    let start = because.count
    because.append(node)
    queue.append((ref, reason(from: start)))
  }

  private mutating func set(_ ref: Ref, because reason: Reason) -> [Int32]? {
    let node = ref.node
    values[Int(node)] = ref.isNegated ? -1 : 1
    reasons[Int(node)] = reason
    levels[Int(node)] = Int32(marks.count)
    trail.append(node)
    let range = partRange(of: node)
    steps += 4 + range.count
    if range.isEmpty {
      if let conflict = assertAtom(node, holds: !ref.isNegated) { return conflict }
    } else if ref.isNegated {
      if let conflict = scan(node) { return conflict }
      decisionQueue.append(node, isAsked: isAsked(node))
    } else {
      for place in range { enqueue(parts[place], because: node) }
    }
    for place in Int(gateStarts[Int(node)])..<Int(gateStarts[Int(node) + 1]) {
      let holds = (gates[place] & 1 == 1) == ref.isNegated
      if let conflict = visit(gates[place] >> 1, below: node, holds: holds) { return conflict }
    }
    return watchers.isEmpty ? nil : recall(ref)
  }

  /// Returns the range of a conjunction in `parts`.
  func partRange(of node: Int32) -> Range<Int> {
    Int(starts[Int(node)])..<Int(starts[Int(node) + 1])
  }

  private mutating func assertAtom(_ node: Int32, holds: Bool) -> [Int32]? {
    guard Int(node) < graph.count, let atom = graph.atoms[Int(node)] else { return nil }
    let conflict = theory.assert(atom, holds: holds, source: node)
    steps += theory.takeSteps()
    guard let conflict else { return nil }
    proof.append(.theory(clause(against: conflict)))
    return conflict
  }

  /// Visits a conjunction after one of its parts was assigned.
  private mutating func visit(_ gate: Int32, below node: Int32, holds: Bool) -> [Int32]? {
    if values[Int(gate)] > 0 { return nil }
    steps += 1
    if holds { return scan(gate) }
    if values[Int(gate)] == 0 { enqueue(!Ref(node: gate), because: node) }
    return nil
  }

  /// Visits the learned conjunctions that watch a literal which has become true.
  private mutating func recall(_ ref: Ref) -> [Int32]? {
    var place = 0
    while place < watchers[Int(ref.raw)].count {
      let lesson = watchers[Int(ref.raw)][place]
      let range = partRange(of: lesson)
      let start = range.lowerBound
      if parts[start] == ref { parts.swapAt(start, start + 1) }
      let other = parts[start]
      if value(of: other) == false {
        place += 1
        continue
      }
      var next = start + 2
      while next < range.upperBound, value(of: parts[next]) == true { next += 1 }
      steps += 1 + next - start
      if next < range.upperBound {
        parts.swapAt(start + 1, next)
        watchers[Int(parts[start + 1].raw)].append(lesson)
        watchers[Int(ref.raw)].swapAt(place, watchers[Int(ref.raw)].count - 1)
        watchers[Int(ref.raw)].removeLast()
        continue
      }
      let from = because.count
      for part in parts[(start + 1)..<range.upperBound] { because.append(part.node) }
      because.append(lesson)
      if value(of: other) != nil { return because[from...] + [other.node] }
      queue.append((!other, reason(from: from)))
      place += 1
    }
    return nil
  }

  /// Propagates from the parts of a conjunction to it, and from it to its last open part.
  private mutating func scan(_ node: Int32) -> [Int32]? {
    // A true conjunction has propagated to its parts already.
    if values[Int(node)] > 0 { return nil }
    let isRefuted = values[Int(node)] < 0
    var (one, other) = doubtful[Int(node)]
    if value(of: parts[Int(one)]) == true { swap(&one, &other) }
    var open: Ref?
    if let place = openReason(of: node, from: one, besides: -1) {
      one = place
      var isDoubted = !isRefuted || value(of: parts[Int(one)]) == false
      if !isDoubted, let place = openReason(of: node, from: other, besides: one) {
        other = place
        isDoubted = true
      }
      doubtful[Int(node)] = (one, other)
      if isDoubted { return nil }
      open = parts[Int(one)]
    }
    let start = because.count
    for place in partRange(of: node) where parts[place] != open {
      because.append(parts[place].node)
    }
    if isRefuted { because.append(node) }
    if let open {
      queue.append((!open, reason(from: start)))
    } else if isRefuted {
      return Array(because[start...])
    } else {
      queue.append((Ref(node: node), reason(from: start)))
    }
    return nil
  }

  /// Returns the index of a part of `node` that is not true, searched cyclically from `start`,
  /// skipping `one`; nil if there is none.
  private mutating func openReason(of node: Int32, from start: Int32, besides one: Int32) -> Int32?
  {
    let range = partRange(of: node)
    var place = Int(start)
    for _ in range {
      steps += 1
      if place != Int(one), value(of: parts[place]) != true { return Int32(place) }
      place = place + 1 == range.upperBound ? range.lowerBound : place + 1
    }
    return nil
  }

  // MARK: Running

  /// Searches for a model of `roots`.
  package mutating func run(_ roots: [Ref]) -> Result {
    let result = answer(roots)
    budget.question?.charge(steps)
    steps = 0
    return result
  }

  /// Asserts the axioms of all later queries.
  package mutating func state(_ axioms: [Ref]) {
    for axiom in axioms where !isContradictory {
      isContradictory = assign(axiom, because: []) != nil
    }
    base = present
  }

  /// Looks for a model of the axioms and `roots`. Reuses the decisions of the previous query for a
  /// common prefix of the roots, and all learned clauses, which depend on no assumption.
  package mutating func run(assuming roots: [Ref], within budget: SearchBudget) -> Result {
    begin(with: roots, within: budget)
    let result: Result = isContradictory ? .unsatisfiable : answer([])
    budget.question?.charge(steps)
    steps = 0
    return result
  }

  /// Propagates `roots` without further decisions: unsatisfiable, or given up if that does not
  /// decide.
  mutating func propagate(assuming roots: [Ref], within budget: SearchBudget) -> Result {
    begin(with: roots, within: budget, asks: false)
    var isRefuted = isContradictory
    while !isRefuted, marks.count < firstLevel, !isSpent() { isRefuted = !assume() }
    let result: Result = isRefuted && !isSpent() ? .unsatisfiable : .givenUp
    budget.question?.charge(steps)
    steps = 0
    return result
  }

  /// Begins a query.
  ///
  /// - Parameter asks: True if the cone of the roots is needed, as for further decisions.
  private mutating func begin(
    with roots: [Ref], within budget: SearchBudget, asks: Bool = true
  ) {
    use(budget)
    conflicts = 0
    proof = []
    // Decisions for a common prefix of the assumptions are kept.
    var shared = min(marks.count, assumptions.count, roots.count)
    for place in 0..<shared where assumptions[place] != roots[place] {
      shared = place
      break
    }
    back(to: shared)
    if asks, !isAskedFor || roots != assumptions { ask(roots) }
    (assumptions, firstLevel, isAskedFor) = (roots, roots.count, asks)
  }

  /// Charges further work to a budget.
  mutating func use(_ budget: SearchBudget) {
    self.budget = budget
    theory.budget = budget.question
  }

  /// Decides the next assumption; false if it contradicts the earlier ones.
  private mutating func assume() -> Bool {
    mark()
    let assumption = assumptions[marks.count - 1]
    if assign(assumption, because: []) == nil { return true }
    back(to: marks.count - 1)
    return false
  }

  private mutating func mark() { marks.append(present) }

  /// The present sizes of all undoable state.
  var present: Mark {
    Mark(
      trail: trail.count, theory: theory.mark, decisionQueue: decisionQueue.count,
      settled: decisionQueue.settledCount, because: because.count)
  }

  private mutating func answer(_ roots: [Ref]) -> Result {
    for root in roots {
      if assign(root, because: []) != nil { return refuted() }
    }
    while true {
      // Interrupted propagation leaves a state from which nothing follows.
      if isSpent() { return .givenUp }
      if marks.count < firstLevel {
        if !assume() { return isSpent() ? .givenUp : refuted() }
        continue
      }
      guard let choice = choose() else {
        guard let conflict = finalConflict() else { return isSpent() ? .givenUp : .satisfiable }
        if !resolve(conflict) { return refuted() }
        continue
      }
      decisions += 1
      mark()
      guard let conflict = assign(choice, because: []) else { continue }
      if !resolve(conflict) { return refuted() }
    }
  }

  private mutating func refuted() -> Result {
    proof.append(.learned([]))
    return .unsatisfiable
  }

  private mutating func isSpent() -> Bool {
    guard let question = budget.question else { return conflicts > budget.conflicts }
    if steps >= SearchStrategy.stepsBetweenLooks {
      question.charge(steps)
      steps = 0
    }
    return question.isSpent || conflicts > budget.conflicts
  }

  private mutating func finalConflict() -> [Int32]? {
    guard let conflict = theory.differenceCycle() ?? theory.stringConflict() else { return nil }
    proof.append(.theory(clause(against: conflict)))
    return conflict
  }
}
