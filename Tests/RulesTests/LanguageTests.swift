import Foundation
import RulesLang
import Testing

@testable import RulesEval
@testable import RulesTesting

/// The examples of Docs/Language.md, and what refers to its paragraphs.
@Suite struct LanguageTests {
  /// A fenced block of the document.
  struct Block: CustomTestStringConvertible, Sendable {
    var kind: String
    /// What follows the kind on the line of the fence.
    var message: String
    var lines: [String]
    /// The line of the document on which the text begins.
    var line: Int
    var text: String { lines.joined(separator: "\n") + "\n" }
    var testDescription: String { "\(kind) at line \(line)" }
  }

  private static let document = CommandLineCase.package
    .appendingPathComponent("Docs/Language.md")

  static let blocks: [Block] = {
    let text = (try? String(contentsOf: document, encoding: .utf8)) ?? ""
    var blocks: [Block] = []
    var open: Block?
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if var block = open {
        if line == "```" {
          blocks.append(block)
          open = nil
        } else {
          block.lines.append(line)
          open = block
        }
      } else if line.hasPrefix("```") {
        let words = line.dropFirst(3).split(separator: " ", maxSplits: 1).map(String.init)
        open = Block(
          kind: words.first ?? "", message: words.count > 1 ? words[1] : "", lines: [],
          line: index + 2)
      }
    }
    return blocks
  }()

  private static func blocks(_ kinds: String...) -> [Block] {
    blocks.filter { kinds.contains($0.kind) }
  }

  @Test func everyBlockIsOfAKindThatIsRun() {
    #expect(Self.blocks.count > 50)
    for block in Self.blocks {
      #expect(["eval", "rules", "suite", "refused", "warned"].contains(block.kind), "\(block)")
    }
    let examples = Self.blocks("eval").reduce(0) { $0 + $1.lines.count }
    #expect(examples > 200)
  }

  @Test(arguments: blocks("eval"))
  func everyExpressionGivesWhatIsWritten(_ block: Block) {
    let evaluator = ExpressionEvaluator(environment: nil, profile: .emulator)
    for (index, line) in block.lines.enumerated() {
      let parts = line.components(separatedBy: " --> ")
      guard parts.count == 2 else {
        Issue.record("line \(block.line + index) has no result")
        continue
      }
      #expect(describe(evaluator.evaluate(parts[0])) == parts[1], "line \(block.line + index)")
    }
  }

  private func describe(_ result: ExpressionEvaluator.Result) -> String {
    switch result {
    case .value(let value): ValueText.short(value)
    case .error(let error, _): "error: \(error.reason.message ?? "")"
    case .rejected(let diagnostics, _):
      "refused: \(diagnostics.first { $0.severity == .error }?.message ?? "")"
    }
  }

  @Test(arguments: blocks("refused", "warned"))
  func theCompilerSaysWhatIsWritten(_ block: Block) {
    let outcome = Checker.check(SourceText(name: "Language.md", block.text))
    let wanted: Diagnostic.Severity = block.kind == "refused" ? .error : .warning
    #expect((outcome.checked == nil) == (block.kind == "refused"))
    #expect(
      outcome.diagnostics.contains { $0.severity == wanted && $0.message == block.message },
      "\(outcome.diagnostics.map { $0.message })")
  }

  @Test(arguments: blocks("rules"))
  func everyRulesFileCompiles(_ block: Block) {
    let outcome = Checker.check(SourceText(name: "Language.md", block.text))
    #expect(outcome.checked != nil, "\(outcome.diagnostics.map { $0.message })")
  }

  @Test(arguments: blocks("suite"))
  func everySuitePasses(_ block: Block) throws {
    let before = Self.blocks.last { $0.kind == "rules" && $0.line < block.line }
    let rules = try #require(before)
    let (read, mistakes) = SuiteReader.read(SourceText(name: "Language.md", block.text))
    #expect(mistakes.isEmpty, "\(mistakes.map { $0.message })")
    let suite = try #require(read)
    let checked = try #require(
      Checker.check(
        SourceText(name: "Language.md", rules.text), database: suite.database
      ).checked)
    let tests = suite.tests
    #expect(!tests.isEmpty)
    let now = try #require(Timestamp(epochSeconds: 1_750_000_000))
    for test in tests {
      let result = Engine(checked).run(test, documents: suite.documents, now: now)
      #expect(result.isPassed, "\(test.name): \(result.failures)")
    }
  }

  @Test func everyParagraphThatIsMentionedExists() throws {
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    var paragraphs: Set<String> = []
    for line in text.components(separatedBy: "\n") {
      if let match = line.firstMatch(of: #/^## ([0-9]+)\. /#) { paragraphs.insert(String(match.1)) }
      if let match = line.firstMatch(of: #/^\*\*([0-9]+\.[0-9]+)\*\* /#) {
        paragraphs.insert(String(match.1))
      }
    }
    #expect(paragraphs.isSuperset(of: (1...16).map { "\($0)" }))
    var mentions = 0
    for file in ["Sources", "Tests", "README.md", "Docs"].flatMap(Self.files(below:)) {
      guard let content = try? String(contentsOf: file, encoding: .utf8) else { continue }
      let isDocument = file.lastPathComponent == "Language.md"
      for line in content.components(separatedBy: "\n")
      where isDocument || line.contains("Language.md §") {
        for match in line.matches(of: #/§([0-9]+(?:\.[0-9]+)?)/#) {
          mentions += 1
          #expect(paragraphs.contains(String(match.1)), "\(file.lastPathComponent): \(line)")
        }
      }
    }
    #expect(mentions > 100)
  }

  private static func files(below name: String) -> [URL] {
    let root = CommandLineCase.package.appendingPathComponent(name)
    guard root.pathExtension.isEmpty else { return [root] }
    let walker = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    var files: [URL] = []
    while let file = walker?.nextObject() as? URL {
      if ["swift", "md"].contains(file.pathExtension) { files.append(file) }
    }
    return files
  }
}
