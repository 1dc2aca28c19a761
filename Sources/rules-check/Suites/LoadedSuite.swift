import RulesEval
import RulesLang
import RulesProof

/// A suite that can be run: its rules are checked and its claims compiled.
struct LoadedSuite: Sendable {
  /// The text of the suite.
  var source: SourceText
  /// The rules file, as it was opened.
  var rulesPath: String
  /// The rules.
  var engine: Engine
  /// The tests that are wanted; none if they are read while they are run.
  var tests: [Test] = []
  /// Number of tests and claims in memory that a filter leaves out.
  var leftOut = 0
  /// Where the tests of a large suite are read from; nil if they are in memory.
  var stream: SuiteStream?
  /// Its claims, compiled; nil if it has none.
  var claims: ClaimSet?
  /// The suite as it was read; nil if it is of Google's format, or no suite.
  var suite: Suite?

  /// True if it has neither a test nor a claim, wanted or not; of Google's format, none that is wanted.
  var isEmpty: Bool {
    stream == nil && (suite.map { $0.tests.isEmpty && $0.claims.isEmpty } ?? tests.isEmpty)
  }

  /// What is stored before each test.
  var documents: Documents { suite?.documents ?? Documents() }

  /// The names of fields in all documents that the suite stores or writes.
  var fieldNames: Set<Text> { stream?.fieldNames ?? suite?.fieldNames ?? [] }
}
