import RulesEval
import RulesLang
import Testing

@testable import RulesSolver
@testable import RulesTesting

/// One search for many questions against a search for each.
@Suite struct SearchSessionTests {
  /// Propositions about a few ints that must be equal, different, apart or within bounds.
  private static func atoms(_ problem: inout Problem) -> [Ref] {
    var terms: [TermID] = []
    for number in 0..<4 { terms.append(problem.terms.variable(.unknown(number), types: .int)) }
    var atoms: [Ref] = []
    for (place, term) in terms.enumerated() {
      for bound in 0..<2 { atoms.append(problem.graph.atom(.atMost(term, .int, Int128(bound)))) }
      for other in terms[..<place] {
        atoms.append(problem.same(term, other))
        atoms.append(problem.graph.atom(.difference(term, other, .int, -1)))
      }
    }
    return atoms
  }

  /// What each node is where the ints have some values.
  private static func values(_ problem: Problem, where ints: [Int128]) -> [Bool] {
    var values: [Bool] = [true]
    func int(_ term: TermID) -> Int128 {
      guard case .variable(.unknown(let number)) = problem.terms[term] else { return 0 }
      return ints[number]
    }
    for node in 1..<problem.graph.count {
      switch problem.graph.atoms[node] {
      case .same(let one, let other): values.append(int(one) == int(other))
      case .atMost(let term, _, let bound): values.append(int(term) <= bound)
      case .difference(let one, let other, _, let bound):
        values.append(int(one) - int(other) <= bound)
      case .type, .floatAtMost, .matches: values.append(false)
      case .none:
        values.append(
          problem.graph.children(of: node).allSatisfy { values[Int($0.node)] != $0.isNegated })
      }
    }
    return values
  }

  /// Whether some ints meet the roots: four of them differ by three at most in all that can be said here.
  private static func hasInts(_ roots: [Ref], in problem: Problem) -> Bool {
    let range = -3...5
    for first in range {
      for second in range {
        for third in range {
          for fourth in range {
            let ints = [first, second, third, fourth].map { Int128($0) }
            let values = values(problem, where: ints)
            if roots.allSatisfy({ values[Int($0.node)] != $0.isNegated }) { return true }
          }
        }
      }
    }
    return false
  }

  private static func gates(
    _ count: Int, of refs: inout [Ref], in problem: inout Problem, _ dice: inout Dice
  ) {
    for _ in 0..<count {
      let parts = (0..<dice.roll(2...4)).map { _ in
        let ref = dice.pick(refs)
        return dice.chance(40) ? !ref : ref
      }
      refs.append(dice.chance(50) ? problem.graph.and(parts) : problem.graph.or(parts))
    }
  }

  /// Propositions or their opposites.
  private static func drawn(_ count: Int, of refs: [Ref], _ dice: inout Dice) -> [Ref] {
    (0..<count).map { _ in dice.chance(40) ? !dice.pick(refs) : dice.pick(refs) }
  }

  private static func word(_ result: Search.Result) -> String {
    switch result {
    case .satisfiable: "satisfiable"
    case .unsatisfiable: "unsatisfiable"
    case .givenUp: "given up"
    }
  }

