import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Abstraction refinement. A model can be wrong about uninterpreted functions, such as `lower('A')`
// being other than 'a'. Then the evaluator's result for the model's values is added as an axiom
// about exactly these values.

extension Goal {
  /// Adds axioms about values that a model gets wrong.
  ///
  /// - Returns: The number of new axioms.
  func refine(_ model: Model) -> Int {
    let known = compiler.problem.axioms.count
    compiler.problem.budget?.stage = .refining
    let terms = model.terms
    for index in 0..<terms.count {
      let term = TermID(index)
      guard case .apply(let op, let arguments) = terms[term] else { continue }
      guard compiler.problem.goesOn(op.isPredicate ? 60 : 20) else { break }
      add(factAbout: term, applying: op, to: arguments, in: model)
    }
    return compiler.problem.axioms.count - known
  }

  private func add(
    factAbout term: TermID, applying op: Operator, to arguments: [TermID], in model: Model
  ) {
    let values = arguments.map { model.value(of: $0) }
    if op.isPredicate {
      guard let claimed = model.truth(of: op, arguments),
        let actual = Facts.truth(of: op, values), claimed != actual
      else { return }
      let holds = compiler.problem.same(term, compiler.problem.terms.yes)
      require(arguments, are: values, implies: actual ? holds : !holds)
      switch op {
      case .definedBuiltin(let builtin):
        compiler.problem.linkComparison(builtin, of: arguments)
      // The list gets the axioms of its comparisons.
      case .member: compiler.problem.linkComparisons(of: arguments[0])
      default: break
      }
      return
    }
    guard let actual = Facts.value(of: op, values),
      ConstantKey(of: actual) != ConstantKey(of: model.value(of: term))
        || !model.admits(actual, for: term)
    else { return }
    let constant = compiler.problem.constant(actual)
    require(arguments, are: values, implies: compiler.problem.same(term, constant))
    // Two lists have too many values for one fact each, so the comparison gets its axioms.
    if case .builtin(let builtin) = op { compiler.problem.linkComparison(builtin, of: arguments) }
  }

  private func require(_ arguments: [TermID], are values: [Value], implies conclusion: Ref) {
    var parts: [Ref] = []
    for (argument, value) in zip(arguments, values) {
      let constant = compiler.problem.constant(value)
      parts.append(compiler.problem.same(argument, constant))
    }
    let premise = compiler.problem.graph.and(parts)
    compiler.problem.require(premise, implies: conclusion)
  }
}

extension Model {
  /// True if the search's constraints on a term admit the value.
  fileprivate func admits(_ value: Value, for term: TermID) -> Bool {
    let leader = theory.leader(of: term).raw
    guard theory.classTypes[Int(leader)].contains(value.type),
      !forbidden(theory.members(of: leader)).contains(ConstantKey(of: value))
    else { return false }
    if case .string(let text) = value { return fits(text, demand: theory.demand(on: leader)) }
    return [Domain.int, .timestamp, .duration].allSatisfy { domain in
      guard let count = value.count(in: domain) else { return true }
      let limits = theory.limits(of: leader, domain)
      return count >= limits.lower?.value ?? count && count <= limits.upper?.value ?? count
    }
  }
}
