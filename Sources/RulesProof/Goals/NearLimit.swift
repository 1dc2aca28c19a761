import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Whether a limit makes a difference shows a request that costs a little more than the limit in one file and
// no more in the other. The evaluator says what a request costs; what makes it cost more or less are the
// parts of conditions that it reaches. So first as many of them are reached as can be together, then so few
// that the limit is only just exceeded, and then others in place of the last ones.

/// Looks for requests that cost a little more than a limit.
struct NearLimit {
  /// What a request that was made is.
  enum Cost {
    /// What was looked for.
    case confirmed
    /// A limit stops it.
    case over
    /// No limit stops it.
    case within
  }

  private let goal: Goal
  private let world: [Ref]
  private let steps: Int

  private static let conflicts = 100
  /// Parts that cost less are reached or not as it happens.
  private static let smallestBranch = 4
  /// So often other parts are tried in place of the last ones.
  private static let greatestReplacements = 40

  /// Takes what is true of the requests that are meant, and what it may cost. The compiler is of no use for
  /// anything else afterwards.
  init(in world: [Ref], with compiler: Compiler, in scenario: Scenario, steps: Int = Thrift.steps) {
    self.world = world
    self.steps = steps
    goal = Goal(scenario, compiler: compiler, session: SearchSession())
  }

  /// Makes requests that some statements are tried for until one is confirmed; in a program for a page none,
  /// as it would be the larger for it.
  func look(for statements: [Compiler.Statement], confirming cost: (Draft) -> Cost) {
    #if !hasFeature(Embedded)
      goal.during(steps: steps) {
        let branches = goal.compiler.reachedCost(
          of: statements, knowing: [], smallest: Self.smallestBranch
        ).branches
        approach(together(branches[...], with: []), confirming: cost)
      }
    #endif
  }

  /// Makes requests that reach fewer and fewer of some parts, and then others in place of the last ones.
  private func approach(_ parts: [Ref], confirming cost: (Draft) -> Cost) {
    // What is too much whatever is reached cannot be made less.
    guard !parts.isEmpty, let dearest = draft(reaching: parts), cost(dearest) == .over
    else { return }
    var (few, many) = (0, parts.count)
    while many - few > 1 {
      let middle = (few + many) / 2
      guard let draft = draft(reaching: parts[..<middle]) else { return }
      switch cost(draft) {
      case .confirmed: return
      case .over: many = middle
      case .within: few = middle
      }
    }
    var dice = Dice(seed: 1)
    for _ in 0..<Self.greatestReplacements {
      let start = max(0, few - 1 - dice.roll(3))
      let others = (start...few).map { _ in parts[start + dice.roll(parts.count - start)] }
      guard let draft = draft(reaching: parts[..<start] + others) else { continue }
      if cost(draft) == .confirmed { return }
    }
  }

  /// Of some parts those that are reached together with others, as many as are found by halves.
  private func together(_ parts: ArraySlice<Ref>, with others: [Ref]) -> [Ref] {
    if parts.isEmpty || goal.budget.isSpent { return others }
    if search(others + parts) != nil { return others + parts }
    if parts.count == 1 { return others }
    let middle = parts.startIndex + parts.count / 2
    return together(parts[middle...], with: together(parts[..<middle], with: others))
  }

  private func draft(reaching parts: some Sequence<Ref>) -> Draft? {
    search(Array(parts)).flatMap { Model(of: $0, in: goal.compiler.scene).draft() }
  }

  private func search(_ parts: [Ref]) -> SearchEnd? {
    let few = SearchBudget(conflicts: Self.conflicts)
    let (search, result) = goal.search(for: world + parts, within: few)
    return result == .satisfiable ? search : nil
  }
}
