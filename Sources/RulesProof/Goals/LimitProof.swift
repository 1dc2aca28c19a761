import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Whether limits matter is asked case by case: requests with the same text where patterns have texts, among
// them those that the same statements are for, and where that is not enough, those that the same statement
// grants. In each of the cases most statements are for other documents, and most of what is read must be
// there for anything to be granted, so that to read it again costs nothing; then all that can be reached
// together is within the limits. To search for what can be reached at once was tried and decided nothing.

/// Proves that no request exceeds an evaluation limit.
struct LimitProof {
  private let goal: Goal
  private let all: [Compiler.Statement]

  /// Creates a proof attempt.
  ///
  /// - Parameter compiler: The compiler of the statements, which must not be used for anything else
  ///   afterwards.
  init(
    of statements: [Compiler.Statement], with compiler: Compiler, in scenario: Scenario
  ) {
    goal = Goal(scenario, compiler: compiler, session: SearchSession())
    all = statements
  }

  /// A cache of results by the segment at a place; calls `proof` if the result is not known.
  typealias Memory = (_ place: Int, _ text: Text, _ proof: () -> Bool) -> Bool

  /// Proves that no request in `world` exceeds a limit; false if not proved.
  func isProved(in world: [Ref], knowing memory: Memory = { _, _, proof in proof() }) -> Bool {
    goal.during(steps: Strategy.sideSteps) {
      cases().allSatisfy { each in
        func isProved() -> Bool { self.isProved(in: world + [each.isMeant], of: each.statements) }
        guard let (place, text) = each.text else { return isProved() }
        return memory(place, text, isProved)
      }
    }
  }

  /// A case of the analysis: a class of requests.
  private struct Case {
    /// The condition of the case.
    var isMeant: Ref
    /// The segment of the case; nil for requests with none of the other cases' segments.
    var text: (place: Int, text: Text)?
    /// The statements that can match requests of the case.
    var statements: [Compiler.Statement]
  }

  /// Returns the cases by segment, at the place where patterns have the most different literals.
  private func cases() -> [Case] {
    var (place, texts): (Int, [Text]) = (0, [])
    if !goal.scenario.isOpen {
      for other in goal.scenario.path.indices.dropLast() where goal.scenario.path[other] == nil {
        var distinct: [Text] = []
        for statement in all {
          let text = goal.compiler.text(of: statement, at: other)
          if let text, !distinct.contains(text) { distinct.append(text) }
        }
        if distinct.count > texts.count { (place, texts) = (other, distinct) }
      }
    }
    guard texts.count > 1 else { return [Case(isMeant: .yes, statements: all)] }
    let segment = goal.compiler.scene.segments[place]
    var found: [Case] = []
    var isOther: [Ref] = []
    for text in texts {
      let isMeant = goal.compiler.problem.same(segment, goal.compiler.problem.text(text))
      isOther.append(!isMeant)
      found.append(
        Case(
          isMeant: isMeant, text: (place, text), statements: statements(for: text, at: place)))
    }
    found.append(
      Case(
        isMeant: goal.compiler.problem.graph.and(isOther),
        statements: statements(for: nil, at: place)))
    return found
  }

  /// Returns the statements that can match requests with a segment at a place; nil stands for a
  /// segment that no pattern has there.
  private func statements(for text: Text?, at place: Int) -> [Compiler.Statement] {
    all.filter { statement in
      let own = goal.compiler.text(of: statement, at: place)
      return own == nil || own == text
    }
  }

  private func isProved(in world: [Ref], of statements: [Compiler.Statement]) -> Bool {
    let cost = goal.compiler.reachedCost(of: statements, knowing: [])
    if cost.isWithinLimits { return true }
    let documents = cost.documents
    let grants = statements.map { goal.compiler.grants($0) }
    func isWithinLimits(in world: [Ref]) -> Bool {
      self.isWithinLimits(in: world, of: statements, documents)
    }
    guard isWithinLimits(in: world + grants.map { !$0 }) else { return false }
    var seen: Set<Ref> = []
    for applies in statements.map({ $0.applies }) where seen.insert(applies).inserted {
      let places = statements.indices.filter { statements[$0].applies == applies }
      let isGranted = goal.compiler.problem.graph.or(places.map { grants[$0] })
      if isWithinLimits(in: world + [isGranted]) { continue }
      if places.count == 1 { return false }
      let isEach = places.allSatisfy { place in
        let earlier = places.prefix { $0 < place }.map { !grants[$0] }
        return isWithinLimits(in: world + earlier + [grants[place]])
      }
      if !isEach { return false }
    }
    return true
  }

  /// Proves for one case that no request in `world` exceeds a limit; false if not proved.
  private func isWithinLimits(
    in world: [Ref], of statements: [Compiler.Statement], _ documents: [Ref]
  ) -> Bool {
    if isImpossible(world) { return true }
    var known: [Ref: Bool] = [:]
    let tried = statements.filter { statement in
      if let isTried = known[statement.applies] { return isTried }
      let isTried = !isImpossible(world + [statement.applies])
      known[statement.applies] = isTried
      return isTried
    }
    let facts = documents.filter { isImpossible(world + [!$0]) }
    var cost = goal.compiler.reachedCost(of: tried, knowing: Set(facts))
    leaveOut(&cost, in: world)
    return cost.isWithinLimits
  }

  /// Drops from `cost` the expressions and lookups that no request of `world` can reach.
  private func leaveOut(_ cost: inout ReachedCost, in world: [Ref]) {
    let refuted = goal.refuted(cost.conditions, by: world)
    cost.leaveOut { refuted.contains($0) }
  }

  /// True if a very short search proves that no request satisfies the roots.
  private func isImpossible(_ roots: [Ref]) -> Bool {
    if goal.isKnownPossible(roots) { return false }
    return goal.searchKnown(for: roots, within: .brief, thorough: false).result == .unsatisfiable
  }
}

extension Compiler {
  /// Returns the literal at a place of the statement's pattern; nil if there is none.
  fileprivate func text(of statement: Statement, at place: Int) -> Text? {
    let pattern = rules.matches[rules.ruleset[statement.allow].match.index].pattern
    let place = DatabaseName.rootCount + place
    guard place < pattern.count, !pattern[...place].contains(where: { $0.isGlob }),
      case .literal(let text) = pattern[place]
    else { return nil }
    return text
  }
}
