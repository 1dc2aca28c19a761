package import RulesLang

/// A proposition about terms that is not made of others.
package enum Fact: Hashable, Sendable {
  /// Two terms are the same value (`Identity`). The smaller term comes first. A predicate holds if it
  /// is the same as the constant true.
  case same(Term, Term)
  /// A term has a type.
  case type(Term, ValueType)
  /// A term is of a scale's type and at most a bound.
  case most(Term, Scale, Int128)
  /// A term is a float within a bound.
  case float(Term, FloatBound)
  /// The first term minus the second, both of a scale's type, is at most a bound.
  case difference(Term, Term, Scale, Int128)
  /// A term is a string that a pattern matches as a whole.
  case matches(Term, Text)

  /// The terms that it is about.
  package var terms: [Term] {
    switch self {
    case .same(let one, let other), .difference(let one, let other, _, _): [one, other]
    case .type(let term, _), .most(let term, _, _), .float(let term, _), .matches(let term, _):
      [term]
    }
  }

  /// The type of all terms of which it is true.
  package var impliedType: ValueType? {
    switch self {
    case .same, .type: nil
    case .most(_, let scale, _), .difference(_, _, let scale, _): scale.type
    case .float: .float
    case .matches: .string
    }
  }

  /// The same about another term.
  package func replacing(_ old: Term, by new: Term) -> Fact {
    func moved(_ term: Term) -> Term { term == old ? new : term }
    return switch self {
    case .same(let one, let other): .same(moved(one), moved(other))
    case .type(let term, let type): .type(moved(term), type)
    case .most(let term, let scale, let number): .most(moved(term), scale, number)
    case .float(let term, let bound): .float(moved(term), bound)
    case .difference(let one, let other, let scale, let number):
      .difference(moved(one), moved(other), scale, number)
    case .matches(let term, let pattern): .matches(moved(term), pattern)
    }
  }
}

/// The bound of a float; never NaN.
package struct FloatBound: Hashable, Sendable {
  /// The bound.
  package let value: Double
  /// Whether the float is below the bound rather than at most it.
  package let isStrict: Bool

  /// Makes a bound; nil for NaN.
  package init?(_ value: Double, isStrict: Bool) {
    if value.isNaN { return nil }
    (self.value, self.isStrict) = (value, isStrict)
  }

  /// Whether every float within this bound is within another one.
  package func isWithin(_ other: FloatBound) -> Bool {
    value < other.value || (value == other.value && (isStrict || !other.isStrict))
  }

  /// Whether a float is within it.
  package func includes(_ number: Double) -> Bool {
    isStrict ? number < value : number <= value
  }
}

/// A proposition of a `Question`, or the denial of one.
package struct Prop: Hashable, Sendable {
  /// The node, doubled; one more denies it.
  let raw: Int

  /// What holds always, and what never holds.
  package static let yes = Prop(raw: 0)
  /// What never holds.
  package static let no = Prop(raw: 1)

  private init(raw: Int) { self.raw = raw }

  /// A node that holds.
  package init(node: Int) { raw = node << 1 }

  /// The node.
  package var node: Int { raw >> 1 }
  /// Whether it denies its node.
  package var isDenied: Bool { raw & 1 == 1 }

  /// The denial.
  package static prefix func ! (prop: Prop) -> Prop { Prop(raw: prop.raw ^ 1) }
}
