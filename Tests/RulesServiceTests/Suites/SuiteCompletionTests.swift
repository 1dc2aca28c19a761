import RulesLang
import Testing

@testable import RulesService
@testable import RulesTesting

/// What can be written in suites, and what is said of them.
@Suite struct SuiteCompletionTests {
  private func completions(_ text: String) -> [Completion] {
    let text = MarkedText(text, name: "a.suite.json")
    return SuiteAnalysis(text.source).completions(at: text.places[0])
  }

  private func expect(_ text: String, has: [String], lacks: [String] = []) {
    let labels = completions(text).map { $0.label }
    for word in has { #expect(labels.contains(word), "\(text): \(word) in \(labels)") }
    for word in lacks { #expect(!labels.contains(word), "\(text): \(word) in \(labels)") }
  }

  @Test func keysAreThoseOfTheSchemaThatAreNotThereYet() {
    expect("{‸}", has: ["rules", "tests", "claims"], lacks: ["expect"])
    expect(#"{"rules": "a", ‸}"#, has: ["tests"], lacks: ["rules"])
    expect(#"{"tests": [{"‸"}]}"#, has: ["as", "update", "expect", "group"])
    expect(
      #"{"tests": [{"group": "g", "tests": [{"get": "/a/b", "‸"#, has: ["expect"], lacks: ["get"])
    expect(#"{"tests": [{"steps": [{‸}]}]}"#, has: ["expect", "as"], lacks: ["steps"])
    expect(#"{"tests": [{"list": "/a", "query": {‸}}]}"#, has: ["where", "limit"], lacks: ["as"])
    expect(#"{"claims": [{‸}]}"#, has: ["path", "onlyIf", "never"], lacks: ["as"])
    expect(#"{"users": {"a": {‸}}}"#, has: ["uid", "token"])
  }

  @Test func valuesAreThoseOfTheSchemaAndOfTheSuite() {
    expect(#"{"tests": [{"expect": ‸}]}"#, has: ["allow", "deny"])
    expect(#"{"tests": [{"expect": "‸"}]}"#, has: ["allow", "deny"])
    expect(#"{"claims": [{"never": ‸}]}"#, has: ["true"], lacks: ["false"])
    expect(#"{"claims": [{"methods": ["‸"]}]}"#, has: ["read", "update"])
    expect(#"{"claims": [{"expect": "‸"}]}"#, has: ["proved", "violated", "vacuous"])
    expect(
      #"{"users": {"alice": "a", "bob": {"uid": "b"}}, "tests": [{"as": ["‸"]}]}"#,
      has: ["alice", "bob"], lacks: ["uid"])
    expect(#"{"documents": {"/a/b": {"x": 1}}, "tests": [{"get": "‸"}]}"#, has: ["/a/b"])
  }

  @Test func nothingIsOfferedBetweenValuesAndInComments() {
    expect(#"{"rules": "a" ‸, "tests": []}"#, has: [], lacks: ["tests", "claims"])
    #expect(completions(#"{"rules": 1 ‸"#).isEmpty)
    #expect(completions("{ // ‸\n}").isEmpty)
    #expect(completions("{ /* ‸ */ }").isEmpty)
  }

  @Test func aKeyBringsItsColonAndTheCaretStandsInItsValue() throws {
    func edit(_ text: String, _ label: String) throws -> (String, Int?) {
      let item = try #require(completions(text).first { $0.label == label })
      return (item.edit.text, item.caret)
    }
    #expect(try edit("{‸}", "rules") == (#""rules": """#, 1))
    #expect(try edit("{‸}", "tests") == (#""tests": []"#, 1))
    #expect(try edit("{\"ru‸\": 1}", "rules") == (#""rules""#, nil))
    #expect(try edit(#"{"tests": [{"expect": al‸}]}"#, "allow") == (#""allow""#, nil))
  }

  @Test func keysAndValuesAreExplained() {
    func hover(_ text: String) -> String? {
      let text = MarkedText(text, name: "a.suite.json")
      return SuiteAnalysis(text.source).hover(at: text.places[0])?.markdown
    }
    #expect(
      hover(#"{"tests": [{"exp‸ect": "allow"}]}"#) == "`\"expect\"`: The expected decision.")
    #expect(hover(#"{"claims": [{"never": tr‸ue}]}"#) == "Nothing in scope is allowed.")
    #expect(hover(#"{"nokey‸": 1}"#) == nil)
    #expect(hover(#"{ ‸ }"#) == nil)
  }

  @Test func anyPrefixOfASuiteIsSurvived() {
    let text = """
      { /* a */ "rules": "a.rules", "users": {"alice": {"uid": "a", "token": {"x\\"y": [1, {"z": null}]}}},
        "tests": [ {"group": "g", "tests": [ {"as": ["alice", null], "update": "/a/b", "data": {}, // x
        "expect": "allow" }, ] }, ], "claims": [ {"path": "/a/{b}", "never": true} ] }
      """
    let bytes = Array(text.utf8)
    var offers = 0
    for end in 0...bytes.count {
      let analysis = SuiteAnalysis(SourceText(name: "a.suite.json", bytes: Array(bytes[..<end])))
      for place in [end, end / 2, 0] {
        offers += analysis.completions(at: place).count
        _ = analysis.hover(at: place)
      }
      _ = (analysis.outline, analysis.lenses)
    }
    #expect(offers > 500)
  }

  @Test func theOutlineHasGroupsTestsAndClaims() {
    let source = SourceText(
      name: "a.suite.json",
      """
      {"tests": [{"group": "g", "tests": [{"name": "n", "get": "/a/b", "expect": "deny"}]},
      {"update": "/a/b", "data": {}, "expect": "deny"}], "claims": [{"path": "/a/{b}", "never": true}]}
      """)
    let outline = SuiteAnalysis(source).outline
    #expect(outline.map { $0.name } == ["g", "update /a/b", "/a/{b}"])
    #expect(outline[0].children.map { $0.name } == ["n"])
  }

  @Test func aFunctionOfTheRulesIsRenamedInClaims() {
    let text = """
      {"rules": "a.rules", "claims": [
        {"path": "/a/{b}", "onlyIf": "f(b) && x.f(1) && f == 1", "given": "g(f(1))"},
        {"path": "/a/{b}", "onlyIf": "f(\\"b\\")"}]}
      """
    let source = SourceText(name: "a.suite.json", text)
    let edits = SuiteAnalysis(source).rename(function: "f", to: "owns")
    let renamed = String(decoding: source.applying(edits).bytes, as: UTF8.self)
    #expect(renamed.contains(#""onlyIf": "owns(b) && x.f(1) && f == 1", "given": "g(owns(1))""#))
    #expect(edits.count == 2)
  }
}
