import RulesEval
import RulesLang
import RulesSolver
import RulesVerify

/// Writes proof steps as lines, numbering terms and propositions from 1.
struct StepWriter {
  private var question: Question
  private var termNumbers: [Term: Int] = [:]
  private var nodeNumbers: [Int: Int] = [:]
  private var written: Set<ValueRule> = []
  /// The lines so far.
  private(set) var lines: [String] = []
  /// The effort so far, in steps of a budget: lines, terms looked through, and clauses visited.
  private(set) var effort = 0

  /// Creates a writer without lines.
  init(_ question: Question) { self.question = question }

  // MARK: Steps

  /// Writes a learned clause.
  mutating func learn(_ clause: [Prop]) {
    for literal in clause { define(literal.node) }
    lines.append("learn" + numbers(clause))
    effort += clause.count
  }

  /// Writes a theory lemma: the rules that imply a clause, and the clause.
  mutating func justify(_ clause: [Prop]) {
    let (known, choices) = question.split(clause.map { !$0 })
    if let known {
      var facts: [(Fact, Bool)] = []
      for node in known.keys.sorted() {
        if let fact = question.facts[node] { facts.append((fact, known[node] == true)) }
      }
      var elaboration = Elaboration(of: facts, in: question)
      let isRefuted = elaboration.run()
      effort += elaboration.effort
      if isRefuted {
        question = elaboration.question
        for rule in needed(elaboration.rules, for: clause) { write(rule) }
      } else if let choice = choices.first, choices.count <= SearchStrategy.group {
        // A case split on the parts of one false conjunction.
        for part in question.parts[choice.node] where !clause.contains(part) {
          justify(clause + [part])
        }
      }
    }
    learn(clause)
  }

  /// Returns a minimal subset of the rules from which a clause follows by unit propagation.
  private mutating func needed(_ rules: [ValueRule], for clause: [Prop]) -> [ValueRule] {
    let clauses = rules.map { $0.clauses(in: &question) ?? [] }
    var kept = Array(rules.indices)
    for place in rules.indices.reversed() {
      let fewer = kept.filter { $0 != place }
      let (isRefuted, visits) = question.refutes(
        clause.map { !$0 }, by: fewer.flatMap { clauses[$0] })
      effort += visits
      if isRefuted { kept = fewer }
    }
    return kept.map { rules[$0] }
  }

  /// Writes a rule unless it has been written.
  mutating func write(_ rule: ValueRule) {
    guard written.insert(rule).inserted else { return }
    for term in rule.terms { define(term) }
    var literals = rule.literals
    if let fact = rule.fact { literals.append(question.atom(fact)) }
    for literal in literals { define(literal.node) }
    lines.append(
      "rule " + rule.words(numbering: { termNumbers[$0] ?? 0 }, propositions: numbers(literals)))
  }

  private func numbers(_ literals: some Sequence<Prop>) -> String {
    literals.reduce("") { text, literal in
      text + (literal.isDenied ? " -" : " ") + "\(nodeNumbers[literal.node] ?? 0)"
    }
  }

  /// Writes the definitions of a node and its cone; children have smaller indices.
  private mutating func define(_ root: Int) {
    var open = [root]
    var needed: Set<Int> = []
    while let node = open.popLast() {
      if nodeNumbers[node] == nil, needed.insert(node).inserted {
        open += question.parts[node].map { $0.node }
      }
    }
    for node in needed.sorted() {
      let line: String
      if let fact = question.facts[node] {
        for term in fact.terms { define(term) }
        line = fact.line { termNumbers[$0] ?? 0 }
      } else {
        line = "gate" + numbers(question.parts[node])
      }
      nodeNumbers[node] = nodeNumbers.count + 1
      lines.append(line)
    }
  }

  private mutating func define(_ term: Term) {
    var open = [term]
    var needed: Set<Term> = []
    while let next = open.popLast() {
      if termNumbers[next] == nil, needed.insert(next).inserted {
        open += question.arguments(of: next)
      }
    }
    for next in needed.sorted() {
      let line = "term " + question.definition(of: next) { termNumbers[$0] ?? 0 }
      termNumbers[next] = termNumbers.count + 1
      lines.append(line)
    }
  }
}

extension Question {
  /// Splits literals into the known truth of nodes, with true conjunctions taken apart, and the
  /// undecided false conjunctions. `known` is nil if the literals are contradictory.
  fileprivate func split(_ literals: [Prop]) -> (known: [Int: Bool]?, choices: [Prop]) {
    var open = literals
    var known: [Int: Bool] = [:]
    var choices: [Prop] = []
    while let literal = open.popLast() {
      let parts = self.parts[literal.node]
      if literal == .no || known[literal.node] == literal.isDenied { return (nil, []) }
      known[literal.node] = !literal.isDenied
      if !parts.isEmpty, literal.isDenied { choices.append(literal) }
      if !parts.isEmpty, !literal.isDenied { open += parts }
    }
    let undecided = choices.filter { choice in
      !parts[choice.node].contains { known[$0.node] == $0.isDenied }
    }
    return (known, undecided)
  }

  /// True if the literals and clauses are contradictory by unit propagation; with the effort.
  fileprivate func refutes(
    _ literals: [Prop], by clauses: [[Prop]]
  ) -> (isRefuted: Bool, visits: Int) {
    var numbers: [Int: Int] = [0: 0]
    var base = ClauseBase()
    var gates: [Int] = []
    func number(_ ref: Prop) -> Prop {
      var number = numbers[ref.node]
      if number == nil {
        number = numbers.count
        numbers[ref.node] = number
        gates.append(ref.node)
      }
      let own = Prop(node: number ?? 0)
      return ref.isDenied ? !own : own
    }
    let local = clauses.map { $0.map { number($0) } }
    let own = literals.map { number($0) }
    var definitions: [(gate: Prop, parts: [Prop])] = []
    while let node = gates.popLast() {
      if parts[node].isEmpty { continue }
      definitions.append((number(Prop(node: node)), parts[node].map { number($0) }))
    }
    base.grow(to: numbers.count)
    for definition in definitions { base.define(definition.gate, as: definition.parts) }
    for clause in local { base.add(clause) }
    let isRefuted = base.refutes(own)
    return (isRefuted, base.effort)
  }
}

extension Fact {
  /// Returns the fact as a line: `atom same 1 4`.
  fileprivate func line(_ number: (Term) -> Int) -> String {
    switch self {
    case .same(let left, let right): "atom same \(number(left)) \(number(right))"
    case .type(let term, let type): "atom type \(number(term)) " + type.word
    case .most(let term, let scale, let bound):
      "atom most \(number(term)) " + scale.type.word + " \(bound)"
    case .float(let term, let bound):
      "atom " + (bound.isStrict ? "below" : "float") + " \(number(term)) "
        + ConstantText.bits(bound.value)
    case .difference(let left, let right, let scale, let bound):
      "atom difference \(number(left)) \(number(right)) " + scale.type.word + " \(bound)"
    case .matches(let term, let pattern):
      "atom matches \(number(term)) " + ConstantText.escaped(pattern.bytes)
    }
  }
}
