import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding

/// Which names are told apart in a question.
@Suite struct VocabularyTests {
  private static func names(toUpdateRoomsIn text: String) throws -> [String] {
    let rules = try #require(Checker.check(SourceText(name: "r", text)).checked)
    var vocabulary = Vocabulary(rules)
    vocabulary.addConditions(
      for: Scenario(method: .update, access: .document, path: ["rooms", nil]))
    return vocabulary.sorted.map { String($0) }
  }

  private static func names(lookingAt path: String) throws -> [String] {
    let text = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        match /rooms/{r} {
          allow update: if getAfter(\(path)).data.seen == true;
          allow get: if resource.data.shown == true;
        }
        match /teams/{t} {
          allow write: if resource.data.captain == request.auth.uid
            && existsAfter(/databases/$(database)/documents/clubs/$(t));
        }
        match /clubs/{c} { allow create: if request.resource.data.founded == true; }
        match /cups/{c} { allow write: if resource.data.won == true; }
      } }
      """
    return try names(toUpdateRoomsIn: text)
  }

  /// Of the other writes of a commit only those matter that are looked up, and what these look up in turn.
  @Test func anotherWriteHasTheNamesOfItsStatements() throws {
    #expect(
      try Self.names(lookingAt: "/databases/$(database)/documents/clubs/x") == [
        "data", "founded", "seen",
      ])
    let teams = ["captain", "data", "founded", "seen"]
    #expect(try Self.names(lookingAt: "/databases/$(database)/documents/teams/$(r)") == teams)
    #expect(
      try Self.names(lookingAt: "/databases/$(database)/documents/$('teams')/$(r)")
        == teams + ["teams"])
  }

  /// A path may be written out in a function or a `let`, and in a path that stands in another one.
  @Test(arguments: [
    "return getAfter(club(r)).data.seen == true;",
    "let path = club(r); let same = path; return getAfter((same)).data.seen == true;",
    "return getAfter(/$(root())/clubs/$(r)).data.seen == true;",
  ])
  func aPathIsFollowedToWhereItIsWritten(_ body: String) throws {
    let text = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        function root() { return /databases/$(database)/documents; }
        function club(id) { return /databases/$(database)/documents/clubs/$(id); }
        function isSeen(r) { \(body) }
        match /rooms/{r} { allow update: if isSeen(r); }
        match /clubs/{c} { allow create: if request.resource.data.founded == true; }
        match /cups/{c} { allow write: if resource.data.won == true; }
      } }
      """
    #expect(try Self.names(toUpdateRoomsIn: text) == ["data", "founded", "seen"])
  }

  /// Names of names double what they stand for: only the beginning is followed, which says what can be meant.
  @Test func pathsInPathsAreFollowedSoFar() throws {
    let lets = (1..<9).map { "let p\($0) = /$(p\($0 - 1))/$(p\($0 - 1));" }.joined(separator: " ")
    let text = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        function isSeen() { let p0 = /databases/d/documents; \(lets) return existsAfter(p8); }
        match /rooms/{r} { allow update: if isSeen(); }
        match /cups/{c} { allow write: if resource.data.won == true; }
      } }
      """
    #expect(try Self.names(toUpdateRoomsIn: text).isEmpty)
  }

  /// A path of which nothing is written out can be that of any document.
  @Test func aComputedPathHasTheNamesOfAllWrites() throws {
    let all = ["captain", "data", "founded", "seen", "won"]
    #expect(
      try Self.names(lookingAt: "/databases/$(database)/documents/$(resource.data.kind)/$(r)")
        == (all + ["kind"]).sorted())
    #expect(try Self.names(lookingAt: "path('/databases/d/documents/clubs/x')").contains("won"))
  }
}
