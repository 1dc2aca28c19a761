import RulesEval
import RulesLang

/// Why one scenario of a claim has no counterexample: the question, and the steps of the search that
/// showed it.
struct Refutation {
  /// The question with all facts that were added to it.
  let goal: Goal
  /// What the search found out, in order.
  let steps: [ProofStep]
  /// The facts that were added to the question after it was stated, as clauses.
  let facts: [Ref]

  /// Notes how a search of a question ended.
  init(_ goal: Goal, _ steps: [ProofStep], added facts: [Ref]) {
    self.goal = goal
    self.steps = steps
    self.facts = facts
  }

  /// The steps on lines, each after the terms and propositions that it is the first to mention.
  var lines: [String] {
    var writer = StepWriter(goal.compiler.problem)
    for fact in facts { writer.justify([fact]) }
    for step in steps {
      switch step {
      case .theory(let clause): writer.justify(clause)
      case .learned(let clause): writer.learn(clause)
      }
    }
    return ["question " + goal.scenario.line] + writer.lines
  }
}

/// Writes steps, with numbers of its own for terms and propositions.
struct StepWriter {
  private var problem: Problem
  private var termNumbers: [TermID: Int] = [:]
  private var nodeNumbers: [Int32: Int] = [:]
  private var written: Set<ValueRule> = []
  /// The lines so far.
  private(set) var lines: [String] = []

  /// Starts with no line.
  init(_ problem: Problem) { self.problem = problem }

  // MARK: Steps

  /// Writes that one of some literals holds.
  mutating func learn(_ clause: [Ref]) {
    for literal in clause { define(literal.node) }
    lines.append("learn" + numbers(clause))
  }

  /// Writes the rules that show a clause, and the clause.
  mutating func justify(_ clause: [Ref]) {
    let (known, choices) = problem.graph.parts(of: clause.map { !$0 })
    if let known {
      var facts: [(Atom, Bool)] = []
      for node in known.keys.sorted() {
        if let atom = problem.graph.atoms[Int(node)] { facts.append((atom, known[node] == true)) }
      }
      var elaboration = Elaboration(facts, problem)
      if elaboration.run() {
        problem = elaboration.problem
        for rule in needed(elaboration.rules, for: clause) { write(rule) }
      } else if let choice = choices.first, choices.count <= 8 {
        // One of the parts of this conjunction does not hold; each in turn.
        for part in problem.graph.children(of: Int(choice.node)) where !clause.contains(part) {
          justify(clause + [part])
        }
      }
    }
    learn(clause)
  }

  /// The rules without those that are not needed to derive a clause.
  private mutating func needed(_ rules: [ValueRule], for clause: [Ref]) -> [ValueRule] {
    let clauses = rules.map { $0.clauses(in: &problem) ?? [] }
    var kept = Array(rules.indices)
    for place in rules.indices.reversed() {
      let fewer = kept.filter { $0 != place }
      if problem.graph.refutes(clause.map { !$0 }, by: fewer.flatMap { clauses[$0] }) {
        kept = fewer
      }
    }
    return kept.map { rules[$0] }
  }

  private mutating func write(_ rule: ValueRule) {
    guard written.insert(rule).inserted else { return }
    for term in rule.terms { define(term) }
    var literals = rule.literals
    if let atom = rule.atom { literals.append(problem.graph.atom(atom)) }
    for literal in literals { define(literal.node) }
    lines.append("rule " + rule.words({ termNumbers[$0] ?? 0 }, numbers(literals)))
  }

  /// Writes literals that hold.
  mutating func state(_ literals: [Ref]) {
    for literal in literals { define(literal.node) }
    lines.append("holds" + numbers(literals))
  }

