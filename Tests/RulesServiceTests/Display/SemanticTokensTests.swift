import RulesLang
import Testing

@testable import RulesService
@testable import RulesTesting

/// Colours and folds.
@Suite struct SemanticTokensTests {
  @Test func everyWordHasItsKind() {
    let text = MarkedText.block(
      "function f(a) { return a.b.size() == math.abs(note); } // why\nallow read: if f(request) is bool;"
    )
    let analysis = RulesAnalysis(text.source, settings: AnalysisSettings())
    let words = analysis.semanticTokens.map { "\(text.source.string($0.range)) \($0.kind.word)" }
    for expected in [
      "rules_version keyword", "'2' string", "cloud.firestore namespace", "match keyword",
      "/databases string", "database parameter", "function keyword", "f function", "a parameter",
      "b property", "size method", "== operator", "math function", "abs function", "note parameter",
      "// why comment", "allow keyword", "read enumMember", "request variable", "bool type",
    ] {
      #expect(words.contains(expected), "\(expected) in \(words)")
    }
    let places = analysis.semanticTokens.map { $0.range.start }
    #expect(places == places.sorted())
  }

  @Test func tokensDoNotOverlapInAnyPrefix() {
    let text = MarkedText.block("allow read: if 'a' == /a/$(note)/b && x // y\n/* z */ ;")
    for end in 0...text.source.bytes.count {
      let source = SourceText(name: "a", bytes: Array(text.source.bytes[..<end]))
      let tokens = RulesAnalysis(source, settings: AnalysisSettings()).semanticTokens
      for (one, next) in zip(tokens, tokens.dropFirst()) {
        #expect(one.range.end <= next.range.start)
      }
    }
  }

  @Test func blocksAndCommentsFold() {
    let text = """
      // one
      // two
      service cloud.firestore {
        match /a/{b} { allow read; }
        match /c/{d} {
          /* three
             four */
          allow read: if true
            || false;
        }
      }
      """
    let source = SourceText(name: "a", text)
    let document = TextDocument(uri: "file:///a", source, encoding: .utf16)
    let folds = RulesAnalysis(source, settings: AnalysisSettings()).foldingRanges(in: document)
    #expect(folds.map { "\($0.start)-\($0.end)" } == ["0-1", "2-9", "4-8", "5-6"])
    #expect(folds.map { $0.isComment } == [true, false, false, true])
  }

  @Test func aSelectionGrowsOutwards() {
    let text = MarkedText.block("allow read: if request.a‸uth.uid == note;")
    let analysis = RulesAnalysis(text.source, settings: AnalysisSettings())
    let ranges = analysis.selectionRanges(at: text.places[0]).map { text.source.string($0) }
    #expect(
      ranges.prefix(4) == [
        "request.auth", "request.auth.uid", "request.auth.uid == note",
        "allow read: if request.auth.uid == note;",
      ])
    #expect(ranges.last == text.source.string(SourceRange(start: 0, end: 9999)))
  }
}
