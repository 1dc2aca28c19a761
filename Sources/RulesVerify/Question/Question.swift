package import RulesEval
package import RulesLang

// A question: terms, propositions about them, and axioms. It has no model if a claim is proved. Here
// is only how terms and propositions are put together; what they say of rules is in `Encode`.
//
// Propositions are facts about terms and conjunctions; a disjunction is the denial of a conjunction of
// denials. Each is kept once, and the parts of a conjunction come before it.

/// Whether there is a request that shows that a claim does not hold, as propositions over terms.
package struct Question: Sendable {
  /// What each term is.
  package private(set) var forms: [TermForm] = []
  private var types: [TypeSet] = []
  private var values: [Value?] = []
  private var knownTerms: [TermForm: Term] = [:]

  /// By node, its fact; nil for conjunctions and for node 0, which always holds.
  package private(set) var facts: [Fact?] = [nil]
  /// By node, the parts of a conjunction; empty for facts and for node 0.
  package private(set) var parts: [[Prop]] = [[]]
  /// How many parts all conjunctions have together.
  private(set) var size = 0
  private var knownFacts: [Fact: Prop] = [:]
  private var knownGates: [[Prop]: Prop] = [:]
  private var patterns: [Text: Pattern] = [:]
  /// Whether something was asked for to which the evaluator has no answer, whatever the request.
  package internal(set) var isUnmodelled = false

  /// What holds of every request that shows that the claim does not hold.
  package private(set) var axioms: [Prop] = []
  private var isAxiom: Set<Prop> = []
  /// Those of the axioms that are about the claim; the others are true of every request.
  package private(set) var goals: [Prop] = []

  /// The constants true, false and null.
  package let yes = Term(0)
  /// The constant false.
  package let no = Term(1)
  /// The constant null.
  package let null = Term(2)

  /// Starts with the constants true, false and null.
  package init() {
    for value in [.bool(true), .bool(false), .null] as [Value] { _ = constant(value) }
  }

  // MARK: Terms

  /// The term of a constant, which is plain (`Value.isPlain`).
  package mutating func constant(_ value: Value) -> Term {
    add(.constant(Identity(of: value)), of: TypeSet(value.type), value: value)
  }

  /// The term of a text.
  mutating func text(_ text: Text) -> Term { constant(.string(text)) }

  /// The term of something that a request leaves open, of one of some types.
  mutating func unknown(_ unknown: Unknown, of types: TypeSet) -> Term {
    add(.unknown(unknown), of: types, value: nil)
  }

  /// The term of an application; a constant if the evaluator can compute it.
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

  /// The term with a form, if there is one.
  package func term(_ form: TermForm) -> Term? { knownTerms[form] }

  /// What a term is.
  package subscript(_ term: Term) -> TermForm { forms[term.index] }

  /// The types that a term can have.
  package func types(of term: Term) -> TypeSet { types[term.index] }

  /// The value of a constant; nil for other terms.
  package func value(of term: Term) -> Value? { values[term.index] }

  /// The text of a constant string.
  func text(of term: Term) -> Text? {
    if case .string(let text)? = values[term.index] { return text }
    return nil
  }

  /// The arguments of an application; empty for other terms.
  package func arguments(of term: Term) -> [Term] {
    if case .apply(_, let arguments) = forms[term.index] { return arguments }
    return []
  }

  // MARK: Propositions

  /// All of these hold.
  package mutating func all(_ props: [Prop]) -> Prop {
    var flat: Set<Prop> = []
    for prop in props where prop != .yes {
      // A conjunction inside a conjunction is part of it.
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

  /// One of these holds.
  mutating func any(_ props: [Prop]) -> Prop { !all(props.map { !$0 }) }

  /// Both or neither hold.
  mutating func iff(_ one: Prop, _ other: Prop) -> Prop {
    all([!all([one, !other]), !all([!one, other])])
  }

  private mutating func add(_ fact: Fact?, of parts: [Prop]) -> Prop {
    facts.append(fact)
    self.parts.append(parts)
    size += parts.count
    return Prop(node: facts.count - 1)
  }

  /// The proposition of a fact, as it stands.
  package mutating func atom(_ fact: Fact) -> Prop {
    if let known = knownFacts[fact] { return known }
    let prop = add(fact, of: [])
    knownFacts[fact] = prop
    return prop
  }

  /// States what holds of every request.
  mutating func require(_ prop: Prop) {
    if prop != .yes, isAxiom.insert(prop).inserted { axioms.append(prop) }
  }

  /// States what holds of a request that shows that the claim does not hold.
  mutating func aim(_ prop: Prop) {
    goals.append(prop)
    require(prop)
  }

  /// States that one thing implies another.
  mutating func require(_ one: Prop, implies other: Prop) { require(!all([one, !other])) }

  /// A predicate holds of terms.
  mutating func holds(_ functor: Functor, of arguments: [Term]) -> Prop {
    same(apply(functor, to: arguments), yes)
  }

  // MARK: Facts, decided where they are about constants

  /// Two terms are the same value.
  package mutating func same(_ left: Term, _ right: Term) -> Prop {
    if left == right { return .yes }
    if types(of: left).isDisjoint(with: types(of: right)) { return .no }
    if value(of: left) != nil, value(of: right) != nil { return .no }
    // There is one null, so being null is a matter of type; and what is a bool is true or false.
    if left == null { return isType(of: right, in: .null) }
    if right == null { return isType(of: left, in: .null) }
    for (one, other) in [(left, right), (right, left)]
    where other == no && types(of: one) == .bool {
      return !same(one, yes)
    }
    return atom(left < right ? .same(left, right) : .same(right, left))
  }

  /// A term has one of some types.
  package mutating func isType(of term: Term, in wanted: TypeSet) -> Prop {
    let possible = types(of: term)
    let left = possible.intersection(wanted)
    if left.isEmpty { return .no }
    if left == possible { return .yes }
    return any(left.types.map { atom(.type(term, $0)) })
  }

  /// A term is of a scale's type and at most a bound.
  package mutating func most(_ term: Term, on scale: Scale, bound: Int128) -> Prop {
    if let value = value(of: term) {
      return value.count(in: scale).map { $0 <= bound ? .yes : .no } ?? .no
    }
    return atom(.most(term, scale, bound))
  }

  /// `one <= other + number`, given that both are of the scale's type; no term stands for zero.
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

  /// A term is a float within a bound.
  mutating func within(_ term: Term, bound: FloatBound) -> Prop {
    guard let value = value(of: term) else { return atom(.float(term, bound)) }
    guard case .float(let number) = value else { return .no }
    return bound.includes(number) ? .yes : .no
  }

  /// A term is a string that a pattern matches; nil if the text is no pattern.
  mutating func matches(_ term: Term, pattern source: Text) -> Prop? {
    guard let pattern = pattern(source) else { return nil }
    guard let value = value(of: term) else { return atom(.matches(term, source)) }
    guard case .string(let text) = value else { return .no }
    return pattern.matches(text) ? .yes : .no
  }

  /// The pattern with a text; nil if there is none.
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

  /// The proposition of a fact, decided if it is about constants.
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
