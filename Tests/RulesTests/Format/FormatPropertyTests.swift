import Foundation
import RulesProof
import Testing

@testable import RulesEval
@testable import RulesLang
@testable import RulesStyle
@testable import rules_check_dev
@testable import RulesTesting

/// What holds of every text that is laid out: its tokens and comments are the same, a second time
/// changes nothing, and what the checker makes of it is the same.
@Suite struct FormatPropertyTests {
  /// The tokens of a text and what is between them, found without the formatter; blanks left out.
  private static func words(_ text: String) -> [String] {
    let source = SourceText(name: "t", text)
    var words: [String] = []
    var end: UInt32 = 0
    for token in Lexer.tokens(of: source).tokens {
      let gap = source.string(SourceRange(start: end, end: token.range.start))
      words.append(gap.filter { !$0.isWhitespace })
      words.append(source.string(token.range))
      end = token.range.end
    }
    return words
  }

  /// Lays out a text and compares; the result.
  @discardableResult
  static func check(_ text: String, _ name: String) throws -> String {
    let once = try #require(laidOut(text), "\(name)\n\(text)")
    #expect(words(once) == words(text), "\(name)\n\(text)")
    let twice = try #require(laidOut(once), "\(name)\n\(once)")
    #expect(twice == once, "\(name)\n\(text)\n--- once\n\(once)\n--- twice\n\(twice)")
    return once
  }

  private static func outcome(_ text: String) -> Checker.Outcome {
    Checker.check(SourceText(name: "t", text))
  }

  /// The same for a text whose tree and whose findings are compared, too.
  private static func checkMeaning(_ text: String, _ name: String) throws -> String {
    let once = try check(text, name)
    let (before, after) = (outcome(text), outcome(once))
    #expect(TreeDump.dump(before.ruleset) == TreeDump.dump(after.ruleset), "\(name)")
    #expect(before.diagnostics.map(\.code) == after.diagnostics.map(\.code), "\(name)")
    guard let old = before.checked, let new = after.checked else { return once }
    let codes = Linter().run(old).map(\.code.name).sorted()
    #expect(codes == Linter().run(new).map(\.code.name).sorted(), "\(name)")
    return once
  }

