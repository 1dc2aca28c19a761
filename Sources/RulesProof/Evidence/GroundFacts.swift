import RulesEval
import RulesLang

// The checker's own theory: whether propositions about terms can hold together, decided anew for
// each lemma from the meaning of terms alone. Nothing is incremental or clever here; what is used:
//
// - the same operator on the same values gives the same value, and on constants what the evaluator
//   computes (`close`);
// - a constant is itself only, a value has one type, `bool` has two values and `null` one;
// - numbers, times, lengths and floats are ordered (`GroundFacts+Order`);
// - a text is matched by a pattern or is not (`GroundTexts`);
// - nothing is inside itself.

/// Propositions about terms that are taken to hold together.
struct GroundFacts {
  var problem: Problem
  /// The atoms with whether they hold.
  let facts: [(atom: Atom, holds: Bool)]
  /// The terms that the facts are about, with the terms inside.
  private(set) var terms: [TermID] = []
  /// The term that stands for all that are the same value.
  private var leaders: [TermID: TermID] = [:]

  /// Whether literals cannot hold together. Conjunctions that do not hold are taken apart case by
  /// case, a few of them at most; with more the answer is no.
  static func refute(_ literals: [Ref], _ problem: Problem) -> Bool {
    var open = literals
    var known: [Int32: Bool] = [:]
    var choices: [Ref] = []
    while let literal = open.popLast() {
      let parts = problem.graph.children[Int(literal.node)]
      if literal == .no || known[literal.node] == literal.isNegated { return true }
      known[literal.node] = !literal.isNegated
      if !parts.isEmpty, literal.isNegated { choices.append(literal) }
      if !parts.isEmpty, !literal.isNegated { open += parts }
    }
    var facts: [(Atom, Bool)] = []
    for node in known.keys.sorted() {
      if let atom = problem.graph.atoms[Int(node)] { facts.append((atom, known[node] == true)) }
    }
    var ground = GroundFacts(facts, problem)
    if ground.isContradictory() { return true }
    guard let choice = choices.first, choices.count <= 8 else { return false }
    known[choice.node] = nil
    let rest = known.map { $0.value ? Ref(node: $0.key) : !Ref(node: $0.key) }
    return problem.graph.children[Int(choice.node)].allSatisfy { refute(rest + [!$0], problem) }
  }

  init(_ facts: [(Atom, Bool)], _ problem: Problem) {
    self.facts = facts.map { (atom: $0.0, holds: $0.1) }
    self.problem = problem
    add([problem.terms.yes, problem.terms.no, problem.terms.null])
    for fact in self.facts { add(fact.atom.terms) }
  }

  private mutating func add(_ more: [TermID]) {
    var open = more
    while let term = open.popLast() {
      if leaders[term] != nil { continue }
      leaders[term] = term
      terms.append(term)
      open += problem.terms.arguments(of: term)
    }
  }

  // MARK: Values

  func leader(_ term: TermID) -> TermID { leaders[term] ?? term }

  private mutating func merge(_ one: TermID, _ other: TermID) -> Bool {
    add([one, other])
    let (new, old) = (leader(one), leader(other))
    if new == old { return false }
    for term in terms where leaders[term] == old { leaders[term] = new }
    return true
  }

  /// The constant that a term is; nil if none is known.
  func constant(_ term: TermID) -> Value? {
    for other in terms where leader(other) == leader(term) {
      if let value = problem.terms.value(of: other) { return value }
    }
    return nil
  }

  /// The types that are left for a term.
  func types(_ term: TermID) -> TypeSet {
    var left = TypeSet.any
    for other in terms where leader(other) == leader(term) {
      left.formIntersection(problem.terms.types(of: other))
    }
    for fact in facts where fact.atom.terms.contains(where: { leader($0) == leader(term) }) {
      switch (fact.atom, fact.holds) {
      case (.type(_, let type), true): left.formIntersection(TypeSet(type))
      case (.type(_, let type), false): left.subtract(TypeSet(type))
      case (.atMost(_, let domain, _), true), (.difference(_, _, let domain, _), true):
        left.formIntersection(TypeSet(domain.type))
      case (.floatAtMost, true): left.formIntersection(.float)
      case (.matches, true): left.formIntersection(.string)
      case (.same, _), (.atMost, false), (.difference, false), (.floatAtMost, false),
        (.matches, false):
        break
      }
    }
    return left
  }

  /// The terms that are known to be other values than a term.
  func others(than term: TermID) -> [TermID] {
    facts.compactMap { fact in
      guard case .same(let one, let other) = fact.atom, !fact.holds else { return nil }
      if leader(one) == leader(term) { return other }
      return leader(other) == leader(term) ? one : nil
    }
  }

  // MARK: Contradictions

  /// Whether no values of the terms make all facts true.
  mutating func isContradictory() -> Bool {
    for fact in facts {
      if fact.holds, case .same(let one, let other) = fact.atom { _ = merge(one, other) }
    }
    while close() || settle() {}
    return classes.contains { isImpossible($0) } || isInsideItself() || isOutOfOrder()
  }

  /// One term for each value.
  var classes: [TermID] { terms.filter { leader($0) == $0 } }

  private func isImpossible(_ term: TermID) -> Bool {
    if types(term).isEmpty { return true }
    let constants = terms.filter {
      leader($0) == leader(term) && problem.terms.value(of: $0) != nil
    }
    return constants.count > 1 || others(than: term).contains { leader($0) == leader(term) }
  }

  /// Applies operators to what is the same, and to constants. False if nothing new came of it.
  private mutating func close() -> Bool {
    var known: [TermKind: TermID] = [:]
    for term in terms {
      guard case .apply(let op, let arguments) = problem.terms[term] else { continue }
      let signature = TermKind.apply(op, arguments.map { leader($0) })
      if let other = known[signature], merge(other, term) { return true }
      known[signature] = term
      let values = arguments.compactMap { constant($0) }
      if values.count == arguments.count, let value = value(of: op, values),
        merge(term, problem.constant(value))
      {
        return true
      }
    }
    return false
  }

  private func value(of op: Operator, _ values: [Value]) -> Value? {
    op.isPredicate ? Facts.truth(of: op, values).map { .bool($0) } : Facts.value(of: op, values)
  }

  /// Finds the value of what can have only one. False if nothing new came of it.
  private mutating func settle() -> Bool {
    let (yes, no) = (problem.terms.yes, problem.terms.no)
    for term in classes where constant(term) == nil {
      let types = types(term)
      if types == .null { return merge(term, problem.terms.null) }
      guard types == .bool else { continue }
      let others = others(than: term).map { leader($0) }
      if others.contains(leader(yes)) { return merge(term, no) }
      if others.contains(leader(no)) { return merge(term, yes) }
    }
    return false
  }

  /// Whether a value would be inside itself.
  private func isInsideItself() -> Bool {
    classes.contains { start in
      var seen: Set<TermID> = []
      var open = containers(of: start)
      while let container = open.popLast() {
        if container == start { return true }
        if seen.insert(container).inserted { open += containers(of: container) }
      }
      return false
    }
  }

  private func containers(of value: TermID) -> [TermID] {
    terms.compactMap { term in
      guard leader(term) == value, case .apply(let op, let arguments) = problem.terms[term],
        op == .field || op == .element
      else { return nil }
      return leader(arguments[0])
    }
  }
}
