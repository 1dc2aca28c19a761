public import RulesEval
import RulesLang

/// What a search found and no evaluation confirms, although it rests on nothing but what the theories
/// interpret: a defect of the prover, in a form that can be sent to whoever mends it.
public struct FailedReplay: Sendable {
  /// The request as a test that expects what the search does; nil if there can be no such request.
  public var test: JSON?
  /// The question and what the search found, in the words of certificates (Docs/Proofs.md §5); the
  /// line `holds` lists the propositions.
  public var found: [String]

  init(_ goal: Goal, _ search: Search, _ draft: Draft?, expect: Test.Expectation) {
    test = draft.map { draft in
      SuiteWriter.test(
        name: "what the search found", draft.request, on: draft.documents, expect: expect)
    }
    var writer = StateWriter(goal.compiler.problem)
    writer.state(search.literals)
    found = ["question " + goal.scenario.line] + writer.lines
  }
}
