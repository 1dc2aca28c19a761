import RulesLang
import RulesSolver
import RulesStyle
import Testing

@testable import RulesService
@testable import RulesTesting

/// What is offered about findings.
@Suite struct CodeActionsTests {
  private func analysis(_ source: SourceText) -> RulesAnalysis {
    RulesAnalysis(source, settings: AnalysisSettings())
  }

  /// The text after the preferred fix of a finding.
  private func fixed(_ text: MarkedText, code: String) -> String? {
    let whole = SourceRange(start: 0, end: text.source.bytes.count)
    let action = analysis(text.source).actions(in: whole).first {
      $0.isPreferred && $0.diagnostic?.code.name == code
    }
    return action.map { String(decoding: text.source.applying($0.edits).bytes, as: UTF8.self) }
  }

  @Test(arguments: [
    (
      "allow read: if reqest.auth != null;", "unknown-variable",
      "allow read: if request.auth != null;"
    ),
    ("allow read: if note.sise() == 1;", "unknown-function", "allow read: if note.size() == 1;"),
    ("allow read: if math.abss(1) == 1;", "unknown-function", "allow read: if math.abs(1) == 1;"),
    ("allow raed: if true;", "unknown-operation", "allow read: if true;"),
    ("allow read: if note is strng;", "unknown-type", "allow read: if note is string;"),
    ("allow read: if note = 'a';", "syntax", "allow read: if note == 'a';"),
    ("allow read: if true and false;", "syntax", "allow read: if true && false;"),
    (
      "allow read: if request.auth.uidd == note;", "unknown-member",
      "allow read: if request.auth.uid == note;"
    ),
    (
      "allow read: if request.auth.email == note;", "unknown-member",
      "allow read: if request.auth.token.email == note;"
    ),
    (
      "allow read: if request.auth.token.emailVerified;", "unknown-claim",
      "allow read: if request.auth.token.email_verified;"
    ),
    (
      "// rules-check: ignore open-raed why\nallow read;", "unused-ignore",
      "// rules-check: ignore open-read why\nallow read;"
    ),
  ])
  func whatWasMeantIsWritten(_ statement: String, code: String, expected: String) {
    #expect(
      fixed(.block(statement), code: code)
        == String(decoding: MarkedText.block(expected).source.bytes, as: UTF8.self))
  }

  @Test func versionTwoIsDeclaredWhereThereIsNone() {
    let rules = "service cloud.firestore { match /a/{b} { allow read; } }"
    #expect(fixed(MarkedText(rules), code: "old-version") == "rules_version = '2';\n" + rules)
    #expect(
      fixed(MarkedText("rules_version = \"1\"; " + rules), code: "old-version")
        == "rules_version = '2'; " + rules)
  }

  @Test func everyDidYouMeanOfTheDocumentationHasItsFix() {
    var count = 0
    let examples =
      CodePage.table.compactMap { $0.rulesToAvoid } + Lints.all.map { Lint.file(of: $0.avoid) }
    for rules in examples {
      let analysis = analysis(SourceText(name: "a.rules", rules))
      for diagnostic in analysis.diagnostics
      where diagnostic.help?.hasPrefix("did you mean") == true {
        count += 1
        #expect(diagnostic.fix != nil, "\(diagnostic.message)")
      }
    }
    #expect(count >= 4)
  }

  @Test func anIgnoreCommentSilencesWhatItIsFor() throws {
    let text = MarkedText.block("  allow write: if true;")
    let whole = SourceRange(start: 0, end: text.source.bytes.count)
    let action = try #require(
      analysis(text.source).actions(in: whole).first { $0.ignored?.name == "open-write" })
    let silenced = text.source.applying(action.edits)
    let rest = analysis(silenced).diagnostics
    #expect(!rest.contains { $0.code.name == "open-write" })
    // Until there is a reason, the comment itself is remarked on; and it can be taken out again.
    let remark = try #require(rest.first { $0.code == .unusedIgnore })
    #expect(remark.severity == .info)
    let removal = try #require(
      analysis(silenced).actions(in: remark.range ?? whole).first {
        $0.title == "Remove the comment"
      })
    #expect(silenced.applying(removal.edits).bytes == text.source.bytes)
  }

  @Test func whatIsProvedToDecideNothingCanBeTakenOut() throws {
    let text = MarkedText.block(
      """
      allow read: if request.auth != null && request.auth.uid == note;
      allow get: if request.auth.uid == note && request.time != null;
      """)
    let rules = analysis(text.source)
    let checked = try #require(rules.checked)
    let settings = AnalysisSettings()
    let found = DeepAnalysis(checked, settings: settings).run(
      within: { Budget.whole() }, isCancelled: { false })
    rules.note(try #require(found))
    let whole = SourceRange(start: 0, end: text.source.bytes.count)
    let actions = rules.actions(in: whole)
    let removal = try #require(actions.first { $0.title.hasPrefix("Remove it") })
    #expect(removal.diagnostic?.code.name == "covered-allow")
    let all = try #require(actions.first { $0.kind == .fixAll })
    // As `check --fix` would write it.
    let fixed = DeepCheck(settings.linter, profile: .emulator).run(
      checked, isFixing: true, within: Budget.whole())
    #expect(!fixed.removed.isEmpty)
    #expect(text.source.applying(all.edits).bytes == fixed.rules.ruleset.source.bytes)
    // Who can do it stands beside each statement.
    #expect(rules.deep?.access.count == 2)
    #expect(rules.deep?.access.first?.summary == "owner {note}: always or only if")
  }

  @Test func workThatWasCancelledSaysNothing() throws {
    let checked = try #require(analysis(MarkedText.block("allow read: if true;").source).checked)
    let found = DeepAnalysis(checked, settings: AnalysisSettings()).run(
      within: { Budget.whole() }, isCancelled: { true })
    #expect(found == nil)
  }
}

