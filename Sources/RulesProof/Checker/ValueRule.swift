import RulesEval
import RulesLang

// What a proof may use about values. Each rule makes clauses that are true whatever the terms stand for,
// so no line of a certificate can state anything false; at worst it states what is of no use.

/// A rule about values, applied to terms.
enum ValueRule: Hashable, Sendable {
  /// What is the same as one value and that as another, is the same as the other.
  case chain(TermID, TermID, TermID)
  /// The same operator on the same arguments gives the same value.
  case apply(TermID, TermID)
  /// An operator on constants gives what the evaluator computes.
  case compute(TermID, [TermID])
  /// A term has one of its types.
  case types(TermID)
  /// A value does not have two types.
  case oneType(TermID, ValueType, ValueType)
  /// What is at most a bound is of the bound's type; what a pattern matches is a string.
  case typed(Atom)
  /// What is true of a value is true of what is the same; constants are looked at.
  case move(Atom, TermID, TermID)
  /// A bool is true or false.
  case bool(TermID)
  /// What is at most a number, and not at most the one before, is the number.
  case point(TermID, Domain, Int128)
  /// `a <= b + k` and `b <= c + m` give `a <= c + k + m`; no term stands for zero.
  case sum(Domain, TermID?, TermID?, TermID?, Int128, Int128)
  /// A difference is at most a bound, or the opposite difference at most the opposite bound.
  case flip(Atom)
  /// A sum with a constant is that much more.
  case plus(TermID)
  /// No size is negative.
  case size(TermID)
  /// A float within a bound is within a greater one.
  case float(TermID, FloatBound, FloatBound)
  /// There is no text of which all this is true.
  case text(TermID, [Ref])
  /// Nothing is inside itself: each term is a member of a map or list that is the next term.
  case inside([TermID])

  /// The clauses; nil if the rule does not apply to these terms.
  func clauses(in problem: inout Problem) -> [[Ref]]? {
    switch self {
    case .chain(let one, let middle, let other):
      return [[!problem.same(one, middle), !problem.same(middle, other), problem.same(one, other)]]
    case .apply(let one, let other):
      guard case .apply(let op, let left) = problem.terms[one],
        case .apply(let same, let right) = problem.terms[other], op == same,
        left.count == right.count
      else { return nil }
      return [problem.differ(left, right) + [problem.same(one, other)]]
    case .compute(let term, let constants):
      guard let value = problem.value(of: term, on: constants) else { return nil }
      let differ = problem.differ(problem.terms.arguments(of: term), constants)
      return [differ + [problem.same(term, problem.constant(value))]]
    case .types(let term):
      let types = problem.terms.types(of: term).types
      return types.isEmpty ? nil : [types.map { problem.has(term, $0) }]
    case .oneType(let term, let one, let other):
      return one == other ? nil : [[!problem.has(term, one), !problem.has(term, other)]]
    case .typed(let atom):
      guard let type = atom.impliedType else { return nil }
      let holds = problem.proposition(atom)
      return atom.terms.map { [!holds, problem.has($0, type)] }
    case .move(let atom, let one, let other):
      let differ = !problem.same(one, other)
      let (old, new) = (
        problem.proposition(atom), problem.proposition(atom.replacing(one, by: other))
      )
      return [[differ, !old, new], [differ, old, !new]]
    case .bool(let term):
      let values = [problem.terms.yes, problem.terms.no].map { problem.same(term, $0) }
      return [[!problem.has(term, .bool)] + values]
    case .text(let term, let literals):
      guard let differ = GroundTexts.refute(literals, about: term, &problem) else { return nil }
      return [literals.map { !$0 } + differ + [!problem.has(term, .string)]]
    case .inside(let terms):
      var clause: [Ref] = []
      for (term, next) in zip(terms, terms.dropFirst() + terms.prefix(1)) {
        guard case .apply(let op, let arguments) = problem.terms[term],
          op == .field || op == .element
        else { return nil }
        clause.append(!problem.same(arguments[0], next))
      }
      return terms.isEmpty ? nil : [clause]
    case .point, .sum, .flip, .plus, .size, .float: return order(in: &problem)
    }
  }

  /// The clauses of the rules about order.
  private func order(in problem: inout Problem) -> [[Ref]]? {
    switch self {
    case .point(let term, let domain, let number):
      guard number >= domain.range.least, number <= domain.range.greatest else { return nil }
      let (most, less) = (
        problem.atMost(term, domain, number), problem.atMost(term, domain, number - 1)
      )
      return [[!most, less, problem.same(term, problem.constant(Value.of(number, in: domain)))]]
    case .sum(let domain, let one, let middle, let other, let first, let second):
      let parts = (
        problem.bound(one, middle, first, domain), problem.bound(middle, other, second, domain)
      )
      let whole = problem.bound(one, other, first + second, domain)
      return [problem.unlike(domain, [one, middle, other]) + [!parts.0, !parts.1, whole]]
    case .flip(let atom):
      guard case .difference(let one, let other, let domain, let number) = atom else { return nil }
      let unlike = problem.unlike(domain, [one, other])
      let (old, new) = (problem.proposition(atom), problem.bound(one, other, number, domain))
      return [unlike + [!old, new], unlike + [old, !new]]
    case .plus(let term):
      guard case .apply(.plus(let domain, let steps), let base) = problem.terms[term] else {
        return nil
      }
      let (more, less) = (
        problem.bound(term, base[0], Int128(steps), domain),
        problem.bound(base[0], term, -Int128(steps), domain)
      )
      let unlike = problem.unlike(domain, [term, base[0]])
      return [unlike + [more], unlike + [less]]
    case .size(let term):
      guard case .apply(.size, _) = problem.terms[term] else { return nil }
      return [[problem.bound(nil, term, 0, .int)]]
    case .float(let term, let lesser, let greater):
      guard lesser.isWithin(greater) else { return nil }
      let (inner, outer) = (Atom.floatAtMost(term, lesser), Atom.floatAtMost(term, greater))
      return [[!problem.proposition(inner), problem.proposition(outer)]]
    case .chain, .apply, .compute, .types, .oneType, .typed, .move, .bool, .text, .inside:
      return nil
    }
  }
}

extension Problem {
  /// What an operator gives when its arguments are these constants; nil if that is not known.
  fileprivate func value(of term: TermID, on constants: [TermID]) -> Value? {
    guard case .apply(let op, let arguments) = terms[term], arguments.count == constants.count
    else { return nil }
    let values = constants.compactMap { terms.value(of: $0) }
    guard values.count == constants.count else { return nil }
    return op.isPredicate
      ? Facts.truth(of: op, values).map { .bool($0) } : Facts.value(of: op, values)
  }

  /// One of the pairs is not the same.
  fileprivate mutating func differ(_ left: [TermID], _ right: [TermID]) -> [Ref] {
    zip(left, right).map { !same($0, $1) }
  }

  fileprivate mutating func has(_ term: TermID, _ type: ValueType) -> Ref {
    isType(term, TypeSet(type))
  }

  /// One of the terms is not of a domain.
  fileprivate mutating func unlike(_ domain: Domain, _ terms: [TermID?]) -> [Ref] {
    terms.compactMap { $0 }.map { !has($0, domain.type) }
  }
}
