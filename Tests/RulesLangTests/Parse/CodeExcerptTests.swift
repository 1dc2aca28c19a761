import Testing

@testable import RulesLang

/// Long pieces of rules are cut before a dot or an operator, never within a word.
@Suite struct CodeExcerptTests {
  @Test(arguments: [
    (
      "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['displayName', 'photoUrl'])",
      "request.resource.data.diff(resource.data) ... .hasOnly(['displayName', 'photoUrl'])"
    ),
    (
      "get(/databases/$(database)/documents/groups/$(group)).data.members.hasAny([request.auth.uid])",
      "get(/databases/$(database)/documents ... .data.members.hasAny([request.auth.uid])"
    ),
    (
      "isOwner(userID) && request.resource.data.name is string || request.auth.token.admin == true",
      "isOwner(userID) && request.resource.data ... || request.auth.token.admin == true"
    ),
  ])
  func theMiddleIsLeftOut(_ code: String, _ wanted: String) {
    #expect(CodeExcerpt(code).withoutMiddle(longest: 90) == wanted)
  }

  @Test func whatFitsStaysAsItIs() {
    #expect(CodeExcerpt("a.b == c").withoutMiddle(longest: 90) == "a.b == c")
    #expect(CodeExcerpt("a.b == c").withoutEnd(longest: 8) == "a.b == c")
  }

  @Test func theEndIsLeftOut() {
    let code = "request.auth.uid == userId && request.resource.data.keys().hasOnly(['a', 'b'])"
    #expect(
      CodeExcerpt(code).withoutEnd(longest: 60)
        == "request.auth.uid == userId && request.resource.data...")
  }

  /// A text without joints is cut somewhere: a literal can be as long as it likes.
  @Test func aLongLiteralIsCut() {
    let code = "'" + String(repeating: "é", count: 200) + "'"
    let cut = CodeExcerpt(code).withoutMiddle(longest: 90)
    #expect(cut.unicodeScalars.count <= 90)
    #expect(cut.unicodeScalars.count > 80)
  }

  @Test func wordsStayWhole() {
    let words = Set(["alpha", "beta", "gamma", "delta", "(", ")", ".", "&&", "||", "==", "..."])
    let parts = ["alpha.beta", "gamma(delta)", "beta == gamma", "delta"]
    for count in 8...40 {
      let code = (0..<count).map { parts[$0 * 7 % 4] }.joined(
        separator: count % 2 == 0 ? " && " : " || ")
      let cut = CodeExcerpt(code).withoutMiddle(longest: 90)
      let source = SourceText(name: "", cut)
      for range in source.tokenRanges { #expect(words.contains(source.string(range)), "\(cut)") }
    }
  }
}
