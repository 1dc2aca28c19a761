import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

extension FailedReplay {
  /// Creates the record of a request that the search missed.
  init(missed candidate: CandidateRequest, expect: Test.Expectation) {
    let test = SuiteWriter.test(
      name: "what the search missed", candidate.request, on: candidate.documents, expect: expect)
    let scenario = Scenario(
      method: candidate.method, access: candidate.access, path: candidate.path.segments.map { $0 })
    self.init(test: test, found: ["question " + scenario.line, "nothing found"])
  }

  /// Creates the record of a model that the evaluator does not confirm, with the request made from
  /// it.
  init(
    of goal: Goal, in search: SearchResult, candidate: CandidateRequest?, expect: Test.Expectation
  ) {
    let test = candidate.map { candidate in
      SuiteWriter.test(
        name: "what the search found", candidate.request, on: candidate.documents, expect: expect)
    }
    var writer = StateWriter(goal.compiler.problem)
    writer.state(search.literals)
    self.init(test: test, found: ["question " + goal.scenario.line] + writer.lines)
  }
}
