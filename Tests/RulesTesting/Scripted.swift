import RulesEval
import RulesLang
import Testing

/// One traced request against rules that a test writes out.
enum Scripted {
  /// Decides the request `{REQUEST}` of a suite by the blocks inside the root block.
  static func decide(
    _ blocks: String, _ request: String, documents: String = "{}", version: Int = 2
  ) throws -> (decision: Decision, rules: Checked) {
    let rules = try checked(blocks, version: version)
    let suite = SourceText(
      name: "suite",
      #"{"documents": \#(documents), "tests": [{\#(request), "expect": "allow"}]}"#)
    let read = SuiteReader.read(suite)
    let test = try #require(read.suite?.tests.first, "\(read.diagnostics.map { $0.message })")
    let result = Engine(rules).run(
      test, documents: try #require(read.suite).documents, now: .epoch, tracing: true)
    return (try #require(result.decision), rules)
  }

  /// The rules with these blocks inside the root block.
  static func checked(_ blocks: String, version: Int = 2) throws -> Checked {
    let source = SourceText(name: "test.rules", text(blocks, version: version))
    let outcome = Checker.check(source, profile: .emulator)
    return try #require(outcome.checked, "\(outcome.diagnostics.map { $0.message })")
  }

  /// The text of rules with these blocks inside the root block.
  static func text(_ blocks: String, version: Int = 2) -> String {
    """
    rules_version = '\(version)';
    service cloud.firestore {
    match /databases/{database}/documents {
    \(blocks)
    }
    }
    """
  }
}
