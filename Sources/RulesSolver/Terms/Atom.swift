package import RulesLang

/// An atomic proposition about terms, decided by a theory.
package enum Atom: Hashable, Sendable {
  /// Two terms are the same value: same type, same bits. The smaller term comes first. A predicate
  /// holds if its term is the same as the constant true.
  case same(TermID, TermID)
  /// A term has a type.
  case type(TermID, ValueType)
  /// A term has the domain's type and is at most a bound.
  case atMost(TermID, Domain, Int128)
  /// A term is a float that is ≤ the bound, or < the bound if it is strict.
  case floatAtMost(TermID, FloatBound)
  /// The first term minus the second, both of the domain's type, is at most a bound.
  case difference(TermID, TermID, Domain, Int128)
  /// A term is a string that a pattern matches as a whole.
  case matches(TermID, PatternID)
}

/// An upper bound of a float; never NaN.
package struct FloatBound: Hashable, Sendable {
  /// The bound.
  package var value: Double
  /// True for `<`, false for `<=`.
  package var isStrict: Bool

  /// Creates a bound.
  package init(value: Double, isStrict: Bool) {
    self.value = value
    self.isStrict = isStrict
  }

  /// True if this bound is at least as tight as another one.
  package func isWithin(_ other: FloatBound) -> Bool {
    value < other.value || (value == other.value && (isStrict || !other.isStrict))
  }
}

/// The index of a pattern in a problem's `PatternTable`.
package struct PatternID: Hashable, Sendable {
  /// The position.
  package let raw: Int32

  /// Creates the index of a position.
  package init(_ raw: Int) { self.raw = Int32(raw) }

  /// The position.
  package var index: Int { Int(raw) }
}

extension Atom {
  /// The first term of the atom.
  package var term: TermID {
    switch self {
    case .same(let term, _), .difference(let term, _, _, _), .type(let term, _),
      .atMost(let term, _, _), .floatAtMost(let term, _), .matches(let term, _):
      term
    }
  }

  /// The second term of the atom, if any.
  var otherTerm: TermID? {
    switch self {
    case .same(_, let term), .difference(_, let term, _, _): term
    case .type, .atMost, .floatAtMost, .matches: nil
    }
  }

  /// The terms of the atom.
  package var terms: [TermID] { otherTerm.map { [term, $0] } ?? [term] }

  /// The type that the atom implies for all of its terms.
  var impliedType: ValueType? {
    switch self {
    case .same, .type: nil
    case .atMost(_, let domain, _), .difference(_, _, let domain, _): domain.type
    case .floatAtMost: .float
    case .matches: .string
    }
  }

  /// Returns the atom with one term replaced by another.
  package func replacing(_ old: TermID, by new: TermID) -> Atom {
    func moved(_ term: TermID) -> TermID { term == old ? new : term }
    return switch self {
    case .same(let one, let other): .same(moved(one), moved(other))
    case .type(let term, let type): .type(moved(term), type)
    case .atMost(let term, let domain, let number): .atMost(moved(term), domain, number)
    case .floatAtMost(let term, let bound): .floatAtMost(moved(term), bound)
    case .difference(let one, let other, let domain, let number):
      .difference(moved(one), moved(other), domain, number)
    case .matches(let term, let pattern): .matches(moved(term), pattern)
    }
  }
}