  @Test(arguments: Wanted.sample(of: Array(0..<40) + [93, 110, 112]))
  func everyQuestionIsAnsweredAsByItself(seed: UInt64) {
    var dice = Dice(seed: seed)
    var problem = Problem()
    var refs = Self.atoms(&problem)
    let session = SearchSession()
    var counts: [String: Int] = [:]
    var base: [Ref] = []
    for number in 0..<60 {
      // Now and then there is more to speak of, or more is stated.
      if number.isMultiple(of: 12) { Self.gates(8, of: &refs, in: &problem, &dice) }
      if number % 15 == 3 {
        problem.require(problem.graph.or([dice.pick(refs), !dice.pick(refs)]))
      }
      if number.isMultiple(of: 5) { base = (0..<dice.roll(0...2)).map { _ in dice.pick(refs) } }
      let roots =
        base
        + Self.drawn(dice.roll(1...3), of: refs, &dice)
      var alone = Search(
        problem.graph, terms: problem.terms, patterns: problem.patterns, first: roots,
        axioms: problem.axioms, budget: SearchBudget())
      let expected = alone.run(roots + problem.axioms)
      let isKnown = session.hasModel(of: roots, of: problem)
      let (search, result) = session.run(roots, of: problem, within: SearchBudget())
      // What one search taught may rule out what another one leaves open between theories; it must not
      // rule out anything else.
      if Self.word(result) != Self.word(expected) {
        #expect(!Self.hasInts(roots + problem.axioms, in: problem), "question \(number)")
      }
      counts[Self.word(result), default: 0] += 1
      if isKnown { #expect(Self.word(expected) == "satisfiable") }
      if case .unsatisfiable = result, number.isMultiple(of: 20) {
        #expect(!Self.hasInts(roots + problem.axioms, in: problem), "question \(number)")
      }
      if case .satisfiable = result {
        for root in roots { #expect(search.value(of: root) == true) }
      }
    }
    #expect(counts["given up"] == nil)
    #expect(counts.values.reduce(0, +) == 60)
  }

  /// A model is known as one of what it was found for, whatever came after it.
  @Test(arguments: 0..<UInt64(Wanted.cases(5, of: 20)))
  func theLastModelsAreKnown(seed: UInt64) {
    var dice = Dice(seed: seed)
    var problem = Problem()
    var refs = Self.atoms(&problem)
    Self.gates(20, of: &refs, in: &problem, &dice)
    let session = SearchSession()
    var found: [[Ref]] = []
    for _ in 0..<200 {
      // A statement for every document of a path asks for what is always true.
      let roots =
        [.yes]
        + Self.drawn(dice.roll(1...3), of: refs, &dice)
      let (_, result) = session.run(roots, of: problem, within: SearchBudget())
      guard case .satisfiable = result else { continue }
      found.append(roots)
      for known in found.suffix(40) {
        #expect(session.hasModel(of: known, of: problem))
        #expect(!session.hasModel(of: known + [!known[1]], of: problem))
      }
    }
    #expect(found.count > 64)
  }

  /// What follows without a search is true of every model, however it is asked for among other questions,
  /// which are answered as before.
  @Test(arguments: 0..<UInt64(Wanted.cases(1, of: 10)))
  func whatIsRefutedWithoutASearchHasNoModel(seed: UInt64) {
    var dice = Dice(seed: seed)
    var problem = Problem()
    var refs = Self.atoms(&problem)
    let session = SearchSession()
    var counts = (refuted: 0, models: 0)
    for number in 0..<Wanted.cases(30, of: 60) {
      if number.isMultiple(of: 12) { Self.gates(8, of: &refs, in: &problem, &dice) }
      if number % 15 == 3 {
        problem.require(problem.graph.or([dice.pick(refs), !dice.pick(refs)]))
      }
      let roots = Self.drawn(dice.roll(1...3), of: refs, &dice)
      let candidates = Self.drawn(6, of: refs, &dice)
      let refuted = session.refuted(candidates, by: roots, of: problem, within: Budget())
      counts.refuted += refuted.count
      #expect(refuted.isSubset(of: candidates))
      for ref in candidates where number.isMultiple(of: 4) && refuted.contains(ref) {
        #expect(!Self.hasInts(roots + [ref] + problem.axioms, in: problem))
      }
      let (search, result) = session.run(roots, of: problem, within: SearchBudget())
      if case .satisfiable = result {
        counts.models += 1
        for root in roots { #expect(search.value(of: root) == true) }
      } else if number.isMultiple(of: 6) {
        #expect(!Self.hasInts(roots + problem.axioms, in: problem))
      }
    }
    #expect(counts.refuted > 0 && counts.models > 0)
  }

  /// Nothing is said to follow where there are no steps to find it out, and nothing is spoilt by it.
  @Test func whatIsNotFoundOutForWantOfStepsIsFoundOutLater() {
    var problem = Problem()
    let atoms = Self.atoms(&problem)
    let no = problem.graph.and(atoms[0], atoms[1])
    let session = SearchSession()
    let spent = Budget(steps: 0)
    #expect(session.refuted([no], by: [!atoms[0]], of: problem, within: spent).isEmpty)
    #expect(session.refuted([no], by: [!atoms[0]], of: problem, within: Budget()) == [no])
  }

  @Test func whatWasBrokenOffIsNotBuiltUpon() {
    var dice = Dice(seed: 7)
    var problem = Problem()
    var refs = Self.atoms(&problem)
    Self.gates(40, of: &refs, in: &problem, &dice)
    let session = SearchSession()
    for number in 0..<40 {
      let roots = (0..<3).map { _ in dice.chance(40) ? !dice.pick(refs) : dice.pick(refs) }
      let few = SearchBudget(question: Budget(steps: number.isMultiple(of: 2) ? 50 : .max))
      let (_, result) = session.run(roots, of: problem, within: few)
      if case .givenUp = result { continue }
      var alone = Search(
        problem.graph, terms: problem.terms, patterns: problem.patterns, first: roots,
        axioms: problem.axioms, budget: SearchBudget())
      #expect(Self.word(result) == Self.word(alone.run(roots + problem.axioms)))
    }
  }
}
