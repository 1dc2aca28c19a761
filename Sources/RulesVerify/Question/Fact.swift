package import RulesLang

/// An atomic proposition about terms.
package enum Fact: Hashable, Sendable {
  /// Two terms are the same value (`Identity`), the smaller term first. A predicate holds if its
  /// term is the same as the constant true.
  case same(Term, Term)
  /// A term has a type.
  case type(Term, ValueType)
  /// A term has the scale's type and is at most a bound.
  case most(Term, Scale, Int128)
  /// A term is a float within a bound.
  case float(Term, FloatBound)
  /// The first term minus the second, both of a scale's type, is at most a bound.
  case difference(Term, Term, Scale, Int128)
  /// A term is a string that a pattern matches as a whole.
  case matches(Term, Text)

  /// The terms in the fact.
  package var terms: [Term] {
    switch self {
    case .same(let one, let other), .difference(let one, let other, _, _): [one, other]
    case .type(let term, _), .most(let term, _, _), .float(let term, _), .matches(let term, _):
      [term]
    }
  }

  /// The type that the fact implies for all of its terms.
  package var impliedType: ValueType? {
    switch self {
    case .same, .type: nil
    case .most(_, let scale, _), .difference(_, _, let scale, _): scale.type
    case .float: .float
    case .matches: .string
    }
  }

  /// Returns the fact with one term replaced by another.
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

/// An upper bound of a float; never NaN.
package struct FloatBound: Hashable, Sendable {
  /// The bound.
  package let value: Double
  /// True for `<`, false for `<=`.
  package let isStrict: Bool

  /// Creates a bound; nil for NaN.
  package init?(_ value: Double, isStrict: Bool) {
    if value.isNaN { return nil }
    (self.value, self.isStrict) = (value, isStrict)
  }

  /// True if this bound is at least as tight as another one.
  package func isWithin(_ other: FloatBound) -> Bool {
    value < other.value || (value == other.value && (isStrict || !other.isStrict))
  }

  /// True if a float is within the bound.
  package func includes(_ number: Double) -> Bool {
    isStrict ? number < value : number <= value
  }
}

/// A literal of a `Question`: a node or its negation.
package struct Prop: Hashable, Sendable {
  /// Twice the node, plus one if negated.
  let raw: Int

  /// The proposition that is always true.
  package static let yes = Prop(raw: 0)
  /// The proposition that is always false.
  package static let no = Prop(raw: 1)

  private init(raw: Int) { self.raw = raw }

  /// Creates the positive literal of a node.
  package init(node: Int) { raw = node << 1 }

  /// The node.
  package var node: Int { raw >> 1 }
  /// True for a negated node.
  package var isDenied: Bool { raw & 1 == 1 }

  /// Returns the negation.
  package static prefix func ! (prop: Prop) -> Prop { Prop(raw: prop.raw ^ 1) }
}
