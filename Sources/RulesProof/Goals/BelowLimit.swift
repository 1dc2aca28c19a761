import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

#if !hasFeature(Embedded)
  // The search ignores evaluation cost: with dozens of statements for the same documents, a model
  // may exceed a limit before it reaches the relevant one. A request that satisfies fewer
  // conditions rarely does, and preferring such models needs no arithmetic.

  /// Looks for models with low evaluation cost.
  struct BelowLimit {
    private let statements: [Compiler.Statement]
    private let scenario: Scenario

    private static let conflicts = 300

    /// Takes the statements that are tried for the requests.
    init(of statements: [Compiler.Statement], in scenario: Scenario) {
      (self.statements, self.scenario) = (statements, scenario)
    }

    /// Returns a cheap model of all roots, or nil if none was found.
    ///
    /// - Requires: The compiler knows the roots. It must not be used for anything else afterwards.
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
    /// The number of expensive branches to avoid, if that suffices.
    private static let fewWishes = 12
    /// Maximum soft constraints.
    private static let greatestWishes = 1000
    /// Minimum cost of a branch that is considered.
    private static let smallestBranch = 4

    /// Returns soft constraints "not reached" for the most expensive parts of conditions. If a few
    /// may not suffice, all parts are included, even small ones: the query may need the expensive
    /// ones.
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
#endif

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
