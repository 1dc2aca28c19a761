public import RulesEval
import RulesLang

/// What a search and the evaluator do not agree about: a model that rests on nothing but what the
/// theories interpret and that no evaluation confirms, or a request that the evaluator confirms where
/// the search says that there is none. A defect of the prover, in a form that can be sent to whoever
/// mends it.
public struct FailedReplay: Sendable {
  /// The request as a test that expects what the search does; nil if there can be no such request.
  public var test: JSON?
  /// The question and what the search found, in the words of certificates (Docs/Proofs.md §5); the
  /// line `holds` lists the propositions.
  public var found: [String]

  /// A request that shows what the search says there is nothing to show of.
  init(missed draft: Draft, expect: Test.Expectation) {
    test = SuiteWriter.test(
      name: "what the search missed", draft.request, on: draft.documents, expect: expect)
    let scenario = Scenario(
      method: draft.method, access: draft.access, path: draft.path.segments.map { $0 })
    found = ["question " + scenario.line, "nothing found"]
  }

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
