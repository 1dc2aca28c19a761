package import RulesEval
package import RulesLang

// A satisfiability query: terms, propositions about them, and axioms. A claim is proved if its
// queries have no model. This file only builds terms and propositions; `Encode` gives them their
// meaning for rules.
//
// Propositions are facts about terms and conjunctions; a disjunction is a negated conjunction of
// negations. Equal nodes are shared (hash-consing), and the parts of a conjunction have smaller
// indices than it.

/// The query "some request refutes a claim", as propositions over terms.
package struct Question: Sendable {
  /// The definition of each term.
  package private(set) var forms: [TermForm] = []
  private var types: [TypeSet] = []
  private var values: [Value?] = []
  private var knownTerms: [TermForm: Term] = [:]

  /// The fact of each node; nil for conjunctions and for node 0, which is true.
  package private(set) var facts: [Fact?] = [nil]
  /// The parts of each node's conjunction; empty for facts and for node 0.
  package private(set) var parts: [[Prop]] = [[]]
  /// The total number of parts of all conjunctions.
  private(set) var size = 0
  private var knownFacts: [Fact: Prop] = [:]
  private var knownGates: [[Prop]: Prop] = [:]
  private var patterns: [Text: Pattern] = [:]
  /// True if the evaluator does not model some operation on constants, or some pattern, in the query.
  package internal(set) var isUnmodelled = false

  /// The propositions asserted of a refuting request.
  package private(set) var axioms: [Prop] = []
  private var isAxiom: Set<Prop> = []
  /// The axioms about the claim; all others are true of every request.
  package private(set) var goals: [Prop] = []

  /// The beginning of the query that other claims share; nil if none do.
  package private(set) var prefix: QueryPrefix?

  /// The constant true.
  package let yes = Term(0)
  /// The constant false.
  package let no = Term(1)
  /// The constant null.
  package let null = Term(2)

  /// Creates a query with the constants true, false and null.
  package init() {
    for value in [.bool(true), .bool(false), .null] as [Value] { _ = constant(value) }
  }

  /// Marks all terms and propositions so far as the beginning of the queries of several claims.
  mutating func share() {
    prefix = QueryPrefix(terms: forms.count, nodes: facts.count)
  }

  /// The size of the query: terms, propositions, and parts of conjunctions.
  package var extent: Int { forms.count + facts.count + size }

  // MARK: Terms

  /// Returns the term of a constant.
  ///
  /// - Requires: `Value.isPlain`.
  package mutating func constant(_ value: Value) -> Term {
    add(.constant(Identity(of: value)), of: TypeSet(value.type), value: value)
  }

  /// Returns the term of a string.
  mutating func text(_ text: Text) -> Term { constant(.string(text)) }

  /// Returns the term of an unknown part of the request with these types.
  mutating func unknown(_ unknown: Unknown, of types: TypeSet) -> Term {
    add(.unknown(unknown), of: types, value: nil)
  }

  /// Returns the term of an application, or a constant if the evaluator can compute it.
  mutating func apply(_ functor: Functor, to arguments: [Term]) -> Term {
    let known = arguments.compactMap { values[$0.index] }
    if known.count == arguments.count {
      if let value = functor.value(of: known) { return constant(value) }
      if functor.isUnmodelled(on: known) { isUnmodelled = true }
    }
    let types = types(of: functor, arguments)
    return add(.apply(functor, arguments), of: types, value: nil)
  }

  private mutating func add(_ form: TermForm, of typeSet: TypeSet, value: Value?) -> Term {
    if let known = knownTerms[form] { return known }
    let term = Term(forms.count)
    forms.append(form)
    types.append(typeSet)
    values.append(value)
    knownTerms[form] = term
    return term
  }

  /// Returns the term with a definition, if there is one.
  package func term(_ form: TermForm) -> Term? { knownTerms[form] }

  /// Returns the definition of a term.
  package subscript(_ term: Term) -> TermForm { forms[term.index] }

  /// Returns the possible types of a term.
  package func types(of term: Term) -> TypeSet { types[term.index] }

  /// Returns the value of a constant; nil for other terms.
  package func value(of term: Term) -> Value? { values[term.index] }

  /// Returns the text of a constant string; nil for other terms.
  func text(of term: Term) -> Text? {
    if case .string(let text)? = values[term.index] { return text }
    return nil
  }

  /// Returns the arguments of an application; empty for other terms.
  package func arguments(of term: Term) -> [Term] {
    if case .apply(_, let arguments) = forms[term.index] { return arguments }
    return []
  }

  // MARK: Propositions

  /// Returns the conjunction of `props`.
  package mutating func all(_ props: [Prop]) -> Prop {
    var flat: Set<Prop> = []
    for prop in props where prop != .yes {
      // Nested conjunctions are flattened.
      let inner = prop.isDenied ? [] : parts[prop.node]
      flat.formUnion(inner.isEmpty ? [prop] : inner)
    }
    if flat.contains(.no) || flat.contains(where: { flat.contains(!$0) }) { return .no }
    let sorted = flat.sorted { $0.raw < $1.raw }
    if sorted.count < 2 { return sorted.first ?? .yes }
    if let known = knownGates[sorted] { return known }
    let gate = add(nil, of: sorted)
    knownGates[sorted] = gate
    return gate
  }

  /// Returns the disjunction of `props`.
  mutating func any(_ props: [Prop]) -> Prop { !all(props.map { !$0 }) }

  /// Returns the equivalence of two propositions.
  mutating func iff(_ one: Prop, _ other: Prop) -> Prop {
    all([!all([one, !other]), !all([!one, other])])
  }

  private mutating func add(_ fact: Fact?, of parts: [Prop]) -> Prop {
    facts.append(fact)
    self.parts.append(parts)
    size += parts.count
    return Prop(node: facts.count - 1)
  }

  /// Returns the node of a fact, without simplification.
  package mutating func atom(_ fact: Fact) -> Prop {
    if let known = knownFacts[fact] { return known }
    let prop = add(fact, of: [])
    knownFacts[fact] = prop
    return prop
  }

  /// Adds an axiom: a proposition that is true of every request.
  mutating func require(_ prop: Prop) {
    if prop != .yes, isAxiom.insert(prop).inserted { axioms.append(prop) }
  }

  /// Asserts a proposition of the refuting request.
  mutating func aim(_ prop: Prop) {
    goals.append(prop)
    require(prop)
  }

  /// Adds the axiom that `one` implies `other`.
  mutating func require(_ one: Prop, implies other: Prop) { require(!all([one, !other])) }

  /// Returns "the predicate holds of these terms".
  mutating func holds(_ functor: Functor, of arguments: [Term]) -> Prop {
    same(apply(functor, to: arguments), yes)
  }

  // MARK: Facts, decided where they are about constants

  /// Returns "both terms are the same value".
  package mutating func same(_ left: Term, _ right: Term) -> Prop {
    if left == right { return .yes }
    if types(of: left).isDisjoint(with: types(of: right)) { return .no }
    if value(of: left) != nil, value(of: right) != nil { return .no }
    // There is one null, so being null is a type; and a bool is true or false.
    if left == null { return isType(of: right, in: .null) }
    if right == null { return isType(of: left, in: .null) }
    for (one, other) in [(left, right), (right, left)]
    where other == no && types(of: one) == .bool {
      return !same(one, yes)
    }
    return atom(left < right ? .same(left, right) : .same(right, left))
  }

  /// Returns "the term has one of these types".
  package mutating func isType(of term: Term, in wanted: TypeSet) -> Prop {
    let possible = types(of: term)
    let left = possible.intersection(wanted)
    if left.isEmpty { return .no }
    if left == possible { return .yes }
    return any(left.types.map { atom(.type(term, $0)) })
  }

  /// Returns "the term has the scale's type and is at most `bound`".
  package mutating func most(_ term: Term, on scale: Scale, bound: Int128) -> Prop {
    if let value = value(of: term) {
      return value.count(in: scale).map { $0 <= bound ? .yes : .no } ?? .no
    }
    return atom(.most(term, scale, bound))
  }

  /// Returns `one <= other + number`; a missing term is zero.
  ///
  /// - Requires: Both terms have the scale's type.
  package mutating func bound(
    _ one: Term?, by other: Term?, plus number: Int128, on scale: Scale
  ) -> Prop {
    switch (one, other) {
    case (.some(let one), .none): return most(one, on: scale, bound: number)
    case (.none, .some(let other)): return !most(other, on: scale, bound: -number - 1)
    case (.some(let one), .some(let other)) where one < other:
      return atom(.difference(one, other, scale, number))
    case (.some(let one), .some(let other)) where other < one:
      return !atom(.difference(other, one, scale, -number - 1))
    default: return number >= 0 ? .yes : .no
    }
  }

  /// Returns "the term is a float within `bound`".
  mutating func within(_ term: Term, bound: FloatBound) -> Prop {
    guard let value = value(of: term) else { return atom(.float(term, bound)) }
    guard case .float(let number) = value else { return .no }
    return bound.includes(number) ? .yes : .no
  }

  /// Returns "the term is a string that the pattern matches"; nil if the pattern is invalid.
  mutating func matches(_ term: Term, pattern source: Text) -> Prop? {
    guard let pattern = pattern(source) else { return nil }
    guard let value = value(of: term) else { return atom(.matches(term, source)) }
    guard case .string(let text) = value else { return .no }
    return pattern.matches(text) ? .yes : .no
  }

  /// Returns the compiled pattern; nil if it is invalid or too large, which sets `isUnmodelled`.
  package mutating func pattern(_ source: Text) -> Pattern? {
    if let known = patterns[source] { return known }
    do throws(PatternError) {
      let pattern = try Pattern(source)
      patterns[source] = pattern
      return pattern
    } catch {
      if error.reason == .tooLarge { isUnmodelled = true }
      return nil
    }
  }

  /// Returns the proposition of a fact, simplified if its terms are constants.
  package mutating func proposition(_ fact: Fact) -> Prop {
    switch fact {
    case .same(let one, let other): same(one, other)
    case .type(let term, let type): isType(of: term, in: TypeSet(type))
    case .most(let term, let scale, let number): most(term, on: scale, bound: number)
    case .float(let term, let bound): within(term, bound: bound)
    case .matches(let term, let source): matches(term, pattern: source) ?? atom(fact)
    case .difference: atom(fact)
    }
  }
}

/// The beginning of the queries of several claims, which are equal up to it.
package final class QueryPrefix: Sendable {
  /// The number of terms.
  package let terms: Int
  /// The number of nodes.
  package let nodes: Int

  init(terms: Int, nodes: Int) { (self.terms, self.nodes) = (terms, nodes) }
}
