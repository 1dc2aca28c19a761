import RulesEval
package import RulesLang
package import RulesSolver

// A part of a condition is evaluated where what stands left of it does not decide already. So a request for
// which it is true is one for which the way to it and the part itself are true together, and such a condition
// is put in the place of the statement's own. What stands left of it can also end in an error, behind which
// the part is evaluated, too; that there is no such request is proved by itself.

/// What a part of a condition can come to.
package enum ExpressionOutcome: Hashable, Sendable, CaseIterable {
  /// It is true.
  case isTrue
  /// It is false.
  case isFalse
  /// It is evaluated, whatever comes of it.
  case isEvaluated
}

extension OutcomeSearch {
  /// So many calls of a function are looked at.
  private static let greatestCalls = 4

  /// A statement with a condition that is true where a part of its own comes to an outcome.
  private struct Way {
    var allow: AllowID
    /// What must be true for the part to be evaluated; nothing for all requests.
    var before: [String]
    /// What must be true then.
    var wanted: [String]
    /// Other bodies of functions on the way.
    var functions = Patch()
    /// Whether there is no other way to the part.
    var isOnly: Bool

    /// All of it as a condition.
    var whole: Question {
      let parts = before + wanted
      return Question(
        condition: parts.isEmpty ? "true" : parts.joined(separator: " && "), functions: functions)
    }
  }

  /// A request for which a part of a condition, or of a function, comes to an outcome. `nothing` means that
  /// there is none, which is proved. What is found is only likely to be one: functions that are called more
  /// than once are asked for one call, so look at what it evaluates.
  package func request(
    for expression: ExprID, being outcome: ExpressionOutcome, within budget: Budget = Budget()
  ) -> EditEffect {
    let text = "(\(engine.rules.text(of: expression)))"
    let wanted: [String] =
      switch outcome {
      case .isTrue: [text]
      case .isFalse: ["!\(text)"]
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

  /// A request for which a part comes to what is wanted although what stands before it ends in an error.
  private func request(behindErrorsOn way: Way, within budget: Budget) -> EditEffect {
    if way.before.isEmpty { return .nothing }
    let before = way.before.joined(separator: " && ")
    let question = Question(
      condition: way.wanted.isEmpty ? "true" : way.wanted.joined(separator: " && "),
      functions: way.functions)
    return request(
      for: way.allow, asking: question, butNot: "(\(before)) || !(\(before))", within: budget)
  }

  private func ways(to expression: ExprID, wanting wanted: [String], depth: Int) -> [Way] {
    let rules = engine.rules
    for index in rules.ruleset.allows.indices {
      guard let condition = rules.ruleset.allows[index].condition,
        let before = rules.conditions(before: expression, in: condition.root)
      else { continue }
      return [Way(allow: AllowID(index), before: before, wanted: wanted, isOnly: true)]
    }
    guard depth < Limits.of(engine.profile).callDepth else { return [] }
    for index in rules.ruleset.functions.indices {
      let function = rules.ruleset.functions[index]
      for body in function.bodies {
        guard let before = rules.conditions(before: expression, in: body.root) else { continue }
        let parts = before + wanted
        var patch = Patch()
        patch.replace(
          rules.ruleset[function.result.root].range,
          with: parts.isEmpty ? "true" : parts.joined(separator: " && "))
        let calls = rules.calls(of: FunctionID(index))
        return calls.prefix(Self.greatestCalls).flatMap { call in
          ways(to: call, wanting: ["(\(rules.text(of: call)))"], depth: depth + 1).map { way in
            var way = way
            way.functions.add(patch)
            // What can fail inside of the function stands in the condition as its call.
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
  /// The text of an expression.
  fileprivate func text(of id: ExprID) -> String {
    ruleset.source.string(ruleset[id].range)
  }

  /// What must not decide for an expression to be evaluated, below a root; nil if it is not below it.
  fileprivate func conditions(before id: ExprID, in root: ExprID) -> [String]? {
    if id == root { return [] }
    // What an expression uses stands before it.
    if root.index < id.index { return nil }
    let operands = ruleset[root].operands
    for (place, operand) in operands.enumerated() {
      guard let inner = conditions(before: id, in: operand) else { continue }
      switch ruleset[root].kind {
      case .binary(.and, let left, _) where place == 1: return ["(\(text(of: left)))"] + inner
      case .binary(.or, let left, _) where place == 1: return ["!(\(text(of: left)))"] + inner
      case .conditional(let condition, _, _) where place > 0:
        return [(place == 1 ? "" : "!") + "(\(text(of: condition)))"] + inner
      default: return inner
      }
    }
    return nil
  }

  /// The calls of a function.
  fileprivate func calls(of function: FunctionID) -> [ExprID] {
    ruleset.expressions.indices.map { ExprID($0) }.filter { id in
      guard case .call = ruleset[id].kind, case .function(let called) = binding(id) else {
        return false
      }
      return called == function
    }
  }

  /// Whether an expression is in a condition, or in a function that is called.
  fileprivate func isCalled(_ id: ExprID) -> Bool {
    let conditions = ruleset.allows.compactMap { $0.condition }
    return bodies(reachedFrom: conditions).contains { body in
      body.nodes.contains { $0 == id }
    }
  }
}
