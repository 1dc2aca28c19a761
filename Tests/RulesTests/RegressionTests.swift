import Foundation
import RulesEval
import RulesLang
import Testing

@testable import rules_check

/// Every disagreement with the official emulator that was ever found, with the emulator's answer.
@Suite struct RegressionTests {
  private static let folder = ConformanceData.tests.appendingPathComponent("Regressions")

  /// The files, sorted; a folder without files is a mistake.
  static let files: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted()
  }()

  @Test func thereAreRecordedDisagreements() {
    #expect(Self.files.count >= 20)
  }

  @Test(arguments: files)
  func theAnswerIsTheEmulators(_ file: String) throws {
    let bytes = Array(try Data(contentsOf: Self.folder.appendingPathComponent(file)))
    let json = try JSONParser.parse(SourceText(name: file, bytes: bytes))
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
