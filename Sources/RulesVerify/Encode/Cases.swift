import RulesLang

/// The value of an expression by cases: terms under mutually exclusive conditions. If no condition
/// holds, evaluation ends in an error.
struct Cases: Hashable {
  /// A term and the condition under which it is the value.
  struct Case: Hashable {
    var when: Prop
    var term: Term
  }

  /// The cases, without those whose condition is constantly false.
  let cases: [Case]

  /// An expression that always ends in an error.
  static let error = Cases([])

  /// Creates a value from mutually exclusive cases.
  init(_ cases: [Case]) { self.cases = cases.filter { $0.when != .no } }

  /// Creates a value that is always `term`.
  init(_ term: Term) { cases = [Case(when: .yes, term: term)] }

  /// Creates a value that is `term` if `when` holds, and otherwise an error.
  init(_ term: Term, when: Prop) { self.init([Case(when: when, term: term)]) }

  /// Returns the union of cases, all of which must be mutually exclusive.
  static func + (left: Cases, right: Cases) -> Cases { Cases(left.cases + right.cases) }
}

/// Dual-rail encoding of a condition: one proposition for true, one for false; neither holds for an
/// error.
struct Rails: Hashable {
  var yes: Prop
  var no: Prop
}

extension Encoder {
  /// Returns the rails of a condition that is never an error.
  func total(_ prop: Prop) -> Rails { Rails(yes: prop, no: !prop) }

  /// Converts a condition to a value.
  func cases(of rails: Rails) -> Cases {
    Cases(question.yes, when: rails.yes) + Cases(question.no, when: rails.no)
  }

  /// Converts a value to a condition. Values other than bools are errors.
  func rails(of value: Cases) -> Rails {
    rails(of: [value]) { terms in
      Rails(yes: question.same(terms[0], question.yes), no: question.same(terms[0], question.no))
    }
  }

  /// Returns the proposition that a value is not an error.
  func defined(_ value: Cases) -> Prop { question.any(value.cases.map { $0.when }) }

  /// Restricts a value by a further condition.
  func under(_ condition: Prop, value: Cases) -> Cases {
    Cases(
      value.cases.map { Cases.Case(when: question.all([condition, $0.when]), term: $0.term) })
  }

  /// Returns the value of `chooses ? one : other`. An error of `chooses` is an error.
  func choose(_ chooses: Rails, then one: Cases, else other: Cases) -> Cases {
    under(chooses.yes, value: one) + under(chooses.no, value: other)
  }

  /// Returns the result of `body` over all combinations of operand cases. An error of an operand is
  /// an error of the result.
  func each(of operands: [Cases], _ body: ([Term]) -> Cases) -> Cases {
    combinations(operands).reduce(.error) { $0 + under($1.when, value: body($1.terms)) }
  }

  /// Returns the rails of `body` over all combinations of operand cases.
  func rails(of operands: [Cases], _ body: ([Term]) -> Rails) -> Rails {
    var (yes, no): ([Prop], [Prop]) = ([], [])
    for (when, terms) in combinations(operands) {
      let rails = body(terms)
      yes.append(question.all([when, rails.yes]))
      no.append(question.all([when, rails.no]))
    }
    return Rails(yes: question.any(yes), no: question.any(no))
  }

  /// Maximum combinations that are enumerated; beyond it each operand is first replaced by an
  /// unknown.
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

  /// Returns a new unknown with these types.
  func fresh(_ types: TypeSet) -> Term {
    defer { freshCount += 1 }
    return question.unknown(.named(freshCount), of: types)
  }

  /// Replaces the cases of a value by one: a new unknown, equal to each case's term under its
  /// condition.
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

  /// Returns an uninterpreted function of `arguments` for the evaluator's result. Unless `total`,
  /// an error is possible whatever `when` says.
  func computed(_ act: Act, of arguments: [Term], when: Prop, total: Bool = false) -> Cases {
    if when == .no { return .error }
    let isDefined = total ? .yes : question.holds(.defined(act), of: arguments)
    return Cases(
      question.apply(.value(act), to: arguments), when: question.all([when, isDefined]))
  }
}
