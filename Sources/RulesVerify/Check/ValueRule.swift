import RulesEval
package import RulesLang

// The inference rules about values. Sound: the clauses of each rule are valid, that is, true for all values
// of the terms that a request can have. So a line of a certificate can add a useless clause but no false one.

/// A rule about values, applied to terms.
package enum ValueRule: Hashable, Sendable {
  /// Transitivity of `same`: one = middle and middle = other imply one = other.
  case chain(Term, Term, Term)
  /// Congruence: an operator applied to equal arguments gives equal results.
  case apply(Term, Term)
  /// Evaluation: an operator applied to constants gives the evaluator's result.
  case compute(Term, [Term])
  /// A term has one of its possible types.
  case types(Term)
  /// A value does not have two different types.
  case oneType(Term, ValueType, ValueType)
  /// Implied types: a term with a bound has the bound's type; a term that matches a pattern is a
  /// string.
  case typed(Fact)
  /// Substitution: a fact about `one` is equivalent to the fact about an equal `other`. A fact
  /// about a constant is decided.
  case move(Fact, Term, Term)
  /// A bool is true or false.
  case bool(Term)
  /// Antisymmetry at a point: x <= n and not x <= n - 1 imply x = n.
  case point(Term, Scale, Int128)
  /// `a <= b + k` and `b <= c + m` imply `a <= c + k + m`. A missing term is the number zero.
  case sum(Scale, Term?, Term?, Term?, Int128, Int128)
  /// Totality of differences: `a - b <= k` is false exactly if `b - a <= -k - 1`.
  case flip(Fact)
  /// `base + steps` is exactly `steps` more than `base`.
  case plus(Term)
  /// Sizes lie within 0...`greatestSize`.
  case size(Term)
  /// Monotonicity: a float within a bound is within every greater bound.
  case float(Term, FloatBound, FloatBound)
  /// Emptiness: no string satisfies all literals (`GroundTexts`).
  case text(Term, [Prop])
  /// Acyclicity of containment. Each term is a field or element of the next one; the last, of the
  /// first.
  case inside([Term])

  /// Returns valid clauses; nil if the rule does not apply to its terms.
  package func clauses(in question: inout Question) -> [[Prop]]? {
    switch self {
    case .chain(let one, let middle, let other):
      return [
        [!question.same(one, middle), !question.same(middle, other), question.same(one, other)]
      ]
    case .apply(let one, let other):
      guard case .apply(let op, let left) = question[one],
        case .apply(let same, let right) = question[other], op == same,
        left.count == right.count
      else { return nil }
      return [question.differ(left, from: right) + [question.same(one, other)]]
    case .compute(let term, let constants):
      guard let value = question.value(of: term, on: constants) else { return nil }
      let differ = question.differ(question.arguments(of: term), from: constants)
      return [differ + [question.same(term, question.constant(value))]]
    case .types(let term):
      let types = question.types(of: term).types
      return types.isEmpty ? nil : [types.map { question.has(term, type: $0) }]
    case .oneType(let term, let one, let other):
      return one == other
        ? nil : [[!question.has(term, type: one), !question.has(term, type: other)]]
    case .typed(let fact):
      guard let type = fact.impliedType else { return nil }
      let holds = question.proposition(fact)
      return fact.terms.map { [!holds, question.has($0, type: type)] }
    case .move(let fact, let one, let other):
      let differ = !question.same(one, other)
      let (old, new) = (
        question.proposition(fact), question.proposition(fact.replacing(one, by: other))
      )
      return [[differ, !old, new], [differ, old, !new]]
    case .bool(let term):
      let values = [question.yes, question.no].map { question.same(term, $0) }
      return [[!question.has(term, type: .bool)] + values]
    case .text(let term, let literals):
      guard let differ = GroundTexts.refute(literals, about: term, in: &question) else {
        return nil
      }
      return [literals.map { !$0 } + differ + [!question.has(term, type: .string)]]
    case .inside(let terms):
      var clause: [Prop] = []
      for (term, next) in zip(terms, terms.dropFirst() + terms.prefix(1)) {
        guard case .apply(let op, let arguments) = question[term],
          op == .field || op == .element
        else { return nil }
        clause.append(!question.same(arguments[0], next))
      }
      return terms.isEmpty ? nil : [clause]
    case .point, .sum, .flip, .plus, .size, .float: return order(in: &question)
    }
  }

  /// Returns the clauses of the rules about order.
  private func order(in question: inout Question) -> [[Prop]]? {
    switch self {
    case .point(let term, let scale, let number):
      guard number >= scale.range.least, number <= scale.range.greatest else { return nil }
      let (most, less) = (
        question.most(term, on: scale, bound: number),
        question.most(term, on: scale, bound: number - 1)
      )
      guard let value = scale.value(number) else { return nil }
      return [[!most, less, question.same(term, question.constant(value))]]
    case .sum(let scale, let one, let middle, let other, let first, let second):
      let parts = (
        question.bound(one, by: middle, plus: first, on: scale),
        question.bound(middle, by: other, plus: second, on: scale)
      )
      let whole = question.bound(one, by: other, plus: first + second, on: scale)
      return [question.unlike(scale, among: [one, middle, other]) + [!parts.0, !parts.1, whole]]
    case .flip(let fact):
      guard case .difference(let one, let other, let scale, let number) = fact else { return nil }
      let unlike = question.unlike(scale, among: [one, other])
      let (old, new) = (
        question.proposition(fact), question.bound(one, by: other, plus: number, on: scale)
      )
      return [unlike + [!old, new], unlike + [old, !new]]
    case .plus(let term):
      guard case .apply(.plus(let scale, let steps), let base) = question[term] else {
        return nil
      }
      let (more, less) = (
        question.bound(term, by: base[0], plus: Int128(steps), on: scale),
        question.bound(base[0], by: term, plus: -Int128(steps), on: scale)
      )
      let unlike = question.unlike(scale, among: [term, base[0]])
      return [unlike + [more], unlike + [less]]
    case .size(let term):
      guard case .apply(.size, _) = question[term] else { return nil }
      return [
        [question.bound(nil, by: term, plus: 0, on: .int)],
        [question.bound(term, by: nil, plus: Self.greatestSize, on: .int)],
      ]
    case .float(let term, let lesser, let greater):
      guard lesser.isWithin(greater) else { return nil }
      let (inner, outer) = (Fact.float(term, lesser), Fact.float(term, greater))
      return [[!question.proposition(inner), question.proposition(outer)]]
    case .chain, .apply, .compute, .types, .oneType, .typed, .move, .bool, .text, .inside:
      return nil
    }
  }
}

extension ValueRule {
  /// Maximum size of a value. A document has at most 2^20 octets, and computed values fit into
  /// memory.
  package static let greatestSize: Int128 = 1 << 48
}

extension Question {
  /// Returns the evaluator's result of the operator of `term` on `constants`; nil if unknown.
  fileprivate func value(of term: Term, on constants: [Term]) -> Value? {
    guard case .apply(let functor, let arguments) = self[term], arguments.count == constants.count
    else { return nil }
    let values = constants.compactMap { value(of: $0) }
    return values.count == constants.count ? functor.value(of: values) : nil
  }

  /// Returns the literals of "some pair differs".
  fileprivate mutating func differ(_ left: [Term], from right: [Term]) -> [Prop] {
    zip(left, right).map { !same($0, $1) }
  }

  fileprivate mutating func has(_ term: Term, type: ValueType) -> Prop {
    isType(of: term, in: TypeSet(type))
  }

  /// Returns the literals of "some term is not of the scale's type".
  fileprivate mutating func unlike(_ scale: Scale, among terms: [Term?]) -> [Prop] {
    terms.compactMap { $0 }.map { !has($0, type: scale.type) }
  }
}
