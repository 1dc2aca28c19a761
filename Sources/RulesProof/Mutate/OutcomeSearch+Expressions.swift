import RulesEval
package import RulesLang
package import RulesSolver

// A part of a condition is evaluated if the parts on its left do not decide. So a request for which the
// part is true is one that satisfies "the left parts do not decide, and this part is true", which
// replaces the statement's condition. An error on the left does not always end the evaluation, so a
// second search covers it; only both together prove that there is no such request.

/// An outcome of a part of a condition.
package enum ExpressionOutcome: Hashable, Sendable, CaseIterable {
  /// The part is true.
  case isTrue
  /// The part is false.
  case isFalse
  /// The part is evaluated, with any result.
  case isEvaluated
}

extension OutcomeSearch {
  /// A statement with a condition that is true where the part has the wanted outcome.
  private struct OutcomePath {
    var allow: AllowID
    /// The conditions for the part to be evaluated; empty if it always is.
    var before: [Formula]
    /// The conditions for the wanted outcome.
    var wanted: [Formula]
    /// The edits of functions on the way.
    var functions: [RulesEdit] = []
    /// True if there is no other way to the part.
    var isOnly: Bool

    /// The conjunction of all conditions.
    var whole: Question {
      Question(condition: .all(before + wanted), functions: functions)
    }
  }

  /// Returns a request for which a part of a condition or function has an outcome. `nothing` means that
  /// it is proved that there is none; `unknown` and `invalid`, that this is not decided. A found
  /// request need not show the outcome, since a function's body is replaced for all of its calls: check
  /// what it evaluates.
  package func request(
    for expression: ExprID, being outcome: ExpressionOutcome, within budget: Budget = Budget()
  ) -> EditEffect {
    let wanted: [Formula] =
      switch outcome {
      case .isTrue: [.expression(expression)]
      case .isFalse: [.not(.expression(expression))]
      case .isEvaluated: []
      }
    let ways = ways(to: expression, wanting: wanted, depth: 0)
    if ways.isEmpty { return engine.rules.isCalled(expression) ? .invalid : .nothing }
    var isProved = true
    for way in ways {
      for effect in [
        { request(for: way.allow, asking: way.whole, within: budget) },
        { self.request(behindErrorsOn: way, within: budget) },
      ] {
        switch effect() {
        case .something(let witness, let isLoosened):
          return .something(witness, isLoosened: isLoosened)
        case .nothing: isProved = isProved && way.isOnly
        case .unknown, .invalid: isProved = false
        }
      }
    }
    return isProved ? .nothing : .invalid
  }

  /// Returns a request for which the part has the outcome although a condition before it ends in an
  /// error.
  private func request(behindErrorsOn way: OutcomePath, within budget: Budget) -> EditEffect {
    if way.before.isEmpty { return .nothing }
    let before = Formula.all(way.before)
    let question = Question(condition: .all(way.wanted), functions: way.functions)
    return request(
      for: way.allow, asking: question, butNot: .or(before, .not(before)), within: budget)
  }

  private func ways(to expression: ExprID, wanting wanted: [Formula], depth: Int) -> [OutcomePath] {
    let rules = engine.rules
    for index in rules.ruleset.allows.indices {
      guard let condition = rules.ruleset.allows[index].condition,
        let before = rules.conditions(before: expression, in: condition.root)
      else { continue }
      return [OutcomePath(allow: AllowID(index), before: before, wanted: wanted, isOnly: true)]
    }
    guard depth < Limits.of(engine.profile).callDepth else { return [] }
    for index in rules.ruleset.functions.indices {
      let function = rules.ruleset.functions[index]
      for body in function.bodies {
        guard let before = rules.conditions(before: expression, in: body.root) else { continue }
        let edit = RulesEdit.replaced(.result(FunctionID(index)), .all(before + wanted))
        let calls = rules.calls(of: FunctionID(index))
        return calls.flatMap { call in
          ways(to: call, wanting: [.expression(call)], depth: depth + 1).map { way in
            var way = way
            way.functions.append(edit)
            // Errors inside the function would appear as errors of the call.
            way.isOnly = way.isOnly && calls.count == 1 && before.isEmpty
            return way
          }
        }
      }
    }
    return []
  }
}

extension Checked {
  /// Returns the conditions under which an expression below `root` is evaluated; nil if it is not
  /// below.
  fileprivate func conditions(before id: ExprID, in root: ExprID) -> [Formula]? {
    if id == root { return [] }
    // Operands have smaller indices than their expression.
    if root.index < id.index { return nil }
    let operands = ruleset[root].operands
    for (place, operand) in operands.enumerated() {
      guard let inner = conditions(before: id, in: operand) else { continue }
      switch ruleset[root].kind {
      case .binary(.and, let left, _) where place == 1: return [.expression(left)] + inner
      case .binary(.or, let left, _) where place == 1: return [.not(.expression(left))] + inner
      case .conditional(let condition, _, _) where place > 0:
        let question = Formula.expression(condition)
        return [place == 1 ? question : .not(question)] + inner
      default: return inner
      }
    }
    return nil
  }

  /// Returns the calls of a function.
  fileprivate func calls(of function: FunctionID) -> [ExprID] {
    ruleset.expressions.indices.map { ExprID($0) }.filter { id in
      guard case .call = ruleset[id].kind, case .function(let called) = binding(id) else {
        return false
      }
      return called == function
    }
  }

  /// True if an expression is in a condition, or in a function that is called.
  fileprivate func isCalled(_ id: ExprID) -> Bool {
    let conditions = ruleset.allows.compactMap { $0.condition }
    return bodies(reachedFrom: conditions).contains { body in
      body.nodes.contains { $0 == id }
    }
  }
}
