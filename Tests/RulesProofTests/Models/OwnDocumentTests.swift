import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver
import Testing

@testable import RulesProof
@testable import RulesProofTesting

/// The request's own document, looked up by its path like any other.
@Suite struct OwnDocumentTests {
  private static let rules = """
    function me() { return get(/databases/$(database)/documents/users/$(request.auth.uid)).data; }
    function meAfter() { return getAfter(/databases/$(database)/documents/users/$(request.auth.uid)).data; }
    match /users/{u} {
      allow delete: if me().role == 'admin';
      allow update: if meAfter().role == 'admin';
    }
    """

  /// A search need not decide that a document that is looked up is the request's own; the request knows it.
  @Test(arguments: ["delete", "update"])
  func whatIsLookedUpIsInTheDocument(method: String) throws {
    let asked = try Asked(
      Self.rules,
      #"{"path": "/users/{u}", "methods": "\#(method)", "never": true, "given": "request.auth.uid == u"}"#
    )
    let claim = asked.claims.claims[0]
    let scenario = try #require(asked.claims.scenarios(of: claim).first)
    let goal = Goal(claim, in: asked.claims, for: scenario)
    let (search, result) = goal.search(for: goal.roots, within: SearchBudget())
    #expect(result == .satisfiable)
    let candidate = try #require(Model(of: search, for: goal.compiler).candidate())
    let data = method == "delete" ? candidate.before : candidate.after
    let role = try #require(data?["role"])
    #expect(Value.areIdentical(role, .string("admin")))
    #expect(asked.claims.refutation(by: candidate, of: claim) != nil)
  }
}
