import RulesEval
import RulesLang
import RulesVerify

// Elaborates a theory lemma, a set of inconsistent literals, into a list of the checker's rules,
// independently of how the search found it. Terms of equal value have a leader, which is a constant
// if there is one; facts about a term are moved to its leader.
//
// Need not be trusted or complete: the checker verifies every rule, and a lemma without a
// derivation only costs the certificate.

/// Derives a contradiction from literals by the checker's rules.
struct Elaboration {
  /// The terms and propositions, extended by those of the rules.
  var question: Question
  /// The atoms with their truth.
  let facts: [(atom: Fact, holds: Bool)]
  /// The rules used so far.
  private(set) var rules: [ValueRule] = []
  /// The number of terms looked through so far.
  private(set) var effort = 0
  /// The terms of the facts, with their subterms.
  private(set) var terms: [Term] = []
  private var used: Set<ValueRule> = []
  private var leaders: [Term: Term] = [:]
  private var isContradictory = false

  init(of facts: [(Fact, Bool)], in question: Question) {
    self.facts = facts.map { (atom: $0.0, holds: $0.1) }
    self.question = question
    add([question.yes, question.no, question.null])
    for fact in self.facts { add(fact.atom.terms) }
  }

  private mutating func add(_ more: [Term]) {
    var open = more
    while let term = open.popLast() {
      if leaders[term] != nil { continue }
      leaders[term] = term
      terms.append(term)
      open += question.arguments(of: term)
    }
  }

  mutating func use(_ rule: ValueRule) {
    if used.insert(rule).inserted { rules.append(rule) }
  }

  /// True if rules were found that refute the facts.
  mutating func run() -> Bool {
    for fact in facts where fact.holds {
      if case .same(let one, let other) = fact.atom { merge(one, with: other) }
      if case .type(let term, .null) = fact.atom { merge(term, with: question.null) }
    }
    while !isContradictory, close() || settle() {}
    if isContradictory { return true }
    for case (.same(let one, let other), false) in facts {
      differ(one, from: other)
      if leader(one) == leader(other) { return true }
    }
    for term in classes {
      explainTypes(of: term)
      if types(term).isEmpty { return true }
    }
    return isInsideItself() || isOutOfOrder()
  }

  // MARK: Values

  func leader(_ term: Term) -> Term { leaders[term] ?? term }

  /// The leaders, one for each value.
  var classes: [Term] { terms.filter { leader($0) == $0 } }

  /// Returns the constant in a term's class, or nil.
  func constant(_ term: Term) -> Value? { question.value(of: leader(term)) }

  /// Merges the classes of two terms.
  ///
  /// - Requires: Their equality follows from the rules so far.
  private mutating func merge(_ one: Term, with other: Term) {
    add([one, other])
    var (new, old) = (one, other)
    if constant(old) != nil { swap(&new, &old) }
    let (kept, lost) = (leader(new), leader(old))
    if kept == lost { return }
    use(.chain(lost, old, new))
    use(.chain(lost, new, kept))
    for term in terms where leaders[term] == lost {
      use(.chain(term, lost, kept))
      leaders[term] = kept
    }
    if question.same(lost, kept) == .no { isContradictory = true }
  }

  /// Derives the equality of two terms of one class.
  private mutating func join(_ one: Term, with other: Term) {
    if one != other { use(.chain(one, leader(one), other)) }
  }

  /// Derives the disequality of the leaders from that of two terms.
  private mutating func differ(_ one: Term, from other: Term) {
    use(.chain(one, leader(one), leader(other)))
    use(.chain(one, leader(other), other))
  }

  /// Returns the leaders that a term must differ from.
  mutating func others(than term: Term) -> [Term] {
    var others: [Term] = []
    for case (.same(let one, let other), false) in facts {
      guard leader(one) == leader(term) || leader(other) == leader(term) else { continue }
      differ(one, from: other)
      others.append(leader(one) == leader(term) ? leader(other) : leader(one))
    }
    return others
  }

  // MARK: Functors

