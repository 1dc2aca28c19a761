import RulesLang
import Testing

/// The name that somebody probably meant.
@Suite struct SpellingTests {
  @Test(arguments: [
    ("requst", "request"), ("reqeust", "request"), ("REQUEST", "request"), ("gt", "get"),
    ("resorce", "resource"), ("exsits", "exists"), ("x", nil), ("re", nil), ("", nil),
    ("request", nil), ("responses", nil),
  ])
  func theNearestNameIsFoundIfItIsNear(_ name: String, _ expected: String?) {
    let known = ["request", "resource", "get", "exists"]
    #expect(Spelling.nearest(to: name, among: known) == expected)
  }

  @Test func theFirstOfThoseThatAreEquallyNearIsTaken() {
    #expect(Spelling.nearest(to: "bat", among: ["cat", "hat"]) == "cat")
    #expect(Spelling.nearest(to: "bats", among: ["cat", "hats", "bat"]) == "hats")
  }
}
