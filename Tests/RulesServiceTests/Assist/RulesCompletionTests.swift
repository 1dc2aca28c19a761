import RulesLang
import Testing

@testable import RulesService
@testable import RulesTesting

/// What can be written where.
@Suite struct RulesCompletionTests {
  private func labels(_ text: MarkedText) -> [String] {
    RulesAnalysis(text.source, settings: AnalysisSettings()).completions(at: text.places[0])
      .map { $0.label }
  }

  /// Whether each of some words can be written at the mark.
  private func expect(_ statements: String, has: [String], lacks: [String] = []) {
    let labels = labels(.block(statements))
    for word in has { #expect(labels.contains(word), "\(statements): \(word) in \(labels)") }
    for word in lacks { #expect(!labels.contains(word), "\(statements): \(word) in \(labels)") }
  }

  @Test func membersOfRequestAndResourceAreThoseOfTheDocumentation() {
    expect("allow read: if request.‸", has: ["auth", "time", "resource"], lacks: ["uid", "size"])
    expect("allow read: if request.au‸;", has: ["auth"])
    expect("allow read: if request.auth.‸ == note;", has: ["uid", "token"], lacks: ["auth"])
    expect("allow read: if request.auth.token.‸", has: ["email", "email_verified", "get", "keys"])
    expect("allow read: if resource.‸ && true;", has: ["data", "id"], lacks: ["auth"])
    expect("allow read: if get(/a/b).‸", has: ["data", "id"])
  }

  @Test func fieldsAreThoseThatTheRulesMention() {
    expect(
      """
      allow write: if request.resource.data.keys().hasOnly(['name', 'age']) && resource.data.owner == 1;
      allow read: if resource.data.‸
      """, has: ["name", "age", "owner", "keys", "diff"])
    expect(
      "allow write: if resource.data.owner == 1 && resource.data.keys().hasAny(['‸']);",
      has: ["owner"], lacks: ["request"])
  }

  @Test func methodsAreThoseOfTheType() {
    expect("allow read: if 'a'.‸", has: ["size", "matches"], lacks: ["keys", "hasAny"])
    expect("allow read: if note.‸", has: ["matches"], lacks: ["keys"])
    expect("allow read: if [1].‸ && x", has: ["hasAny", "concat"], lacks: ["matches"])
    expect("allow read: if request.resource.data.diff(resource.data).‸", has: ["affectedKeys"])
    expect("allow read: if math.‸", has: ["abs", "pow"], lacks: ["size"])
    expect(
      "function f() { return [1]; }\nallow read: if f().‸", has: ["hasAny"], lacks: ["matches"])
  }

  @Test func namesAreThoseInScope() {
    expect(
      """
      function f(one, two) { let three = 3; return ‸ }
      function g() { return 1; }
      """,
      has: ["one", "two", "three", "note", "database", "request", "g", "get", "math", "true"],
      lacks: ["allow"])
    expect("function f(one) { return one; }\nallow read: if ‸", has: ["f", "note"], lacks: ["one"])
    expect("match /a/{b} { allow read: if true; }\nallow read: if ‸;", has: ["note"], lacks: ["b"])
    expect("match /a/{b} { allow read: if ‸ }", has: ["note", "b"])
  }

  @Test func operationsTypesAndStatementsStandWhereTheyBelong() {
    expect("allow ‸", has: ["read", "update"], lacks: ["request"])
    expect("allow read, ‸: if true;", has: ["write"], lacks: ["request"])
    expect("allow read: if note is ‸", has: ["string", "path"], lacks: ["request"])
    expect("‸", has: ["allow", "match", "function"], lacks: ["return"])
    expect("allow read: if true;\n‸", has: ["allow", "match"], lacks: ["request"])
    expect("function f() { ‸ }", has: ["return", "let"], lacks: ["allow"])
    expect("// rules-check: ignore open‸", has: ["open-read"], lacks: ["allow"])
    let top = labels(MarkedText("‸"))
    #expect(top == ["rules_version", "service", "function"])
  }

  @Test func pathsAreThoseOfTheRules() {
    expect(
      "allow read: if exists(/‸)", has: ["/databases/$(database)/documents/notes/$(note)"],
      lacks: ["request"])
    expect("match /‸", has: ["/{document}", "/{document=**}"])
  }

  @Test func nothingIsOfferedInTextsAndComments() {
    #expect(labels(.block("// what‸ever")) == [])
    #expect(labels(.block("allow read: if 'a‸b' == note;")) == [])
    #expect(labels(MarkedText("service cloud.firestore { match /a/{b‸ }")) == [])
  }

  @Test func everyPlaceOfEveryPrefixIsSurvived() {
    let text = MarkedText.block(
      """
      function f(a) { let b = {'x': [a, 1]}; return b.x[0] == get(/a/$(note)).data.y; }
      allow read, write: if f(1) && request.auth.token['a'].matches('b.*') // rules-check: ignore x
        || note in [1, 2] ? !true : -1 < 2;
      """)
    let bytes = text.source.bytes
    var offers = 0
    for end in stride(from: 0, through: bytes.count, by: 3) {
      let source = SourceText(name: "a.rules", bytes: Array(bytes[..<end]))
      let analysis = RulesAnalysis(source, settings: AnalysisSettings())
      for place in [end, end / 2] {
        offers += analysis.completions(at: place).count
        _ = analysis.hover(at: place)
        _ = analysis.signature(at: place)
        _ = analysis.places(at: place)
        _ = analysis.selectionRanges(at: place)
        _ = analysis.formatting(afterTyping: "\n", at: place)
        _ = analysis.formatting(afterTyping: ";", at: place)
      }
      _ = (analysis.semanticTokens, analysis.outline, analysis.lenses)
      _ = analysis.actions(in: SourceRange(start: 0, end: end))
    }
    #expect(offers > 1000)
  }
}
