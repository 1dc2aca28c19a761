import RulesEval
package import RulesLang

// What a proof may use about values. Each rule makes clauses that are true whatever the terms stand for,
// so no line of a certificate can state anything false; at worst it states what is of no use.

/// A rule about values, applied to terms.
package enum ValueRule: Hashable, Sendable {
  /// What is the same as one value and that as another, is the same as the other.
  case chain(Term, Term, Term)
  /// The same operator on the same arguments gives the same value.
  case apply(Term, Term)
  /// An operator on constants gives what the evaluator computes.
  case compute(Term, [Term])
  /// A term has one of its types.
  case types(Term)
  /// A value does not have two types.
  case oneType(Term, ValueType, ValueType)
  /// What is at most a bound is of the bound's type; what a pattern matches is a string.
  case typed(Fact)
  /// What is true of a value is true of what is the same; constants are looked at.
  case move(Fact, Term, Term)
  /// A bool is true or false.
  case bool(Term)
  /// What is at most a number, and not at most the one before, is the number.
  case point(Term, Scale, Int128)
  /// `a <= b + k` and `b <= c + m` give `a <= c + k + m`; no term stands for zero.
  case sum(Scale, Term?, Term?, Term?, Int128, Int128)
  /// A difference is at most a bound, or the opposite difference at most the opposite bound.
  case flip(Fact)
  /// A sum with a constant is that much more.
  case plus(Term)
  /// No size is negative, and none is greater than `greatestSize`.
  case size(Term)
  /// A float within a bound is within a greater one.
  case float(Term, FloatBound, FloatBound)
  /// There is no text of which all this is true.
  case text(Term, [Prop])
  /// Nothing is inside itself: each term is a member of a map or list that is the next term.
  case inside([Term])

  /// The clauses; nil if the rule does not apply to these terms.
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

  /// The clauses of the rules about order.
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
  /// More parts no value has: a document has at most 2^20 octets, and what is computed fits into a machine.
  package static let greatestSize: Int128 = 1 << 48
}

extension Question {
  /// What an operator gives when its arguments are these constants; nil if that is not known.
  fileprivate func value(of term: Term, on constants: [Term]) -> Value? {
    guard case .apply(let functor, let arguments) = self[term], arguments.count == constants.count
    else { return nil }
    let values = constants.compactMap { value(of: $0) }
    return values.count == constants.count ? functor.value(of: values) : nil
  }

  /// One of the pairs is not the same.
  fileprivate mutating func differ(_ left: [Term], from right: [Term]) -> [Prop] {
    zip(left, right).map { !same($0, $1) }
  }

  fileprivate mutating func has(_ term: Term, type: ValueType) -> Prop {
    isType(of: term, in: TypeSet(type))
  }

  /// One of the terms is not of a scale.
  fileprivate mutating func unlike(_ scale: Scale, among terms: [Term?]) -> [Prop] {
    terms.compactMap { $0 }.map { !has($0, type: scale.type) }
  }
}
