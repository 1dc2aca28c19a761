import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

extension Goal {
  /// Returns the reasons why a search is undecided: unconfirmed models, and the limit that was
  /// reached.
  func openReasons(_ known: [OpenReason], exhaustion: SearchExhaustion?) -> [OpenReason] {
    let spent = compiler.problem.budget?.openReason
    switch exhaustion {
    case .none: return known + (spent.map { [$0] } ?? (known.isEmpty ? [.noEnd] : []))
    case .conflicts: return known + [spent ?? .conflicts]
    case .refinements:
      let open = known.filter { $0.replay == nil }
      return open + (spent.map { [$0] } ?? (open.isEmpty ? [.refinements] : []))
    }
  }

  /// Returns the uninterpreted expressions that an unconfirmed model depends on. Without any, the
  /// prover is inconsistent, and the reason is a defect.
  func openReasons(
    about search: SearchResult, _ candidate: CandidateRequest?, expect expected: Test.Expectation
  ) -> [OpenReason] {
    if let reason = candidate?.impossibility { return [OpenReason(impossible: reason)] }
    let places = compiler.places(in: search)
    if !places.isEmpty { return places.map { OpenReason($0.reason, at: $0.range) } }
    // The search ignores evaluation cost.
    let costs = compiler.costs(of: statements)
    if !costs.isEmpty { return costs }
    return [defect(in: search, candidate: candidate, expect: expected)]
  }

  /// Returns the record of a defect: a model that the evaluation should confirm and does not.
  func defect(
    in search: SearchResult, candidate: CandidateRequest?, expect expected: Test.Expectation
  ) -> OpenReason {
    if let cut = compiler.commitCut { return cut }
    if Model(of: search, for: compiler).hasCrowdedList { return .crowdedList }
    var openReason = OpenReason(
      "the search found only a \(scenario.method.word) that the evaluator decides differently; "
        + "this is a defect of rules-check: please report it with the output of `--defects DIR`")
    openReason.replay = FailedReplay(of: self, in: search, candidate: candidate, expect: expected)
    return openReason
  }
}

extension Compiler {
  /// Returns the uninterpreted expressions that occur in a model.
  func places(in search: SearchResult) -> [OpaquePlace] {
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

extension OpenReason {
  /// The conflict limit for one model.
  static let conflicts = OpenReason(
    "the budget of \(SearchStrategy.fewConflicts) conflicts was spent (searching)")
  /// The refinement limit.
  static let refinements = OpenReason(
    "the budget of \(Strategy.refinements) facts about values was spent (refining)")

  /// A limit of the list theory, which no single construct of the rules causes.
  static let crowdedList = OpenReason("the search does not count the different members of a list")

  /// True if another search from the beginning may decide.
  var mayEndBetter: Bool { replay != nil || self == .refinements || self == .crowdedList }
}
