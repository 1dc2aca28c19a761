import RulesEval
import RulesLang
import RulesProof
import Testing

/// Claims about rules that are written in a test.
struct Asked {
  let claims: ClaimSet
  /// The rules without the claims.
  let rules: Checked

  /// Reads the inside of `match /databases/{database}/documents { … }`, and a list of claims as
  /// suites write them.
  init(_ blocks: String, _ claims: String, profile: Profile = .emulator) throws {
    let text =
      "rules_version = '2'; service cloud.firestore { match /databases/{database}/documents { "
      + blocks + " } }"
    let outcome = Checker.check(SourceText(name: "test.rules", text), profile: profile)
    let suite = SourceText(name: "test.suite.json", #"{"claims": ["# + claims + "]}")
    let (read, diagnostics) = SuiteReader.read(suite)
    try #require(diagnostics.isEmpty, "\(diagnostics.map { $0.message })")
    rules = try #require(outcome.checked)
    self.claims = try ClaimSet(try #require(read).claims, about: rules, profile: profile)
  }

  /// The verdicts, in order.
  var verdicts: [Verdict] { claims.claims.indices.map { Prover(claims).decide($0) } }
}
