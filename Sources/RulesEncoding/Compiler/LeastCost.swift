import RulesEval
package import RulesLang

// Of dozens of statements for the same documents the last ones may never be reached: those before them
// evaluate more than a request may, whatever it is like. Which expressions are evaluated depends only on
// which way `&&`, `||` and `?:` go (Docs/Language.md §11.2), and an error shortens nothing else; so what is
// evaluated at least is what the first operand of each costs, and to be true more of it.

/// The least cost that conditions can have.
package struct LeastCost {
  private let rules: Checked
  private var known: [Call: Int] = [:]

  /// The body of a function, with what is to come of it.
  private struct Call: Hashable {
    var function: FunctionID
    var outcome: Bool?
  }

  /// More is as good as this.
  private static let greatest = 1 << 20

  /// Nothing is known yet.
  package init(_ rules: Checked) { self.rules = rules }

  /// The expressions that a statement evaluates at least, whatever comes of it, or if it grants; without a
  /// condition as many as `if true`.
  package mutating func expressions(of allow: AllowID, granting: Bool) -> Int {
    rules.ruleset[allow].condition.map { least(of: $0.root, as: granting ? true : nil) } ?? 1
  }

  /// The expressions that are evaluated at least for an outcome; nil for any, an error among them.
  private mutating func least(of id: ExprID, as outcome: Bool?) -> Int {
    let expression = rules.ruleset[id]
    var sum = Cost.ownExpressions(of: expression)
    switch expression.kind {
    case .parenthesized(let inner): return least(of: inner, as: outcome)
    case .not(let operand): return 1 + least(of: operand, as: outcome.map { !$0 })
    case .binary(.and, let left, let right):
      return junction(of: left, right, decidedBy: false, as: outcome)
    case .binary(.or, let left, let right):
      return junction(of: left, right, decidedBy: true, as: outcome)
    case .conditional(let question, let one, let other):
      // An error of the question is one of the whole.
      if outcome == nil { return 2 + least(of: question, as: nil) }
      let first = least(of: question, as: true) + least(of: one, as: outcome)
      return 2 + min(first, 2 + least(of: question, as: false) + least(of: other, as: outcome))
    default: break
    }
    for operand in expression.operands { sum += least(of: operand, as: nil) }
    if case .call(_, let arguments) = expression.kind,
      case .function(let function) = rules.binding(id),
      rules.ruleset[function].parameters.count == arguments.count
    {
      sum += least(of: function, as: outcome)
    }
    return min(sum, Self.greatest)
  }

  private mutating func junction(
    of left: ExprID, _ right: ExprID, decidedBy deciding: Bool, as outcome: Bool?
  ) -> Int {
    guard let outcome else { return 1 + least(of: left, as: nil) }
    if outcome != deciding {
      return 2 + least(of: left, as: outcome) + least(of: right, as: outcome)
    }
    let second = 2 + least(of: left, as: nil) + least(of: right, as: outcome)
    return min(1 + least(of: left, as: outcome), second)
  }

  private mutating func least(of function: FunctionID, as outcome: Bool?) -> Int {
    let call = Call(function: function, outcome: outcome)
    if let least = known[call] { return least }
    let declaration = rules.ruleset[function]
    var sum = least(of: declaration.result.root, as: outcome)
    for binding in declaration.lets { sum += 1 + least(of: binding.value.root, as: nil) }
    known[call] = min(sum, Self.greatest)
    return min(sum, Self.greatest)
  }
}

extension LeastCost {
  /// The statements that can grant nothing, since those before them in the same block cost too much: with
  /// each, how many expressions are evaluated at least by whoever is granted something by it.
  package mutating func beyondLimit() -> [(allow: AllowID, expressions: Int)] {
    var found: [(allow: AllowID, expressions: Int)] = []
    for match in rules.ruleset.matches.indices {
      let allows = rules.ruleset[MatchID(match)].allows
      if allows.count < Self.fewestStatements { continue }
      var sums: [Method: Int] = [:]
      for allow in allows {
        let methods = rules.methods[allow.index].methods
        let before = methods.map { sums[$0, default: 0] }.min() ?? 0
        let least = before + expressions(of: allow, granting: true)
        if least > Limits.expressions { found.append((allow, least)) }
        let own = expressions(of: allow, granting: false)
        for method in methods { sums[method, default: 0] += own }
      }
    }
    return found
  }

  /// Of statements for the same kind of request those up to the last one that can grant something: the
  /// others only deny, whatever they end in.
  package mutating func withinLimit(_ statements: [Compiler.Statement]) -> [Compiler.Statement] {
    if statements.count < Self.fewestStatements { return statements }
    var sums: [MatchID: Int] = [:]
    var end = 0
    for (place, statement) in statements.enumerated() {
      let match = rules.ruleset[statement.allow].match
      let before = sums[match, default: 0]
      if before + expressions(of: statement.allow, granting: true) <= Limits.expressions {
        end = place + 1
      }
      sums[match] = before + expressions(of: statement.allow, granting: false)
    }
    return Array(statements.prefix(end))
  }

  /// Fewer are seldom too many, and to look at them takes time in thousands of questions.
  private static var fewestStatements: Int { 16 }
}
