import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// A search does not count what an evaluation costs: where dozens of statements are for the same documents,
// what it comes upon may have evaluated too much before it gets to the one that matters. A request of which
// less is true mostly has not, and whoever wishes for such a one needs no sum.

/// Looks for requests that cost as little as comes to it.
struct BelowLimit {
  private let statements: [Compiler.Statement]
  private let scenario: Scenario

  private static let conflicts = 300

  /// Takes the statements that are tried for the requests.
  init(of statements: [Compiler.Statement], in scenario: Scenario) {
    (self.statements, self.scenario) = (statements, scenario)
  }

  /// A request that satisfies all roots, which are known to the compiler; nil if none was found. The
  /// compiler is of no use for anything else afterwards.
  func request(for roots: [Ref], with compiler: Compiler) -> SearchEnd? {
    let goal = Goal(scenario, compiler: compiler, session: SearchSession())
    return goal.during(steps: Thrift.steps) {
      let wishes = compiler.thriftyWishes(for: statements)
      let (search, result) = goal.searchKnown(
        for: roots, within: SearchBudget(conflicts: Self.conflicts), thorough: false,
        wishing: wishes)
      return result == .satisfiable ? search : nil
    }
  }
}

extension Compiler {
  /// Of so many branches it is wished that they are not reached, if not of all.
  private static let fewWishes = 12
  /// More are not gone through.
  private static let greatestWishes = 1000
  /// Parts that cost less are reached or not as it happens.
  private static let smallestBranch = 4

  /// That the dearest parts of conditions are not reached. If that of a few is not sure to be enough, it is
  /// wished of all, small ones too: what is asked for may need the dearest ones.
  func thriftyWishes(for statements: [Statement]) -> [Ref] {
    var (cost, count) = (reachedCost(of: statements, knowing: []), Self.fewWishes)
    if cost.branchesBeyondLimit > count {
      cost = reachedCost(of: statements, knowing: [], smallest: Self.smallestBranch)
      count = Self.greatestWishes
    }
    let lookups = cost.mayLookUpTooMuch ? cost.payments : []
    return (cost.branches.prefix(count) + lookups.prefix(Self.greatestWishes)).map { !$0 }
  }
}

extension Decision {
  /// True if the evaluation exceeded a limit.
  var isStoppedByLimit: Bool {
    tried.contains { tried in
      guard case .failed(let error) = tried.result else { return false }
      if case .budget = error.reason { return true }
      return lookups >= Compiler.greatestLookups
    }
  }
}
