import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

extension FailedReplay {
  /// Creates the record of a request that the search missed.
  init(missed draft: Draft, expect: Test.Expectation) {
    let test = SuiteWriter.test(
      name: "what the search missed", draft.request, on: draft.documents, expect: expect)
    let scenario = Scenario(
      method: draft.method, access: draft.access, path: draft.path.segments.map { $0 })
    self.init(test: test, found: ["question " + scenario.line, "nothing found"])
  }

  /// Creates the record of a model that the evaluator does not confirm, with the request made from
  /// it.
  init(of goal: Goal, in search: SearchEnd, draft: Draft?, expect: Test.Expectation) {
    let test = draft.map { draft in
      SuiteWriter.test(
        name: "what the search found", draft.request, on: draft.documents, expect: expect)
    }
    var writer = StateWriter(goal.compiler.problem)
    writer.state(search.literals)
    self.init(test: test, found: ["question " + goal.scenario.line] + writer.lines)
  }
}
