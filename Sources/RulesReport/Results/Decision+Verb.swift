package import RulesEval
import RulesLang

extension Decision {
  /// Returns the method that the rules decided; for several documents, the test's verb.
  package func verb(_ test: Test) -> String {
    if test.verb == "batch" { return test.verb }
    return accesses.first?.access.method.word ?? test.verb
  }
}
