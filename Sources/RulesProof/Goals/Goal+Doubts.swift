import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

extension Goal {
  /// Why a search was given up: what is known of models that were not confirmed, and what it ran out of.
  func doubts(_ known: [Doubt], exhaustion: SearchExhaustion?) -> [Doubt] {
    let spent = compiler.problem.budget?.doubt
    switch exhaustion {
    case .none: return known + (spent.map { [$0] } ?? (known.isEmpty ? [.noEnd] : []))
    case .conflicts: return known + [spent ?? .conflicts]
    case .refinements:
      let open = known.filter { $0.replay == nil }
      return open + (spent.map { [$0] } ?? (open.isEmpty ? [.refinements] : []))
    }
  }

  /// What a model that was not confirmed rests on, beside what is interpreted; if on nothing, the
  /// prover contradicts itself.
  func doubts(
    about search: SearchEnd, _ draft: Draft?, expect expected: Test.Expectation
  ) -> [Doubt] {
    if let reason = draft?.impossibility { return [Doubt(impossible: reason)] }
    let places = compiler.places(in: search)
    if !places.isEmpty { return places.map { Doubt($0.reason, at: $0.range) } }
    // The search does not count what an evaluation costs.
    let costs = compiler.costs(of: statements)
    if !costs.isEmpty { return costs }
    return [defect(in: search, draft: draft, expect: expected)]
  }

  /// Says what the search found and no evaluation confirms.
  func defect(in search: SearchEnd, draft: Draft?, expect expected: Test.Expectation) -> Doubt {
    if let cut = compiler.commitCut { return cut }
    if Model(of: search, for: compiler).hasCrowdedList { return .crowdedList }
    var doubt = Doubt(
      "the search found only a \(scenario.method.word) that the evaluator decides otherwise, and "
        + "rules-check should know better: please report it, with what `--defects DIR` writes")
    doubt.replay = FailedReplay(of: self, in: search, draft: draft, expect: expected)
    return doubt
  }
}

extension Compiler {
  /// The places that are not interpreted and that the model of a search speaks of.
  func places(in search: SearchEnd) -> [OpaquePlace] {
    let table = search.theory.terms
    var terms: Set<TermID> = []
    var variables: Set<RequestVariable> = []
    var open = search.atoms.flatMap { $0.terms }
    while let term = open.popLast() {
      guard terms.insert(term).inserted else { continue }
      if case .variable(let variable) = table[term] { variables.insert(variable) }
      open += table.arguments(of: term)
    }
    let met = obstacles.filter {
      variables.contains(.unknown($0.number)) || variables.contains(.flag(.defined($0.number)))
    }
    return met.map { $0.place }
      + unknownFunctions.filter { terms.contains($0.term) }.map { $0.place }
  }
}

extension Doubt {
  /// One model cost more than a search may.
  static let conflicts = Doubt(
    "the budget of \(SearchBudget().conflicts) conflicts was spent (searching)")
  /// One fact after the other was missing.
  static let refinements = Doubt(
    "the budget of \(SearchExhaustion.greatestRefinements) facts about values was spent "
      + "(refining)")

  /// What the search does not interpret, and what no construct of the rules stands for alone.
  static let crowdedList = Doubt("the search does not count the different members of a list")

  /// Whether a search from the beginning may come to an end.
  var mayEndBetter: Bool { replay != nil || self == .refinements || self == .crowdedList }
}
