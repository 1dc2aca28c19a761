import RulesLang

/// What an expression can be: terms, each under a condition; the conditions exclude each other. Where
/// none of them holds the expression ends in an error.
struct Cases: Hashable {
  /// One of the cases.
  struct Case: Hashable {
    var when: Prop
    var term: Term
  }

  /// The cases that are possible.
  let cases: [Case]

  /// Always an error.
  static let error = Cases([])

  /// Makes a value with these cases.
  init(_ cases: [Case]) { self.cases = cases.filter { $0.when != .no } }

  /// Always this term.
  init(_ term: Term) { cases = [Case(when: .yes, term: term)] }

  /// This term, or an error.
  init(_ term: Term, when: Prop) { self.init([Case(when: when, term: term)]) }

  /// The cases of both, which exclude each other.
  static func + (left: Cases, right: Cases) -> Cases { Cases(left.cases + right.cases) }
}

/// When a condition is true and when it is false; otherwise it ends in an error.
struct Rails: Hashable {
  var yes: Prop
  var no: Prop
}

extension Encoder {
  /// A proposition that is never an error.
  func total(_ prop: Prop) -> Rails { Rails(yes: prop, no: !prop) }

  /// A condition as a value.
  func cases(of rails: Rails) -> Cases {
    Cases(question.yes, when: rails.yes) + Cases(question.no, when: rails.no)
  }

  /// A value as a condition: what is no bool is an error.
  func rails(of value: Cases) -> Rails {
    rails(of: [value]) { terms in
      Rails(yes: question.same(terms[0], question.yes), no: question.same(terms[0], question.no))
    }
  }

  /// When a value is no error.
  func defined(_ value: Cases) -> Prop { question.any(value.cases.map { $0.when }) }

  /// A value under a further condition.
  func under(_ condition: Prop, value: Cases) -> Cases {
    Cases(
      value.cases.map { Cases.Case(when: question.all([condition, $0.when]), term: $0.term) })
  }

  /// One value or another.
  func choose(_ chooses: Rails, then one: Cases, else other: Cases) -> Cases {
    under(chooses.yes, value: one) + under(chooses.no, value: other)
  }

  /// What comes of each combination of cases; an operand that is an error makes an error.
  func each(of operands: [Cases], _ body: ([Term]) -> Cases) -> Cases {
    combinations(operands).reduce(.error) { $0 + under($1.when, value: body($1.terms)) }
  }

  /// The same for conditions.
  func rails(of operands: [Cases], _ body: ([Term]) -> Rails) -> Rails {
    var (yes, no): ([Prop], [Prop]) = ([], [])
    for (when, terms) in combinations(operands) {
      let rails = body(terms)
      yes.append(question.all([when, rails.yes]))
      no.append(question.all([when, rails.no]))
    }
    return Rails(yes: question.any(yes), no: question.any(no))
  }

  /// More combinations than this are not looked at one by one.
  private static let greatestCount = 24

  private func combinations(_ operands: [Cases]) -> [(when: Prop, terms: [Term])] {
    let product = operands.reduce(1) { min($0 * max($1.cases.count, 1), 1 << 20) }
    let operands = product > Self.greatestCount ? operands.map { named($0) } : operands
    var found: [(when: Prop, terms: [Term])] = [(.yes, [])]
    for operand in operands {
      found = found.flatMap { head in
        operand.cases.map { (question.all([head.when, $0.when]), head.terms + [$0.term]) }
      }
      found.removeAll { $0.when == .no }
    }
    return found
  }

  /// An unknown of some types that nothing else is.
  func fresh(_ types: TypeSet) -> Term {
    defer { freshCount += 1 }
    return question.unknown(.named(freshCount), of: types)
  }

  /// A value with one case: a new unknown that is what the cases say.
  private func named(_ value: Cases) -> Cases {
    if value.cases.count < 2 { return value }
    if let known = names[value] { return known }
    let types = value.cases.reduce([] as TypeSet) { $0.union(question.types(of: $1.term)) }
    let name = fresh(types)
    for each in value.cases {
      question.require(each.when, implies: question.same(name, each.term))
    }
    let result = Cases(name, when: defined(value))
    names[value] = result
    return result
  }

  /// What the evaluator computes, about which nothing is known but that it depends on the arguments
  /// alone. Unless it is `total` it may be an error, whatever `when` says.
  func computed(_ act: Act, of arguments: [Term], when: Prop, total: Bool = false) -> Cases {
    if when == .no { return .error }
    let isDefined = total ? .yes : question.holds(.defined(act), of: arguments)
    return Cases(
      question.apply(.value(act), to: arguments), when: question.all([when, isDefined]))
  }
}
