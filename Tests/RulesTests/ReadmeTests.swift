import Foundation
import Testing

@testable import RulesEval
@testable import RulesLang
@testable import RulesReport
@testable import RulesTesting

/// README.md and the pages for users show what happens.
@Suite struct ReadmeTests {
  /// The front page, and the pages in Docs that go on where it ends.
  static let pages = [
    "README.md", "Docs/Suites.md", "Docs/Claims.md", "Docs/CI.md", "Docs/Audit.md",
    "Docs/Commands.md", "Docs/Library.md",
  ]

  /// The pages whose Swift is that of `Examples/AppTests`, which is compiled and run.
  static let swiftPages = [
    "Docs/Library.md", "Sources/RulesCheck/RulesCheck.docc/TestingRules.md",
    "Sources/RulesCheckTesting/RulesCheckTesting.docc/RulesCheckTesting.md",
  ]

  private static func text(_ page: String) -> String {
    (try? String(
      contentsOf: CommandLineCase.package.appendingPathComponent(page), encoding: .utf8)) ?? ""
  }

  /// The fenced blocks of all pages, without their fences.
  private static let blocks: [String] = pages.flatMap { fenced(text($0)) }

  private static func fenced(_ text: String) -> [String] {
    var blocks: [String] = []
    var open: [String]?
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        if let block = open { blocks.append(block.joined(separator: "\n")) }
        open = open == nil ? [] : nil
      } else {
        open?.append(line)
      }
    }
    return blocks
  }

  /// A command line with what the page shows of its output.
  struct Shown: CustomTestStringConvertible, Sendable {
    var command: String
    var lines: [String]
    var testDescription: String { command }
  }

  /// The commands whose output on the page is compared here; the others have golden cases.
  private static let compared = ["test", "simulate", "prove", "eval", "diff", "check"]

  /// The commands that the page shows with output, one a block.
  static let commands: [Shown] = blocks.compactMap { block in
    let lines = block.components(separatedBy: "\n")
    guard let start = lines.firstIndex(where: { $0.hasPrefix("$ rules-check ") }) else {
      return nil
    }
    var end = start
    while lines[end].hasSuffix("\\") { end += 1 }
    let command = lines[start...end].joined(separator: "\n").dropFirst(2)
    guard compared.contains(where: { command.hasPrefix("rules-check \($0) ") }) else { return nil }
    return Shown(command: String(command), lines: Array(lines[(end + 1)...]))
  }

  private static func run(_ command: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = CommandLineCase.package
    let programs = CommandLineCase.program.deletingLastPathComponent().path
    process.environment = ["PATH": programs + ":/usr/bin:/bin"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return normalized(String(decoding: printed, as: UTF8.self))
  }

  private static func normalized(_ text: String) -> String {
    text.replacingOccurrences(of: #"\d+\.\d ms"#, with: "N ms", options: .regularExpression)
  }

  @Test func thePagesShowCommands() {
    #expect(Self.blocks.count >= 32)
    #expect(Self.commands.count >= 11)
  }

  @Test func theFrontPageIsShort() {
    let lines = Self.text("README.md").components(separatedBy: "\n").count
    #expect((50...200).contains(lines))
  }

  /// Links to files of the repository; those to headings and to the web are not followed.
  @Test(arguments: pages)
  func everyLinkLeadsToAFile(_ page: String) throws {
    let text = Self.text(page)
    let folder = CommandLineCase.package.appendingPathComponent(page).deletingLastPathComponent()
    let pattern = try NSRegularExpression(pattern: #"\]\((?![a-z]+:)([^)#\s]+)"#)
    let links = pattern.matches(in: text, range: NSRange(text.startIndex..., in: text))
    #expect(!links.isEmpty, "\(page)")
    for link in links {
      let path = try #require(Range(link.range(at: 1), in: text).map { String(text[$0]) })
      let file = folder.appendingPathComponent(path).path
      #expect(FileManager.default.fileExists(atPath: file), "\(page): \(path)")
    }
  }

  /// The lines come in this order; `...` stands for lines that are left out, `…` for a part of one.
  @Test(arguments: commands)
  func aCommandPrintsWhatThePageShows(_ shown: Shown) throws {
    let output = try Self.run(shown.command)
    var rest = output.components(separatedBy: "\n")[...]
    for line in shown.lines where line != "..." && !line.isEmpty {
      let pattern =
        "^"
        + Self.normalized(line).components(separatedBy: "…")
        .map(NSRegularExpression.escapedPattern(for:)).joined(separator: ".*") + "$"
      let place = rest.firstIndex {
        $0.range(of: pattern, options: .regularExpression) != nil
      }
      guard let place else {
        Issue.record("not printed: \(line)\nby \(shown.command)\n\(output)")
        return
      }
      rest = rest[(place + 1)...]
    }
  }

  /// The lines of each block of Swift stand one below the other in a file of the example package. That of the
  /// dependency has an address and this version instead of a path.
  @Test(arguments: swiftPages)
  func theSwiftOfAPageIsThatOfTheExamplePackage(_ page: String) throws {
    func lines(_ text: String) -> [String] {
      text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }
    }
    let example = CommandLineCase.package.appendingPathComponent("Examples/AppTests")
    let names =
      ["Package.swift"]
      + ["FirestoreRules", "RulesTests", "RulesXCTests"]
      .map { "Tests/AppTests/\($0).swift" }
    let files = try names.map { name in
      lines(try String(contentsOf: example.appendingPathComponent(name), encoding: .utf8))
    }
    let blocks = Self.text(page).components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
    #expect(!blocks.isEmpty)
    for block in blocks {
      let wanted = lines(block)
      if block.contains(".package(url:") {
        #expect(block.contains(#", from: "\#(Product.version)")"#), "\(block)")
        continue
      }
      let isThere = files.contains { file in
        file.indices.contains { file[$0...].starts(with: wanted) }
      }
      #expect(isThere, "\(page):\n\(block)")
    }
  }

  @Test func theFirstCommandPrintsWhatThePageShows() throws {
    let shown = try #require(Self.blocks.first { $0.hasPrefix("ok    rules/") })
    #expect(try Self.run("rules-check test") == Self.normalized(shown) + "\n")
  }

  @Test func theCommandsAreThoseOfTheHelp() throws {
    let shown = try #require(Self.blocks.first { $0.hasPrefix("rules-check test [") })
    let help = try Self.run("rules-check --help").components(separatedBy: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    for line in shown.components(separatedBy: "\n") { #expect(help.contains(line), "\(line)") }
  }

  @Test func theSuiteOfThePagePasses() throws {
    let shown = try #require(Self.blocks.first { $0.hasPrefix("{\n  \"rules\": \"psst.rules\"") })
    let (read, mistakes) = SuiteReader.read(SourceText(name: "README.md", shown))
    #expect(mistakes.isEmpty)
    let suite = try #require(read)
    let rules = try String(
      contentsOf: CommandLineCase.package.appendingPathComponent("rules/psst.rules"),
      encoding: .utf8)
    let checked = try #require(Checker.check(SourceText(name: "psst.rules", rules)).checked)
    let now = try #require(Timestamp(epochSeconds: 1_750_000_000))
    #expect(suite.tests.count == 3)
    for test in suite.tests {
      let result = Engine(checked).run(test, documents: suite.documents, now: now)
      #expect(result.isPassed, "\(result.failures)")
    }
  }
}
