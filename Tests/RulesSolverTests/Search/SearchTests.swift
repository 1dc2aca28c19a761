import RulesEval
import RulesLang
import Testing

@testable import RulesSolver

/// The search against trying everything, and where it stops.
@Suite struct SearchTests {
  /// Propositions over atoms that have nothing to do with one another.
  private struct Puzzle {
    static let atomCount = 7
    var problem = Problem()
    var roots: [Ref] = []
    var axioms: [Ref] = []

    init(atoms count: Int = Self.atomCount) {
      for number in 0..<count {
        let term = problem.terms.variable(.unknown(number), types: .any)
        _ = problem.graph.atom(.type(term, .int))
      }
    }

    /// The atom with a number.
    func atom(_ number: Int) -> Ref { Ref(node: Int32(number + 1)) }

    func search(within budget: SearchBudget = SearchBudget()) -> Search {
      Search(
        problem.graph, terms: problem.terms, patterns: problem.patterns, first: roots,
        axioms: axioms, budget: budget)
    }

    /// What each node is under an assignment of the atoms, one bit each.
    func values(_ assignment: Int) -> [Bool] {
      var values: [Bool] = [true]
      for node in 1..<problem.graph.count {
        if problem.graph.atoms[node] != nil {
          values.append(assignment >> (node - 1) & 1 == 1)
        } else {
          values.append(
            problem.graph.children(of: node).allSatisfy { Self.holds($0, values) })
        }
      }
      return values
    }

    static func holds(_ ref: Ref, _ values: [Bool]) -> Bool {
      values[Int(ref.node)] != ref.isNegated
    }
  }

  /// Conjunctions and disjunctions of one another, some of which must hold.
  private func puzzle(_ dice: inout Dice) -> Puzzle {
    var puzzle = Puzzle()
    var refs = (0..<Puzzle.atomCount).map { puzzle.atom($0) }
    func part(_ dice: inout Dice) -> Ref {
      let ref = dice.pick(refs)
      return dice.chance(40) ? !ref : ref
    }
    for _ in 0..<dice.roll(4...16) {
      let parts = (0..<dice.roll(2...4)).map { _ in part(&dice) }
      refs.append(
        dice.chance(50) ? puzzle.problem.graph.and(parts) : puzzle.problem.graph.or(parts))
    }
    puzzle.roots = (0..<dice.roll(1...6)).map { _ in part(&dice) }
    return puzzle
  }

  @Test(arguments: 0..<300)
  func aModelIsFoundExactlyIfThereIsOne(seed: Int) {
    var dice = Dice(seed: UInt64(seed))
    let puzzle = puzzle(&dice)
    var search = puzzle.search()
    let result = search.run(puzzle.roots)
    let worlds = (0..<(1 << Puzzle.atomCount)).map { puzzle.values($0) }
    let models = worlds.filter { values in
      puzzle.roots.allSatisfy { Puzzle.holds($0, values) }
    }
    switch result {
    case .satisfiable:
      let literals = search.literals
      let extensions = worlds.filter { values in
        literals.allSatisfy { Puzzle.holds($0, values) }
      }
      #expect(!extensions.isEmpty)
      // What the model leaves open does not matter.
      for values in extensions {
        #expect(puzzle.roots.allSatisfy { Puzzle.holds($0, values) })
      }
    case .unsatisfiable: #expect(models.isEmpty)
    case .givenUp: Issue.record("given up without a reason")
    }
    // Whatever was learned holds in each model.
    for case .learned(let clause) in search.proof {
      #expect(models.allSatisfy { values in clause.contains { Puzzle.holds($0, values) } })
    }
  }

  @Test(arguments: 0..<100)
  func axiomsRuleOutModelsWithoutBeingDecided(seed: Int) {
    var dice = Dice(seed: UInt64(1000 + seed))
    var puzzle = puzzle(&dice)
    for _ in 0..<3 {
      let parts = (0..<3).map { _ in
        let atom = puzzle.atom(dice.roll(Puzzle.atomCount))
        return dice.chance(30) ? !atom : atom
      }
      puzzle.axioms.append(!puzzle.problem.graph.and(parts))
    }
    var search = puzzle.search()
    let result = search.run(puzzle.axioms + puzzle.roots)
    let all = puzzle.axioms + puzzle.roots
    let hasModel = (0..<(1 << Puzzle.atomCount)).contains { assignment in
      let values = puzzle.values(assignment)
      return all.allSatisfy { Puzzle.holds($0, values) }
    }
    guard case .satisfiable = result else {
      #expect(!hasModel)
      return
    }
    // What nobody asserts is not so.
    var assignment = 0
    for literal in search.literals where !literal.isNegated {
      assignment |= 1 << (Int(literal.node) - 1)
    }
    let values = puzzle.values(assignment)
    #expect(all.allSatisfy { Puzzle.holds($0, values) })
  }

