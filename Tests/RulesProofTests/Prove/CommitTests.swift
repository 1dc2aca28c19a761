import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesEval
@testable import RulesProof

/// A commit passes only if all its writes are granted, so what a condition looks up after it changes only
/// as the rules allow (Docs/Proofs.md, assumption 6).
@Suite struct CommitTests {
  /// A post may be changed only in the commit that makes its like.
  private static let post = """
    match /posts/{id} {
      allow update: if !exists(\(like)) && existsAfter(\(like));
    }
    """
  private static let like = "/databases/$(database)/documents/likes/$(id)"

  /// What else the rules say, and whether whoever changes a post is signed in.
  static let others: [(rules: String, verdict: String)] = [
    ("", "proved"),
    ("match /likes/{id} { allow create: if true; }", "violated"),
    ("match /likes/{id} { allow create: if request.auth != null; }", "proved"),
    ("match /likes/{id} { allow update, delete: if true; }", "proved"),
    ("match /likes/{id} { allow create: if request.resource.data.by == 'x'; }", "violated"),
    (
      "match /likes/{id} { allow create: if request.resource.data.by == request.auth.uid; }",
      "proved"
    ),
    ("match /{any=**} { allow write: if request.auth.uid != null; }", "proved"),
    // What the other write's condition looks up is followed, too.
    (
      """
      match /likes/{id} {
        allow create: if existsAfter(/databases/$(database)/documents/third/$(id));
      }
      match /third/{id} { allow create: if request.auth != null; }
      """, "violated"
    ),
    (
      """
      match /likes/{id} {
        allow create: if !exists(/databases/$(database)/documents/third/$(id))
          && existsAfter(/databases/$(database)/documents/third/$(id));
      }
      match /third/{id} { allow create: if request.auth != null; }
      """, "proved"
    ),
  ]

  @Test(arguments: others)
  func otherWritesMustBeGranted(_ rules: String, _ verdict: String) throws {
    let claim = Claim(
      name: "c", path: try #require(ClaimPath("/posts/{id}")), methods: MethodSet(.update),
      obligation: .onlyIf(Claim.Condition("request.auth != null")))
    let decided = try Self.decide(claim, Self.post + "\n" + rules)
    #expect(decided.word == verdict, "\(decided)")
    guard case .violated(let counterexample) = decided else { return }
    guard case .commit(let writes) = counterexample.request.operation else {
      Issue.record("\(counterexample.request.operation)")
      return
    }
    #expect(writes.count > 1)
    #expect(counterexample.decision.isAllowed)
  }

  /// Beyond some documents any change counts as possible, so nothing is proved by what is not followed.
  @Test func longChainsOfDocumentsAreNotFollowed() throws {
    func name(_ number: Int) -> String { "/databases/$(database)/documents/c\(number)/x" }
    let parts = (1...6).map { "!exists(\(name($0))) && existsAfter(\(name($0)))" }
    let rules = """
      match /posts/{id} { allow update: if \(parts.joined(separator: " && ")); }
      \((1...5).map { "match /c\($0)/{x} { allow create: if true; }" }.joined(separator: "\n"))
      """
    let claim = Claim(
      name: "c", path: try #require(ClaimPath("/posts/{id}")), methods: MethodSet(.update),
      obligation: .never)
    guard case .undecided(let openReasons) = try Self.decide(claim, rules) else {
      Issue.record("it is decided")
      return
    }
    #expect(openReasons.allSatisfy { $0.replay == nil }, "\(openReasons.map { $0.reason })")
    // Whoever reads it learns which limit it is, and at which lookup it is met.
    let cut = try #require(openReasons.first { $0.reason.contains("more than 4 other documents") })
    let range = try #require(cut.range)
    let text = try #require(Checker.check(SourceText(name: "r", Self.rules(rules))).checked)
    #expect(text.ruleset.source.string(range) == "existsAfter(\(name(5)))")
  }

  /// Rules can ask which fields an update names: those that it changes.
  @Test(arguments: [("['done']", "violated"), ("['other']", "proved")])
  func updatesNameWhatTheyChange(_ names: String, _ verdict: String) throws {
    let rules = """
      match /posts/{id} {
        allow update: if request.writeFields.hasOnly(\(names))
          && request.writeFields.hasAny(['done']) && request.resource.data.done is bool;
      }
      """
    let claim = Claim(
      name: "c", path: try #require(ClaimPath("/posts/{id}")), methods: MethodSet(.update),
      obligation: .never)
    #expect(try Self.decide(claim, rules).word == verdict)
  }

  /// To rules a query by name knows no state after it, but claims are about the document.
  @Test func claimsLookAfterQueriesByName() throws {
    var claim = Claim(
      name: "c", path: try #require(ClaimPath("/users/{uid}")), methods: MethodSet(.list),
      obligation: .never)
    let role = "/databases/$(database)/documents/roles/$(request.auth.uid)"
    claim.given = Claim.Condition(Text("existsAfter(\(role))"))
    let decided = try Self.decide(
      claim, "match /users/{id} { allow list: if request.auth.uid == id; }")
    #expect(decided.word == "violated")
  }

  private static func rules(_ body: String) -> String {
    """
    rules_version = '2';
    service cloud.firestore { match /databases/{database}/documents {
    \(body)
    } }
    """
  }

  private static func decide(_ claim: Claim, _ body: String) throws -> Verdict {
    let outcome = Checker.check(SourceText(name: "r", rules(body)))
    let checked = try #require(outcome.checked, "\(outcome.diagnostics.map { $0.message })")
    return Prover(try ClaimSet([claim], about: checked)).decide(0)
  }
}
