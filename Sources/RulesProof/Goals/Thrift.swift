import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Whether limits matter is asked case by case: requests that the same statements are for, and among them,
// where that is not enough, those that the same statement grants. In each of the cases most statements are
// for other documents, and most of what is read must be there for anything to be granted, so that to read it
// again costs nothing; then the sums are small, or need no search at all.

/// Shows that limits do not matter.
struct Thrift {
  private let goal: Goal
  private let statements: [Compiler.Statement]
  private let grants: [Ref]

  /// What it may cost: where many sums come near to a limit it would take long.
  private static let steps = 4_000_000
  private static let conflicts = 150
  /// The same for one fact.
  private static let conflictsForFact = 20
  /// Of more statements for the same documents it is not looked at each by itself.
  private static let greatestStatements = 12

  /// Takes statements. The compiler is of no use for anything else afterwards.
  init(of statements: [Compiler.Statement], with compiler: Compiler, in scenario: Scenario) {
    goal = Goal(scenario, compiler: compiler, session: SearchSession())
    self.statements = statements
    grants = statements.map { compiler.grants($0) }
  }

  /// Whether no request of a world makes the statements exceed a limit; false if that is not proved.
  func isProved(in world: [Ref]) -> Bool {
    let budget = goal.compiler.problem.budget
    let part = budget?.question(steps: Self.steps)
    defer {
      part?.settle()
      goal.compiler.problem.budget = budget
    }
    goal.compiler.problem.budget = part
    let cost = goal.compiler.reachedCost(of: statements, knowing: [])
    if cost.isWithinLimits { return true }
    let documents = cost.documents
    guard isWithinLimits(in: world + grants.map { !$0 }, documents) else { return false }
    var seen: Set<Ref> = []
    for applies in statements.map({ $0.applies }) where seen.insert(applies).inserted {
      let places = statements.indices.filter { statements[$0].applies == applies }
      let isGranted = goal.compiler.problem.graph.or(places.map { grants[$0] })
      if isWithinLimits(in: world + [isGranted], documents) { continue }
      if places.count == 1 || places.count > Self.greatestStatements { return false }
      let isEach = places.allSatisfy { place in
        let earlier = places.prefix { $0 < place }.map { !grants[$0] }
        return isWithinLimits(in: world + earlier + [grants[place]], documents)
      }
      if !isEach { return false }
    }
    return true
  }

  /// The same of a case.
  private func isWithinLimits(in world: [Ref], _ documents: [Ref]) -> Bool {
    if isImpossible(world) { return true }
    var known: [Ref: Bool] = [:]
    let tried = statements.filter { statement in
      if let isTried = known[statement.applies] { return isTried }
      let isTried = !isImpossible(world + [statement.applies])
      known[statement.applies] = isTried
      return isTried
    }
    let facts = documents.filter { isImpossible(world + [!$0]) }
    let cost = goal.compiler.reachedCost(of: tried, knowing: Set(facts))
    guard let exceeds = cost.exceeds() else { return false }
    return exceeds.allSatisfy { isRuledOut(world + [$0]) }
  }

  /// Whether it is soon seen that no request satisfies something.
  private func isImpossible(_ roots: [Ref]) -> Bool {
    if goal.isKnownPossible(roots) { return false }
    let few = SearchBudget(conflicts: Self.conflictsForFact)
    return goal.searchKnown(for: roots, within: few, thorough: false).result == .unsatisfiable
  }

  /// Whether a short search shows that no request satisfies something.
  private func isRuledOut(_ roots: [Ref]) -> Bool {
    let few = SearchBudget(conflicts: Self.conflicts)
    let early = goal.searchKnown(for: roots, within: few, thorough: false).result
    if early == .unsatisfiable || goal.compiler.isClosed { return early == .unsatisfiable }
    return goal.search(for: roots, within: few).result == .unsatisfiable
  }
}

extension ReachedCost {
  /// Whether no request exceeds a limit, as far as that can be seen without a search.
  fileprivate var isWithinLimits: Bool { exceeds()?.isEmpty ?? false }
}