  // MARK: Theories

  /// So many ints from 0 up to but not including `holes`, each different from the others.
  private func pigeons(_ count: Int, in holes: Int) -> (problem: Problem, roots: [Ref]) {
    var problem = Problem()
    var roots: [Ref] = []
    let terms = (0..<count).map { problem.terms.variable(.unknown($0), types: .int) }
    let values = (0..<holes).map { problem.constant(.int(Int64($0))) }
    for (place, term) in terms.enumerated() {
      roots.append(problem.graph.or(values.map { problem.same(term, $0) }))
      for other in terms[..<place] { roots.append(!problem.same(term, other)) }
    }
    return (problem, roots)
  }

  private func run(
    _ puzzle: (problem: Problem, roots: [Ref]), within budget: SearchBudget = SearchBudget()
  ) -> Search.Result {
    var search = Search(
      puzzle.problem.graph, terms: puzzle.problem.terms, patterns: puzzle.problem.patterns,
      first: puzzle.roots, axioms: [], budget: budget)
    return search.run(puzzle.roots)
  }

  private func isSatisfiable(_ result: Search.Result) -> Bool? {
    switch result {
    case .satisfiable: true
    case .unsatisfiable: false
    case .givenUp: nil
    }
  }

  @Test func pigeonsFitIfThereAreEnoughHoles() {
    #expect(isSatisfiable(run(pigeons(4, in: 4))) == true)
    #expect(isSatisfiable(run(pigeons(4, in: 3))) == false)
  }

  @Test func aConflictThatIsOnlyFoundAtTheEndIsLearnedFrom() throws {
    var problem = Problem()
    let (x, y) = (
      problem.terms.variable(.unknown(0), types: .int),
      problem.terms.variable(.unknown(1), types: .int)
    )
    let less = problem.graph.atom(.difference(x, y, .int, -1))
    let more = problem.graph.atom(.difference(y, x, .int, -1))
    let text = problem.terms.variable(.uid, types: .string)
    let (one, other) = (problem.patterns.add("a+"), problem.patterns.add("b+"))
    let isA = problem.graph.atom(.matches(text, try #require(one)))
    let isB = problem.graph.atom(.matches(text, try #require(other)))
    let either = problem.graph.or(isA, less)
    #expect(isSatisfiable(run((problem, [either, more]))) == true)
    #expect(isSatisfiable(run((problem, [either, more, isB]))) == false)
    #expect(isSatisfiable(run((problem, [either, isB]))) == true)
  }

  // MARK: Budgets

  @Test func aSearchIsGivenUpWhenItsConflictsAreSpent() {
    let hard = pigeons(9, in: 8)
    #expect(isSatisfiable(run(hard, within: SearchBudget(conflicts: 20))) == nil)
  }

  @Test func aSearchIsGivenUpWhenItsStepsAreSpentAndCountsThem() {
    let budget = Budget(steps: 30_000)
    let result = run(pigeons(9, in: 8), within: SearchBudget(question: budget))
    #expect(isSatisfiable(result) == nil)
    #expect(budget.isSpent && budget.used >= 30_000 && budget.used < 60_000)
    let enough = Budget(steps: 1_000_000)
    #expect(isSatisfiable(run(pigeons(4, in: 3), within: SearchBudget(question: enough))) == false)
    #expect(!enough.isSpent && enough.used > 0)
  }

  @Test func whatCannotHoldAtOnceNeedsNoDecision() {
    var puzzle = Puzzle(atoms: 2)
    puzzle.roots = [puzzle.problem.graph.and(puzzle.atom(0), puzzle.atom(1)), !puzzle.atom(1)]
    var search = puzzle.search()
    #expect(isSatisfiable(search.run(puzzle.roots)) == false)
    #expect(search.decisions == 0)
    guard case .learned(let clause)? = search.proof.last else {
      Issue.record("the proof has no end")
      return
    }
    #expect(clause.isEmpty)
  }
}