  private func numbers(_ literals: some Sequence<Ref>) -> String {
    literals.reduce("") { text, literal in
      text + (literal.isNegated ? " -" : " ") + "\(nodeNumbers[literal.node] ?? 0)"
    }
  }
  /// Defines a node and what it is made of; children have smaller numbers than their gate.
  private mutating func define(_ root: Int32) {
    var open = [root]
    var needed: Set<Int32> = []
    while let node = open.popLast() {
      if nodeNumbers[node] == nil, needed.insert(node).inserted {
        open += problem.graph.children(of: Int(node)).map { $0.node }
      }
    }
    for node in needed.sorted() {
      let line: String
      if let atom = problem.graph.atoms[Int(node)] {
        for term in atom.terms { define(term) }
        line = atom.line({ termNumbers[$0] ?? 0 }, problem.patterns)
      } else {
        line = "gate" + numbers(problem.graph.children(of: Int(node)))
      }
      nodeNumbers[node] = nodeNumbers.count + 1
      lines.append(line)
    }
  }

  private mutating func define(_ term: TermID) {
    var open = [term]
    var needed: Set<TermID> = []
    while let next = open.popLast() {
      if termNumbers[next] == nil, needed.insert(next).inserted {
        open += problem.terms.arguments(of: next)
      }
    }
    for next in needed.sorted() {
      let line = "term " + problem.terms.definition(of: next) { termNumbers[$0] ?? 0 }
      termNumbers[next] = termNumbers.count + 1
      lines.append(line)
    }
  }
}

extension Graph {
  /// What literals say of each node, with conjunctions that hold taken apart, and the conjunctions of
  /// which some part does not hold; nil for the first if that is contradictory.
  fileprivate func parts(of literals: [Ref]) -> (known: [Int32: Bool]?, choices: [Ref]) {
    var open = literals
    var known: [Int32: Bool] = [:]
    var choices: [Ref] = []
    while let literal = open.popLast() {
      let parts = children(of: Int(literal.node))
      if literal == .no || known[literal.node] == literal.isNegated { return (nil, []) }
      known[literal.node] = !literal.isNegated
      if !parts.isEmpty, literal.isNegated { choices.append(literal) }
      if !parts.isEmpty, !literal.isNegated { open += parts }
    }
    let undecided = choices.filter { choice in
      !children(of: Int(choice.node)).contains { known[$0.node] == $0.isNegated }
    }
    return (known, undecided)
  }

  /// Whether literals contradict some clauses by unit propagation.
  fileprivate func refutes(_ literals: [Ref], by clauses: [[Ref]]) -> Bool {
    var numbers: [Int32: Int32] = [0: 0]
    var base = ClauseBase()
    var gates: [Int32] = []
    func number(_ ref: Ref) -> Ref {
      var number = numbers[ref.node]
      if number == nil {
        number = Int32(numbers.count)
        numbers[ref.node] = number
        gates.append(ref.node)
      }
      let own = Ref(node: number ?? 0)
      return ref.isNegated ? !own : own
    }
    let local = clauses.map { $0.map { number($0) } }
    let own = literals.map { number($0) }
    var definitions: [(gate: Ref, parts: [Ref])] = []
    while let node = gates.popLast() {
      if children(of: Int(node)).isEmpty { continue }
      definitions.append((number(Ref(node: node)), children(of: Int(node)).map { number($0) }))
    }
    base.grow(to: numbers.count)
    for definition in definitions { base.define(definition.gate, as: definition.parts) }
    for clause in local { base.add(clause) }
    return base.refutes(own)
  }
}

extension Atom {
  /// The atom on a line: `atom same 1 4`.
  fileprivate func line(_ number: (TermID) -> Int, _ patterns: PatternTable) -> String {
    switch self {
    case .same(let left, let right): "atom same \(number(left)) \(number(right))"
    case .type(let term, let type): "atom type \(number(term)) " + type.word
    case .atMost(let term, let domain, let bound):
      "atom most \(number(term)) " + domain.type.word + " \(bound)"
    case .floatAtMost(let term, let bound):
      "atom " + (bound.isStrict ? "below" : "float") + " \(number(term)) "
        + ConstantText.bits(bound.value)
    case .difference(let left, let right, let domain, let bound):
      "atom difference \(number(left)) \(number(right)) " + domain.type.word + " \(bound)"
    case .matches(let term, let pattern):
      "atom matches \(number(term)) "
        + ConstantText.escaped(patterns[pattern].source.bytes)
    }
  }
}
