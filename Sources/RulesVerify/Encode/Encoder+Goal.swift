import RulesEval
import RulesLang

extension StatedClaim {
  /// Returns the SMT query "some request of this kind is a counterexample". Throws if the
  /// conditions are too large, or if the absence of counterexamples would prove nothing: for
  /// `alwaysIf` and `noErrors`, statements could exceed an evaluation limit or compute something
  /// that the evaluator does not model.
  ///
  /// - Parameter encodings: The encoded conditions of the rules, shared by their claims.
  package func question(
    for kind: RequestKind, sharing encodings: StatementEncodings = StatementEncodings()
  ) throws(StatementProblem) -> Question {
    let encoder = encodings.encoder(of: self, for: kind)
    encoder.encodeClaim()
    if encoder.isOverwhelmed {
      throw StatementProblem("the conditions are too large to be checked")
    }
    switch claim.obligation {
    case .onlyIf, .never: break
    case .alwaysIf, .noErrors:
      if let problem = encoder.problemOfDenials(by: encoder.encoded.map { $0.statement }) {
        throw problem
      }
    }
    return encoder.question
  }
}

extension Encoder {
  /// Returns the reason why the absence of denied requests in the query would prove nothing: statements
  /// could exceed an evaluation limit, or compute something that the evaluator does not model. Nil if
  /// it would be a proof.
  func problemOfDenials(by statements: [Statement]) -> StatementProblem? {
    var cost = GreatestCost(rules)
    for statement in statements { cost.add(rules.ruleset[statement.allow].condition) }
    if cost.isTooMuch {
      return StatementProblem("the statements could run out of expressions or lookups")
    }
    return question.isUnmodelled
      ? StatementProblem("the conditions compute what no evaluation says") : nil
  }

  /// Asserts that a request is in scope and refutes the claim, after the statements are encoded.
  fileprivate func encodeClaim() {
    var grants: [Prop] = []
    for (statement, rails) in encoded {
      grants.append(question.all([statement.applies, rails.yes]))
    }
    let frame = claimFrame
    for function in [stated.precondition, stated.changes[kind.method]] {
      if let function { question.aim(isTrue(function, in: frame)) }
    }
    let isGranted = question.any(grants)
    switch stated.claim.obligation {
    case .onlyIf, .never:
      question.aim(isGranted)
      if let claimed = stated.obligation { question.aim(!isTrue(claimed, in: frame)) }
      question.aim(otherWritesAreGranted())
    case .alwaysIf:
      if let claimed = stated.obligation { question.aim(isTrue(claimed, in: frame)) }
      question.aim(!isGranted)
    case .noErrors:
      var fails: [Prop] = []
      for (place, (statement, rails)) in encoded.enumerated() {
        let before = grants[..<place].map { !$0 }
        fails.append(question.all(before + [statement.applies, !rails.yes, !rails.no]))
      }
      question.aim(question.any(fails))
    }
    close()
  }

  func isTrue(_ function: FunctionID, in frame: Frame) -> Prop {
    rails(of: rules.ruleset[function].result.root, in: frame).yes
  }

  /// Adds axioms that relate terms which only exist once all conditions are encoded.
  func close() {
    stateSizes()
    var bounds = FloatBounds()
    for form in question.forms {
      switch form {
      case .apply(.odd, let terms):
        for bound in bounds.of(terms[0], in: question) {
          // A float within a bound is not NaN.
          question.require(
            question.within(terms[0], bound: bound), implies: !question.holds(.odd, of: terms))
        }
      case .apply(.only, let terms): stateOnly(terms[0], of: terms[1])
      case .apply(.field, let terms) where kind.method == .list:
        statePromise(of: terms[0], at: terms[1])
      default: break
      }
    }
  }

  /// Adds the axiom that the members of a list which `hasOnly` the elements of `allowed` are equal
  /// to one of these.
  private func stateOnly(_ list: Term, of allowed: Term) {
    guard let values = elements(of: allowed) else { return }
    let only = question.holds(.only, of: [list, allowed])
    for case .apply(.member, let terms) in question.forms where terms[0] == list {
      var cases: [Prop] = []
      for value in values { cases.append(question.areMembers(terms[1], value)) }
      let isMember = question.holds(.member, of: terms)
      question.require(question.all([only, isMember]), implies: question.any(cases))
    }
  }

  /// Adds the axiom that a field promised by the query's filters has that value in each returned document, by
  /// the equality of `diff()`, unless the promise is a constraint or a map.
  private func statePromise(of map: Term, at key: Term) {
    guard question[map] == .unknown(.promise) else { return }
    let promised = question.apply(.field, to: [map, key])
    let isKnown = question.all([
      question.holds(.has, of: [map, key]),
      !question.isType(of: promised, in: [.constraint, .map]),
    ])
    let own = question.apply(.field, to: [scene.before, key])
    question.require(isKnown, implies: question.holds(.has, of: [scene.before, key]))
    question.require(isKnown, implies: question.setEqual(promised, own))
  }
}

/// The bounds that each float is compared with, in order of creation.
private struct FloatBounds {
  private var bounds: [Term: [FloatBound]] = [:]
  /// The number of facts read so far.
  private var count = 0

  mutating func of(_ term: Term, in question: Question) -> [FloatBound] {
    while count < question.facts.count {
      if case .float(let float, let bound)? = question.facts[count] {
        bounds[float, default: []].append(bound)
      }
      count += 1
    }
    return bounds[term] ?? []
  }
}

/// An upper bound of the evaluation cost of conditions (Docs/Language.md §11).
private struct GreatestCost {
  private var expressions = 0
  private var lookups = 0
  private let rules: Checked
  private var known: [FunctionID: (expressions: Int, lookups: Int)] = [:]

  init(_ rules: Checked) { self.rules = rules }

  /// True if the conditions could exceed an evaluation limit.
  var isTooMuch: Bool { expressions > Limits.expressions || lookups > 10 }

  /// Adds the cost of a statement; without a condition it costs as much as `if true`.
  mutating func add(_ condition: Body?) {
    if let condition { add(condition.root) } else { expressions += 1 }
  }

  private mutating func add(_ id: ExprID) {
    if isTooMuch { return }
    let expression = rules.ruleset[id]
    switch expression.kind {
    case .parenthesized: break
    case .path(let parts): expressions += 1 + parts.count
    case .slice: expressions += 3
    case .conditional: expressions += 4
    case .isType, .binary(.and, _, _), .binary(.or, _, _): expressions += 2
    default: expressions += 1
    }
    switch rules.binding(id) {
    case .function(let function): add(function)
    case .builtin(let builtin) where builtin.isLookup: lookups += 1
    default: break
    }
    var operands: [ExprID] = []
    expression.forEachOperand { operands.append($0) }
    for operand in operands { add(operand) }
  }

  private mutating func add(_ function: FunctionID) {
    if let known = known[function] {
      expressions += known.expressions
      lookups += known.lookups
      return
    }
    let before = (expressions, lookups)
    let declaration = rules.ruleset[function]
    for binding in declaration.lets {
      expressions += 1
      add(binding.value.root)
    }
    add(declaration.result.root)
    known[function] = (expressions - before.0, lookups - before.1)
  }
}
