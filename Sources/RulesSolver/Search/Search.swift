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
// All that is learned follows from what is asserted, the definitions of gates and the theories: what
// holds before any decision is left out of it.
//
// A search can be asked again and again (`run(assuming:)`, `SearchSession`). What holds in all its
// questions is asserted before any decision; what one question asks for are the first decisions.

/// A search for a model.
package struct Search {
  /// What came of it.
  package enum Result {
    case satisfiable
    case unsatisfiable
    /// The budget was spent.
    case givenUp
  }

  /// The propositions.
  package internal(set) var graph: Graph
  /// What the theories make of the atoms that have a value.
  package internal(set) var theory: Theory
  /// What showed that there is no model.
  package internal(set) var proof: [ProofStep] = []
  /// The number of conflicts met.
  package internal(set) var conflicts = 0
  /// The number of decisions made.
  package private(set) var decisions = 0

  // The conjunctions that were learned are nodes behind those of the graph.
  /// By node, where its parts begin.
  var starts: [Int32]
  /// The parts of all nodes, one's after the other's.
  var parts: [Ref]
  /// By node, where the gates of which it is a part begin in `gates`, one node's after the other's; the
  /// lowest bit says that it is negated there.
  var gateStarts: [Int32]
  /// The gates; see `gateStarts`.
  var gates: [Int32]
  /// By part, the conjunctions that were learned of which it is one of the first two: until one of these
  /// holds nothing follows. Empty until there is one.
  var watchers: [[Int32]] = []
  var isAxiom: [Bool]
  /// The nodes that the present question is made of, a bit for each.
  var asked: [UInt64]
  /// By node, the nodes that a proposition is made of which some question asked for.
  var cones: [Int32: [UInt64]] = [:]
  /// How often some question asked for what a node is made of that is not among them.
  var times: [Int32: Int] = [:]
  /// What the present question asks for, to be decided before anything else.
  var assumptions: [Ref] = []
  /// Whether what it is made of is found out.
  private var isAskedFor = true
  /// How many decisions are those of the question: what contradicts these alone has no model.
  var firstLevel = 0
  /// Whether what holds in all questions contradicts itself.
  var isContradictory = false
  /// What is tried to hold before anything is chosen, as long as nothing speaks against it.
  var wishes: [Ref] = [] { didSet { nextWish = 0 } }
  /// The wishes before this one have a value.
  var nextWish = 0
  /// The parts of the question that have no model together, if that was found out: of nothing else that the
  /// question asks for does it depend that there is none.
  package internal(set) var core: [Ref]?
  /// By node, the place in `parts` of what last justified it.
  var justifiers: [Int32]
  /// By node, the places in `parts` of two that last did not hold: as long as they do not, nothing follows.
  var doubtful: [(one: Int32, other: Int32)]
  /// By node, the number of the last conflict that it had a part in.
  var blamed: [Int32]
  /// How many conflicts were traced back.
  var analyses: Int32 = 0
  /// How many times the present question was begun anew.
  var restarts = 0
  /// After how many conflicts it is next time.
  var nextRestart = Search.restartUnit
  /// By node: 1 holds, -1 does not, 0 is open.
  var values: [Int8]
  /// By node, why it has its value.
  var reasons: [Reason]
  /// By node, how many decisions were made before it had its value.
  var levels: [Int32]
  /// The nodes of all reasons, one reason's after the other's.
  var because: [Int32] = []
  /// The nodes that have a value, in the order in which they got it.
  var trail: [Int32] = []
  /// How far everything was at each decision.
  var marks: [Mark] = []
  /// Conjunctions that do not hold, in the order in which that was found out.
  var frontier = Frontier()
  /// How far everything was when all had been stated that holds in all questions.
  var base = Mark(trail: 0, theory: 0, frontier: 0, settled: 0, because: 0)
  private var budget: SearchBudget
  /// The steps that the budget has not counted yet.
  var steps = 0
  /// What is to be made to hold next.
  private var queue: [(ref: Ref, reason: Reason)] = []

  /// Why a node has its value: a part of `because`.
  struct Reason {
    /// Where it begins.
    var start: Int32
    /// Where it ends.
    var end: Int32

    /// None: a decision, or what is stated.
    static let none = Reason(start: 0, end: 0)
  }

  /// How far everything was when a decision was made.
  struct Mark {
    /// The length of the trail.
    var trail: Int
    /// The mark of the theories.
    var theory: Int
    /// The length of the frontier.
    var frontier: Int
    /// How many of the frontier had been found justified.
    var settled: Int
    /// The length of the reasons.
    var because: Int
  }

  /// Prepares a search for a model of `roots` and `axioms`.
  ///
  /// Axioms are true of every request anyway; they only rule out what no request can be, so they
  /// are not decided unless everything else about them is. Conjunctions below `first` are justified
  /// before others.
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

  /// Makes a proposition hold because of some nodes, and everything that follows. Returns the nodes
  /// of a conflict, or nil.
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

  /// The reason whose nodes are those in `because` from a place on.
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
      frontier.append(node, isAsked: isAsked(node))
    } else {
      for place in range { enqueue(parts[place], because: node) }
    }
    if !ref.isNegated { frontier.wake(by: node) }
    for place in Int(gateStarts[Int(node)])..<Int(gateStarts[Int(node) + 1]) {
      let holds = (gates[place] & 1 == 1) == ref.isNegated
      if let conflict = visit(gates[place] >> 1, below: node, holds: holds) { return conflict }
    }
    return watchers.isEmpty ? nil : recall(ref)
  }

  /// Where the parts of a conjunction stand in `parts`.
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

  /// Looks at a conjunction after one of its parts got a value.
  private mutating func visit(_ gate: Int32, below node: Int32, holds: Bool) -> [Int32]? {
    if values[Int(gate)] > 0 { return nil }
    steps += 1
    if holds { return scan(gate) }
    if values[Int(gate)] == 0 { enqueue(!Ref(node: gate), because: node) }
    return nil
  }

  /// Looks at what was learned about a part that has come to hold.
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

  /// What the parts of a conjunction say about it, and it about the last open one of them.
  private mutating func scan(_ node: Int32) -> [Int32]? {
    // One that holds has had its parts made to hold.
    if values[Int(node)] > 0 { return nil }
    let isRefuted = values[Int(node)] < 0
    var (one, other) = doubtful[Int(node)]
    if value(of: parts[Int(one)]) == true { swap(&one, &other) }
    var open: Ref?
    if let place = doubt(of: node, from: one, besides: -1) {
      one = place
      var isDoubted = !isRefuted || value(of: parts[Int(one)]) == false
      if !isDoubted, let place = doubt(of: node, from: other, besides: one) {
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

  /// The place of a part of a conjunction that does not hold, from a place on and then from the beginning;
  /// nil if there is none besides one.
  private mutating func doubt(of node: Int32, from start: Int32, besides one: Int32) -> Int32? {
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

  /// Looks for a model in which `roots` hold.
  package mutating func run(_ roots: [Ref]) -> Result {
    let result = answer(roots)
    budget.question?.charge(steps)
    steps = 0
    return result
  }

  /// Asserts what holds in all questions of a search that is asked again.
  package mutating func state(_ axioms: [Ref]) {
    for axiom in axioms where !isContradictory {
      isContradictory = assign(axiom, because: []) != nil
    }
    base = present
  }

  /// Looks for a model in which `roots` hold beside all that was stated. Of the question before only what
  /// both have in common at their beginning is kept, and what was learned: it rests on no decision, and so
  /// not on what a question asks for.
  package mutating func run(assuming roots: [Ref], within budget: SearchBudget) -> Result {
    begin(with: roots, within: budget)
    let result: Result = isContradictory ? .unsatisfiable : answer([])
    budget.question?.charge(steps)
    steps = 0
    return result
  }

  #if !hasFeature(Embedded)
    /// The same, but nothing is decided that is not asked for: it has no model, or that stays open.
    mutating func propagate(assuming roots: [Ref], within budget: SearchBudget) -> Result {
      begin(with: roots, within: budget, asks: false)
      var isRefuted = isContradictory
      while !isRefuted, marks.count < firstLevel, !isSpent() { isRefuted = !assume() }
      let result: Result = isRefuted && !isSpent() ? .unsatisfiable : .givenUp
      budget.question?.charge(steps)
      steps = 0
      return result
    }
  #endif

  /// Begins a question, of which nothing is decided yet. Who decides nothing else `asks` for nothing.
  private mutating func begin(
    with roots: [Ref], within budget: SearchBudget, asks: Bool = true
  ) {
    use(budget)
    (conflicts, restarts, nextRestart) = (0, 0, Self.restartUnit)
    proof = []
    core = nil
    // What questions have in common at their beginning need not be decided again.
    var shared = min(marks.count, assumptions.count, roots.count)
    for place in 0..<shared where assumptions[place] != roots[place] {
      shared = place
      break
    }
    back(to: shared)
    if asks, !isAskedFor || roots != assumptions { ask(roots) }
    (assumptions, firstLevel, isAskedFor) = (roots, roots.count, asks)
  }

  /// Has what comes next paid by a budget.
  mutating func use(_ budget: SearchBudget) {
    self.budget = budget
    theory.budget = budget.question
  }

  /// Decides the next proposition that the question asks for; false if that contradicts those before it.
  private mutating func assume() -> Bool {
    mark()
    let assumption = assumptions[marks.count - 1]
    guard let conflict = assign(assumption, because: []) else { return true }
    note(conflict, with: assumption)
    back(to: marks.count - 1)
    return false
  }

  private mutating func mark() { marks.append(present) }

  /// How far everything is.
  var present: Mark {
    Mark(
      trail: trail.count, theory: theory.mark, frontier: frontier.count,
      settled: frontier.settledCount, because: because.count)
  }

  private mutating func answer(_ roots: [Ref]) -> Result {
    for root in roots {
      if assign(root, because: []) != nil { return refuted() }
    }
    while true {
      // What was left half done when the budget was spent is no state to conclude anything from.
      if isSpent() { return .givenUp }
      if marks.count < firstLevel {
        if !assume() { return isSpent() ? .givenUp : refuted() }
        continue
      }
      guard let choice = wish() ?? choose() else {
        guard let conflict = finalConflict() else { return isSpent() ? .givenUp : .satisfiable }
        if !resolve(conflict) { return refuted() }
        restart()
        continue
      }
      decisions += 1
      mark()
      guard let conflict = assign(choice, because: []) else { continue }
      if !resolve(conflict) { return refuted() }
      restart()
    }
  }

  private mutating func refuted() -> Result {
    proof.append(.learned([]))
    return .unsatisfiable
  }

  /// After so many steps the budget is told.
  private static let pace = 1000

  private mutating func isSpent() -> Bool {
    guard let question = budget.question else { return conflicts > budget.conflicts }
    if steps >= Self.pace {
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
