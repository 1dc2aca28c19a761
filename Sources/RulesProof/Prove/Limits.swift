import RulesEval
import RulesLang

// What a proof depends on beside the conditions: that a path of any length is like those that were
// looked at, and that rules are not stopped by the limits of the engine.

extension ClaimSet {
  /// Why it proves nothing about a claim that a goal has no counterexample; empty if it does.
  func doubts(about goal: Goal, _ claim: CompiledClaim) -> [Doubt] {
    let doubts = openLengths(goal, claim)
    if case .alwaysIf = claim.claim.obligation { return doubts + costs(of: goal) }
    return doubts
  }

  /// The places at which a condition could tell the lengths of paths apart that were not all looked
  /// at: it uses what `{x=**}` is bound to.
  func openLengths(_ goal: Goal, _ claim: CompiledClaim) -> [Doubt] {
    guard let glob = claim.claim.path.steps.first(where: { $0.isGlob })?.name else { return [] }
    var uses = PathUses(rules)
    for function in claim.limits(for: goal.scenario.method) + [claim.obligation].compactMap({ $0 })
    {
      let parameters = rules.ruleset[function].parameters
      let slot = parameters.firstIndex { $0.text == glob }
      uses.add(function, globs: [], local: slot.map { UInt8($0) })
    }
    for statement in goal.statements {
      let allow = rules.ruleset[statement.allow]
      guard let condition = allow.condition else { continue }
      uses.add(condition, globs: rules.matches[allow.match.index].globs, local: nil)
    }
    return uses.places.map { Doubt("a path of any length is looked into", at: $0) }
  }

  /// The statements that could run out of budget, and so deny what their conditions allow.
  func costs(of goal: Goal) -> [Doubt] {
    var cost = Cost(rules)
    for statement in goal.statements {
      if let condition = rules.ruleset[statement.allow].condition { cost.add(condition) }
    }
    var doubts: [Doubt] = []
    if cost.expressions > Limits.expressions {
      doubts.append(Doubt("the statements could run out of the budget of expressions"))
    }
    if cost.lookups > 10 {
      doubts.append(Doubt("the statements could look up more documents than they may"))
    }
    return doubts
  }
}

/// The places where conditions use a path whose length is open.
struct PathUses {
  private(set) var places: [SourceRange] = []
  private let rules: Checked

  init(_ rules: Checked) { self.rules = rules }

  /// Looks through a function and what it calls.
  mutating func add(_ function: FunctionID, globs: Set<UInt8>, local: UInt8?) {
    let declaration = rules.ruleset[function]
    for binding in declaration.lets { add(binding.value, globs: globs, local: local) }
    add(declaration.result, globs: globs, local: local)
  }

  /// Looks through a body and the functions that it calls.
  mutating func add(_ body: Body, globs: Set<UInt8>, local: UInt8?) {
    for index in body.first.index...body.root.index {
      switch (rules.bindings[index], rules.ruleset.expressions[index].kind) {
      case (.capture(let slot), _) where globs.contains(slot): note(index)
      case (.local(let slot), _) where slot == local: note(index)
      case (.function(let function), _): add(function, globs: globs, local: nil)
      case (_, .member(_, let name)) where name.text == "path" || name.text == "__name__":
        note(index)
      default: break
      }
    }
  }

  private mutating func note(_ index: Int) {
    let range = rules.ruleset.expressions[index].range
    if !places.contains(range) { places.append(range) }
  }
}

extension MatchFacts {
  /// The slots of the captures that stand for any number of segments.
  var globs: Set<UInt8> {
    Set(
      pattern.compactMap { step in
        if case .glob(let slot) = step { return slot }
        return nil
      })
  }
}

/// The greatest cost that conditions can have.
struct Cost {
  private(set) var expressions = 0
  private(set) var lookups = 0
  private let rules: Checked
  private var known: [FunctionID: (expressions: Int, lookups: Int)] = [:]

  init(_ rules: Checked) { self.rules = rules }

  /// Adds what a body costs if all of it is evaluated.
  mutating func add(_ body: Body) {
    let cost = cost(of: body)
    expressions = min(expressions + cost.expressions, 1 << 20)
    lookups = min(lookups + cost.lookups, 1 << 20)
  }

  private mutating func cost(of body: Body) -> (expressions: Int, lookups: Int) {
    var sum = (expressions: 0, lookups: 0)
    for index in body.first.index...body.root.index {
      sum.expressions += 2
      switch rules.bindings[index] {
      case .function(let function):
        let inner = cost(of: function)
        sum.expressions = min(sum.expressions + inner.expressions, 1 << 20)
        sum.lookups = min(sum.lookups + inner.lookups, 1 << 20)
      case .builtin(.get), .builtin(.exists), .builtin(.getAfter), .builtin(.existsAfter):
        sum.lookups += 1
      default: break
      }
    }
    return sum
  }

  private mutating func cost(of function: FunctionID) -> (expressions: Int, lookups: Int) {
    if let known = known[function] { return known }
    let declaration = rules.ruleset[function]
    var sum = cost(of: declaration.result)
    for binding in declaration.lets {
      let inner = cost(of: binding.value)
      sum.expressions = min(sum.expressions + inner.expressions, 1 << 20)
      sum.lookups = min(sum.lookups + inner.lookups, 1 << 20)
    }
    known[function] = sum
    return sum
  }
}
