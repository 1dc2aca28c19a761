import Foundation
import RulesEval
import RulesLang
import RulesProof
import Testing

@testable import RulesTesting

/// What is proved about files that say so themselves, as those of the lints do: `// expect: CODE
/// "text"` names a finding and the exact text that it underlines.
@Suite struct DeepFilesTests {
  @Test(arguments: Golden.cases("deep"))
  func theProofsFindWhatTheFileExpectsAndNothingElse(_ name: String) throws {
    let text = try String(
      contentsOf: Golden.folder("deep").appendingPathComponent(name), encoding: .utf8)
    let source = SourceText(name: name, text)
    let outcome = Checker.check(source)
    let checked = try #require(outcome.checked, "\(outcome.diagnostics.map(\.message))")
    var search = RedundancySearch(Engine(checked))
    let found = search.run().diagnostics(in: checked)
    try ExpectedFinding.expect(found, in: source)
  }
}
