import Foundation
import RulesEval
import RulesLang
import Testing

@testable import RulesTesting
@testable import rules_check_dev

/// Every disagreement with the official emulator that was ever found, with the emulator's answer.
@Suite struct RegressionTests {
  private static let folder = ConformanceData.tests.appendingPathComponent("Regressions")

  /// The files, sorted; a folder without files is a mistake.
  static let files: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted()
  }()

  /// The request that a file records; nil if it records a source.
  static func recorded(_ file: String) throws -> RegressionCase? { RegressionCase(try json(file)) }

  private static func json(_ file: String) throws -> JSON {
    let bytes = Array(try Data(contentsOf: Self.folder.appendingPathComponent(file)))
    return try JSONParser.parse(SourceText(name: file, bytes: bytes))
  }

  @Test func thereAreRecordedDisagreements() {
    #expect(Self.files.count >= 90)
  }

  @Test(arguments: files)
  func theAnswerIsTheEmulators(_ file: String) throws {
    let json = try Self.json(file)
    if let source = SourceComparison(recorded: json) {
      let difference = source.difference
      let words = difference.map { "ours \($0.ours), the emulator \($0.theirs)" } ?? ""
      #expect(difference == nil, "\(words)")
      return
    }
    let recorded = try #require(RegressionCase(json), "\(file) is no case")
    let problems = recorded.problems()
    #expect(problems.isEmpty, "\(recorded.about): \(problems.joined(separator: "\n"))")
  }
}
