import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

extension FailedReplay {
  /// A request that shows what the search says there is nothing to show of.
  init(missed draft: Draft, expect: Test.Expectation) {
    let test = SuiteWriter.test(
      name: "what the search missed", draft.request, on: draft.documents, expect: expect)
    let scenario = Scenario(
      method: draft.method, access: draft.access, path: draft.path.segments.map { $0 })
    self.init(test: test, found: ["question " + scenario.line, "nothing found"])
  }

  /// What a search found for a goal, and the request that it became.
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
