import RulesLang
import Testing

@testable import RulesService
@testable import RulesTesting

/// What names stand for, and changing them.
@Suite struct NavigationTests {
  private func analysis(_ text: MarkedText) -> RulesAnalysis {
    RulesAnalysis(text.source, settings: AnalysisSettings())
  }

  /// The declarations of the names at the marks, each with its line.
  private func definitions(_ text: MarkedText) -> [String?] {
    let analysis = analysis(text)
    return text.places.map { place in
      analysis.definition(at: place).map {
        "\(text.source.line(of: $0.start)) \(text.source.string($0))"
      }
    }
  }

  @Test func aNameLeadsToItsDeclaration() {
    let text = MarkedText.block(
      """
      function owns(user) {
        let auth = request.auth;
        return ‸auth.uid == ‸user && ‸note != null;
      }
      allow read: if ‸owns(‸note) && ‸request.auth != null && exists(/notes/$(‸note));
      """)
    #expect(
      definitions(text) == [
        "6 auth", "5 user", "4 note", "5 owns", "4 note", nil, "4 note",
      ])
  }

  @Test func anInnerNameHidesAnOuterOne() {
    let text = MarkedText(
      """
      rules_version = '2';
      function f(x) { return x; }
      service cloud.firestore {
        function f(x) { return ‸x; }
        match /a/{x} {
          match /b/{x} { allow read: if ‸x == '1' && ‸f(1); }
          allow read: if ‸x == '2';
        }
      }
      """)
    #expect(definitions(text) == ["4 x", "6 x", "4 f", "5 x"])
  }

  @Test func namesAreFoundInRulesThatDoNotCompile() {
    let text = MarkedText.block(
      """
      function owns(user) { return ‸user == note; }
      allow read: if ‸owns(‸note) &&& true;
      allow write: if owns(‸note);
      """)
    #expect(definitions(text) == ["5 user", "5 owns", "4 note", "4 note"])
  }

  @Test func allPlacesOfANameAreFound() throws {
    let text = MarkedText.block(
      """
      function owns(user) { return user == request.auth.uid; }
      allow read: if ow‸ns(note);
      allow write: if owns(note) && request.auth.token.owns;
      """)
    let places = try #require(analysis(text).places(at: text.places[0]))
    #expect(places.all.map { text.source.line(of: $0.range.start) } == [5, 6, 7])
    #expect(places.all.map { $0.isDeclaration } == [true, false, false])
  }

  /// The text with the name at the mark changed, or why it cannot be.
  private func renamed(_ text: MarkedText, to name: String) -> String {
    do throws(RenameRefusal) {
      let edits = try analysis(text).rename(at: text.places[0], to: name)
      return String(decoding: text.source.applying(edits).bytes, as: UTF8.self)
    } catch {
      return "refused: " + error.reason
    }
  }

  @Test func aNewNameIsWrittenEverywhere() {
    let text = "function f(u‸ser) { let a = user; return a == user && g('user') && x.user; }"
    let expected = "function f(who) { let a = who; return a == who && g('user') && x.user; }"
    #expect(
      renamed(.block(text), to: "who")
        == String(decoding: MarkedText.block(expected).source.bytes, as: UTF8.self))
  }

  @Test func aCaptureKeepsWhatItCaptures() {
    let text = MarkedText.block("allow read: if not‸e == '1' && exists(/notes/$(note));")
    let result = renamed(text, to: "id")
    #expect(result.contains("match /notes/{id} {"))
    #expect(result.contains("allow read: if id == '1' && exists(/notes/$(id));"))
  }

  @Test(arguments: [
    ("function f(a‸) { let b = 1; return a == b; }", "b", "would change what"),
    ("function f(a‸) { return a == note; }", "note", "would change what"),
    ("function f(a‸) { return a; }", "let", "is not a name"),
    ("function f(a‸) { return a; }", "a b", "is not a name"),
    ("function f(a‸) { return a; }", "", "is not a name"),
    ("function f(a‸) { return a; }", "math", "package"),
    ("function f(a‸) { return a && request.auth != null; }", "request", "would change what"),
    ("function f‸(a) { return get(/x/y) == a; }", "get", "would change what"),
    ("allow read: if re‸quest.auth != null;", "r", "is not declared"),
    ("allow read: ‸ if true;", "r", "no name"),
  ])
  func whatWouldMeanSomethingElseIsRefused(_ text: String, name: String, reason: String) {
    let result = renamed(.block(text), to: name)
    #expect(result.hasPrefix("refused: ") && result.contains(reason), "\(result)")
  }

  @Test func theOutlineHasEveryBlockStatementAndFunction() {
    let text = MarkedText.block(
      "function f() { return 1; }\nallow read, write: if f();\nmatch /a/{b} { allow get; }")
    var lines: [String] = []
    func list(_ items: [OutlineItem], depth: Int) {
      for item in items {
        lines.append(String(repeating: " ", count: depth) + item.name + item.detail)
        #expect(item.range.start <= item.nameRange.start && item.nameRange.end <= item.range.end)
        list(item.children, depth: depth + 1)
      }
    }
    list(analysis(text).outline, depth: 0)
    #expect(
      lines == [
        "cloud.firestore", " /databases/{database}/documents", "  /notes/{note}", "   f()",
        "   allow read, write", "   /a/{b}", "    allow get",
      ])
  }
}