/// The formatter's changes as edits.
@Suite struct FormatEditsTests {
  @Test func onlyBlanksAreReplaced() {
    let text = MarkedText.block(
      """
      allow   read:if note=='a  b'&&true ;   // why
        /* one
            two */
      allow write   : if  false;
      """)
    let analysis = RulesAnalysis(text.source, settings: AnalysisSettings())
    let edits = analysis.formatting
    #expect(edits.count > 5)
    for edit in edits {
      let old = text.source.string(edit.range)
      #expect((old + edit.text).allSatisfy { $0.isWhitespace })
    }
    guard case .formatted(let bytes) = RulesFormatter.format(text.source) else {
      Issue.record("not formatted")
      return
    }
    #expect(text.source.applying(edits).bytes == bytes)
  }

  @Test func aRangeChangesNothingOutsideOfIt() {
    let text = MarkedText.block("allow  read ;\n‸allow  get ;‸\nallow  list ;")
    let range = SourceRange(start: text.places[0], end: text.places[1])
    let analysis = RulesAnalysis(text.source, settings: AnalysisSettings())
    let result = text.source.applying(analysis.formatting(of: range))
    let written = String(decoding: result.bytes, as: UTF8.self)
    #expect(written.contains("allow  read ;"))
    #expect(written.contains("      allow get;\n"))
    #expect(written.contains("allow  list ;"))
  }

  private func typed(_ character: String, _ text: MarkedText) -> String {
    let analysis = RulesAnalysis(text.source, settings: AnalysisSettings())
    let edits = analysis.formatting(afterTyping: character, at: text.places[0])
    return String(decoding: text.source.applying(edits).bytes, as: UTF8.self)
  }

  @Test func aSemicolonLaysOutItsStatement() {
    let text = typed(";", .block("allow  get ;\nallow   read:if true;‸\nallow  list ;"))
    #expect(text.contains("allow  get ;\n      allow read: if true;\nallow  list ;"))
  }

  @Test func aBraceLaysOutItsBlock() {
    let text = typed("}", .block("allow  get ;\nmatch /a/{b}{\nallow   read ;\n}‸\nallow  list ;"))
    #expect(text.contains("allow  get ;"))
    #expect(text.contains("      match /a/{b} {\n        allow read;\n      }"))
    #expect(text.contains("\nallow  list ;"))
  }

  @Test func aNewLineIsIndented() {
    #expect(typed("\n", MarkedText("service a {\n‸\n}")) == "service a {\n  \n}")
    #expect(typed("\n", MarkedText("service a {\n‸}")) == "service a {\n}")
    #expect(typed("\n", MarkedText("service a {\n match /b {\n‸")).hasSuffix("{\n    "))
    #expect(typed("\n", MarkedText("allow read: if a &&\n‸b;")).hasSuffix("&&\n  b;"))
    #expect(typed("\n", MarkedText("/* a\n‸\n*/")) == "/* a\n\n*/")
  }
}