  /// The rules files of the repository, and those inside the cases of the command line.
  private static func files() -> [(name: String, text: String)] {
    var files: [(name: String, text: String)] = []
    let walker = FileManager.default.enumerator(
      at: CommandLineCase.package, includingPropertiesForKeys: nil,
      options: [.skipsHiddenFiles])
    while let file = walker?.nextObject() as? URL {
      guard ["rules", "case"].contains(file.pathExtension),
        let text = try? String(contentsOf: file, encoding: .utf8)
      else { continue }
      let name = file.lastPathComponent
      if file.pathExtension == "rules" {
        files.append((name, text))
        continue
      }
      for section in text.components(separatedBy: "\n%%% file ").dropFirst() {
        let parts = section.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].hasSuffix(".rules"), parts.count > 1 else { continue }
        let content = parts[1].components(separatedBy: "\n%%%")[0]
        files.append(("\(name) \(parts[0])", content))
      }
    }
    return files
  }

  @Test func everyRulesFileOfTheRepositoryKeepsWhatItSays() throws {
    // In debug every eighth of those that have up to 100 lines or so: the long ones take seconds each.
    let files = Self.files().filter { Wanted.isWhole || $0.text.utf8.count < 3_000 }
    for file in Wanted.sample(of: files) { _ = try Self.checkMeaning(file.text, file.name) }
    #expect(files.count > 150)
  }

  @Test func everyMeasuredRulesetKeepsWhatItSays() throws {
    let cases = try ConformanceData.lines("rulesets.jsonl")
    var seen: Set<String> = []
    for json in Wanted.sample(of: cases) {
      guard let rules = json["rules"]?.string, seen.insert(rules).inserted else { continue }
      _ = try Self.checkMeaning(rules, json["id"]?.string ?? "")
    }
    #expect(seen.count > Wanted.cases(100, of: 900))
  }

  @Test func everyMeasuredExpressionKeepsWhatItSays() throws {
    let cases = try ConformanceData.lines("expressions.jsonl")
    var expressions: Set<String> = []
    for json in Wanted.sample(of: cases) {
      guard let expression = json["expr"]?.string, expressions.insert(expression).inserted else {
        continue
      }
      try Self.check("function f() { return \(expression); }", expression)
    }
    #expect(expressions.count > Wanted.cases(200, of: 2_000))
  }

  @Test func narrowAndWideTextsKeepWhatTheySay() throws {
    // The same files with long names, so that nearly every line has to be broken, and with a comment in
    // every gap.
    for file in Wanted.sample(of: Self.files())
    where !file.text.contains("rules-check:")
      && file.text.utf8.count < Wanted.cases(1_000, of: 5_000)
    {
      let long = file.text.replacingOccurrences(of: "request", with: "requestOfAVeryLongName")
        .replacingOccurrences(of: "resource", with: "resourceOfAVeryLongName")
      try Self.check(long, file.name)
      for comment in [" // c\n", "\n// c\n", " /* c */ ", "\n/* c\n * d */\n", "\n\n/* c */ "] {
        try Self.check(long.replacingOccurrences(of: " ", with: comment), file.name)
      }
    }
  }

  @Test(arguments: UInt64(1)...UInt64(Wanted.cases(1, of: 8)))
  func damagedSourcesAreNeverDamagedFurther(_ seed: UInt64) throws {
    var dice = Dice(seed: seed)
    for _ in 0..<25 {
      let text = SourceMaker.make(&dice)
      _ = try Self.checkMeaning(text, "seed \(seed)")
    }
  }

  @Test(arguments: UInt64(1)...UInt64(Wanted.cases(1, of: 8)))
  func noiseIsNeverDamagedFurther(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let words = [
      " ", "\n", "\r\n", "\n\n", "//", "// rules-check: fmt off\n", "// rules-check: fmt on\n",
      "// rules-check: ignore x\n", "/*", "*/", "/", "'", "\"", "\\", "{", "}", "(", ")", "[", "]",
      "a", "b", "b'x'", "'x'", "1", "0", ".", ".5", "1.", "&&", "&", "||", "|", "=", "==", "!", "-",
      "--", "+", "*", "**", "%", "/a", "/(a)", "$", "/{a}", "/{a=**}", "/$(", "?", ":", ";", ",",
      "allow", "match", "function", "let", "return", "service", "if", "in", "is", "rules_version",
      "\u{A0}", "\u{0}", "\u{B}", "#", "@", "\u{E9}", "\t", "long_long_long_long_long_long_name",
    ]
    for _ in 0..<250 {
      var text = ""
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        text += words.randomElement(using: &random) ?? ""
        if Int.random(in: 0..<3, using: &random) == 0 { text += " " }
      }
      try Self.check(text, "seed \(seed)")
    }
  }

  @Test(arguments: [
    ("(", ")"), ("[", "]"), ("{", "}"), ("f(", ")"), ("(", ""), ("", ")"), ("({[", ""),
    ("(a && ", ")"), ("!", ""), ("- ", ""), ("a ? ", ""), ("a ? b : ", ""),
    ("match /a/{b} { ", "}"),
    ("match /a/{b} { ", ""), ("'", ""), ("/*", ""), ("/* a */ ", ""), ("// a\n", ""), ("a && ", ""),
    ("[a, ", "]"), ("/$(", ")"), (".f(a)", ""), ("service ", ""), ("\\", ""), ("& ", ""),
    ("// rules-check: ignore x\na &&\n", ""),
  ])
  func manyLevelsAreLaidOut(_ open: String, _ close: String) throws {
    let levels = Wanted.cases(500, of: 5_000)
    let text =
      "allow read: if " + String(repeating: open, count: levels) + "a"
      + String(repeating: close, count: levels)
    let once = try #require(laidOut(text))
    #expect(laidOut(once) == once)
    #expect(once.utf8.count < 200 * text.utf8.count + 100)
  }

  @Test func aVeryLongLineIsLaidOut() throws {
    for (unit, size) in [
      ("\u{E9}", 1_000_000), ("x'", 1_000_000), ("'a' + ", 100_000), ("/a", 100_000),
    ] {
      let drawn = Wanted.cases(size / 10, of: size)
      let text = "return " + String(repeating: unit, count: drawn / unit.utf8.count) + ";"
      #expect(laidOut(text) != nil)
    }
  }
}
