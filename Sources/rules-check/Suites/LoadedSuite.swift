import RulesEval
import RulesLang
import RulesProof

/// A suite that is ready to run: its rules are checked and its claims compiled.
struct LoadedSuite: Sendable {
  /// The text of the suite.
  var source: SourceText
  /// The path with which the rules file was opened.
  var rulesPath: String
  /// The rules.
  var engine: Engine
  /// The tests to run; empty if they are read while they are run.
  var tests: [Test] = []
  /// The number of tests and claims in memory that a filter excludes.
  var leftOut = 0
  /// The stream of a large suite's tests; nil if they are in memory.
  var stream: SuiteStream?
  /// Its claims, compiled; nil if it has none.
  var claims: ClaimSet?
  /// The suite as it was read; nil if it is of Google's format, or no suite.
  var suite: Suite?

  /// True if it has neither a test nor a claim, excluded ones included; for Google's format, none to run.
  var isEmpty: Bool {
    stream == nil && (suite.map { $0.tests.isEmpty && $0.claims.isEmpty } ?? tests.isEmpty)
  }

  /// The documents stored before each test.
  var documents: Documents { suite?.documents ?? Documents() }

  /// The names of fields in all documents that the suite stores or writes.
  var fieldNames: Set<Text> { stream?.fieldNames ?? suite?.fieldNames ?? [] }
}
