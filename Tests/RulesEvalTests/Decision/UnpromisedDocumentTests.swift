import RulesEval
import RulesLang
import Testing

/// An allowed query that may return documents which the rules refuse carries a note with one.
@Suite struct UnpromisedDocumentTests {
  @Test(arguments: [
    ("!('secret' in resource.data)", "[]", "{secret: true}"),
    ("resource.data.get('secret', false) == false", "[]", "{secret: true}"),
    ("resource.data.keys().hasOnly(['x'])", #"[["x","==",2]]"#, "{x: 2, data: true}"),
    ("!(resource.data.x in [7])", #"[["x",">",1]]"#, "{x: 7}"),
    ("!(resource.data.x is string)", #"[["x","!=",2]]"#, #"{x: "x"}"#),
    (
      "!resource.data.tags.hasAny(['z'])", #"[["tags","array-contains","p"]]"#,
      #"{tags: ["p", "z"]}"#
    ),
    ("resource.data == {}", "[]", "{data: true}"),
  ])
  func theNoteShowsADocument(_ condition: String, _ filters: String, _ document: String) throws {
    let notes = try notes(condition, filters)
    #expect(notes.count == 1, "\(condition)")
    #expect(notes.first?.hasSuffix("such as \(document)") == true, "\(notes)")
  }

  @Test(arguments: [
    ("resource.data.x == 1", #"[["x","==",1]]"#), ("resource.data.x > 0", #"[["x",">",1]]"#),
    ("resource.data.x > 0 || !('secret' in resource.data)", #"[["x",">",1]]"#),
    ("'p' in resource.data.tags", #"[["tags","array-contains","p"]]"#),
    ("request.query.limit == null", "[]"), ("!('x' in resource.data) || true", "[]"),
  ])
  func aSoundDecisionHasNoNote(_ condition: String, _ filters: String) throws {
    #expect(try notes(condition, filters) == [])
  }

  @Test func aDeniedQueryHasNoNote() throws {
    #expect(try notes("resource.data.x == 1 && !('s' in resource.data)", "[]", "deny") == [])
  }

  /// The notes of the decision on a query of `/c`.
  private func notes(
    _ condition: String, _ filters: String, _ expectation: String = "allow"
  ) throws -> [String] {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
      match /c/{id} { allow list: if \(condition); } } }
      """
    let checked = try #require(Checker.check(SourceText(name: "x.rules", rules)).checked)
    let text = #"""
      {"rules": "x", "tests": [{"list": "/c", "query": {"where": \#(filters)},
      "expect": "\#(expectation)"}]}
      """#
    let (suite, _) = SuiteReader.read(SourceText(name: "x.suite.json", text))
    let test = try #require(suite?.tests.first)
    let result = Engine(checked).run(test, documents: Documents(), now: .epoch)
    #expect(result.isPassed, "\(result.failures)")
    return try #require(result.decision).notes
  }
}
