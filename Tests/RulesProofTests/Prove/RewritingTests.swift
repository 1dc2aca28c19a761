import RulesEval
import RulesLang
import Testing

@testable import RulesProof

/// The verdict does not depend on how a condition is written.
@Suite struct RewritingTests {
  private static let original =
    "request.auth != null && request.auth.uid == userId "
    + "&& request.resource.data.diff(resource.data).affectedKeys().hasOnly(['a', 'b'])"

  /// The same condition, written in other ways.
  private static let rewritings = [
    "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['b', 'a']) "
      + "&& (request.auth.uid == userId && request.auth != null)",
    "!(request.auth == null || request.auth.uid != userId "
      + "|| !request.resource.data.diff(resource.data).affectedKeys().hasOnly(['a', 'b']))",
    "request.auth != null ? userId == request.auth.uid && changes(['a', 'b']) : false",
    "owns(userId) && changes(['a', 'b'])",
    "[userId].hasAny([request.auth.uid]) && changes(['a', 'b', 'a'])",
    "request.auth.uid in [userId] && changes(['a', 'b'])",
    "owns(userId) && (changes(['a']) || changes(['a', 'b']))",
    "owns(userId) && request.resource.data.diff(resource.data).affectedKeys()"
      + ".difference(['a', 'b'].toSet()).size() == 0",
  ]

  private func rules(_ condition: String) -> String {
    """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        function owns(id) { let user = request.auth; return user != null && user.uid == id; }
        function changes(names) {
          let diff = request.resource.data.diff(resource.data);
          return diff.affectedKeys().hasOnly(names);
        }
        match /users/{userId} { allow update: if \(condition); }
      }
    }
    """
  }

  private func verdict(_ rules: String, _ claim: Claim) throws -> Verdict {
    let checked = try #require(Checker.check(SourceText(name: "r", rules)).checked)
    return Prover(try ClaimSet([claim], about: checked)).decide(0)
  }

  private func claim(_ obligation: Claim.Obligation) throws -> Claim {
    Claim(
      name: "c", path: try #require(ClaimPath("/users/{uid}")), methods: MethodSet(.update),
      obligation: obligation)
  }

  @Test(arguments: rewritings)
  func aRewritingAllowsTheSame(_ rewriting: String) throws {
    let condition = Text(Self.original.replacing("userId", with: "uid"))
    let holes: [(Claim.Obligation, String)] = [
      (.onlyIf(Claim.Condition(condition)), "proved"),
      (.alwaysIf(Claim.Condition(condition)), "proved"),
      (.onlyIf(Claim.Condition("changes(['a'])")), "violated"),
      (.alwaysIf(Claim.Condition("owns(uid)")), "violated"),
      (.never, "violated"),
    ]
    for (obligation, expected) in holes {
      let found = try verdict(rules(rewriting), try claim(obligation))
      #expect(found.word == expected, "\(obligation): \(found)")
    }
  }

  /// `(a && b) || (a && c)` against `a && (b || c)`, 32 times: without learning 2^32 conflicts.
  @Test func distributedConditionsAreNoProblem() throws {
    let parts = (0..<32).map { number -> (String, String) in
      let names = ["a", "b", "c"].map { "request.resource.data.\($0)\(number) == 1" }
      return (
        "((\(names[0]) && \(names[1])) || (\(names[0]) && \(names[2])))",
        "(\(names[0]) && (\(names[1]) || \(names[2])))"
      )
    }
    let rules = rules(parts.map { $0.0 }.joined(separator: " && "))
    let condition = Text(parts.map { $0.1 }.joined(separator: " && "))
    let found = try verdict(rules, try claim(.onlyIf(Claim.Condition(condition))))
    #expect(found.word == "proved")
  }

  /// A document with 128 named fields.
  @Test func wideSchemasAreNoProblem() throws {
    let names = (0..<128).map { "'field\($0)'" }
    let condition = "request.resource.data.keys().hasOnly([\(names.joined(separator: ", "))])"
    let fewer = names.dropLast().joined(separator: ", ")
    let wide = try verdict(
      rules(condition), try claim(.onlyIf(Claim.Condition(Text(condition)))))
    #expect(wide.word == "proved")
    let narrow = try verdict(
      rules(condition),
      try claim(.onlyIf(Claim.Condition(Text("request.resource.data.keys().hasOnly([\(fewer)])")))))
    #expect(narrow.word == "violated")
  }
}