  /// Applies one rule of congruence or evaluation; false if none applies.
  private mutating func close() -> Bool {
    var known: [TermForm: Term] = [:]
    effort += terms.count
    for term in terms {
      guard case .apply(let op, let arguments) = question[term] else { continue }
      let leaders = arguments.map { leader($0) }
      if let other = known[.apply(op, leaders)] {
        if leader(other) == leader(term) { continue }
        for (one, two) in zip(question.arguments(of: other), arguments) { join(one, with: two) }
        use(.apply(other, term))
        merge(other, with: term)
        return true
      }
      known[.apply(op, leaders)] = term
      let values = leaders.compactMap { question.value(of: $0) }
      guard values.count == arguments.count, let value = value(of: op, values) else { continue }
      let constant = question.constant(value)
      if leader(term) == constant { continue }
      use(.compute(term, leaders))
      merge(term, with: constant)
      return true
    }
    return false
  }

  private func value(of op: Functor, _ values: [Value]) -> Value? {
    op.value(of: values)
  }

  /// Determines a term with only one possible value; false if there is none.
  private mutating func settle() -> Bool {
    let (yes, no) = (question.yes, question.no)
    effort += terms.count * (terms.count + facts.count)
    for term in classes where constant(term) == nil {
      let types = types(term)
      guard types == .null || types == .bool else { continue }
      if types == .null {
        explainTypes(of: term)
        merge(term, with: question.null)
        return true
      }
      let others = others(than: term)
      guard let other = others.contains(yes) ? no : others.contains(no) ? yes : nil else {
        continue
      }
      explainTypes(of: term)
      use(.bool(term))
      merge(term, with: other)
      return true
    }
    return false
  }

  // MARK: Types

  /// Returns the remaining types of a term.
  func types(_ term: Term) -> TypeSet {
    var left = TypeSet.any
    for other in terms where leader(other) == leader(term) {
      left.formIntersection(question.types(of: other))
    }
    for fact in facts where fact.atom.terms.contains(where: { leader($0) == leader(term) }) {
      switch (fact.atom, fact.holds) {
      case (.type(_, let type), true): left.formIntersection(TypeSet(type))
      case (.type(_, let type), false): left.subtract(TypeSet(type))
      case (.most(_, let scale, _), true), (.difference(_, _, let scale, _), true):
        left.formIntersection(TypeSet(scale.type))
      case (.float, true): left.formIntersection(.float)
      case (.matches, true): left.formIntersection(.string)
      case (.same, _), (.most, false), (.difference, false), (.float, false),
        (.matches, false):
        break
      }
    }
    return left
  }

  /// Derives the remaining types of a class for its leader.
  private mutating func explainTypes(of leader: Term) {
    let members = terms.filter { self.leader($0) == leader && $0 != leader }
    for type in question.types(of: leader).types where constant(leader) == nil {
      if let member = members.first(where: { !question.types(of: $0).contains(type) }) {
        use(.move(.type(leader, type), leader, member))
      }
    }
    var found: [ValueType] = []
    for fact in facts {
      for term in fact.atom.terms where self.leader(term) == leader {
        guard let type = Self.type(of: fact) else { continue }
        if fact.atom != .type(term, type) { use(.typed(fact.atom)) }
        if term != leader { use(.move(.type(term, type), term, leader)) }
        if fact.holds { found.append(type) }
      }
    }
    for type in found.dropFirst() where type != found[0] { use(.oneType(leader, found[0], type)) }
    use(.types(leader))
  }

  /// Returns the type that a fact implies or denies; a bound that does not hold implies none.
  private static func type(of fact: (atom: Fact, holds: Bool)) -> ValueType? {
    switch (fact.atom, fact.holds) {
    case (.type(_, let type), _): type
    case (.most(_, let scale, _), true), (.difference(_, _, let scale, _), true): scale.type
    case (.float, true): .float
    case (.matches, true): .string
    case (.same, _), (.most, false), (.difference, false), (.float, false),
      (.matches, false):
      nil
    }
  }

  // MARK: Members

  /// True if a containment cycle was found.
  private mutating func isInsideItself() -> Bool {
    for start in classes {
      var ways: [(at: Term, terms: [Term])] = [(start, [])]
      var seen: Set<Term> = []
      while let way = ways.popLast() {
        for term in terms where leader(term) == way.at {
          guard case .apply(let op, let arguments) = question[term],
            op == .field || op == .element
          else { continue }
          let container = leader(arguments[0])
          if container == start {
            explain(inside: way.terms + [term])
            return true
          }
          if seen.insert(container).inserted { ways.append((container, way.terms + [term])) }
        }
      }
    }
    return false
  }

  private mutating func explain(inside chain: [Term]) {
    for (term, next) in zip(chain, chain.dropFirst() + chain.prefix(1)) {
      join(question.arguments(of: term)[0], with: next)
    }
    use(.inside(chain))
  }
}
