package import RulesEval
import RulesLang

extension Decision {
  /// The method that the rules were asked for; for several documents, what the test says.
  package func verb(_ test: Test) -> String {
    if test.verb == "batch" { return test.verb }
    return accesses.first?.access.method.word ?? test.verb
  }
}
