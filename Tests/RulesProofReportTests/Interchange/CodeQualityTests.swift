import Foundation
import RulesLang
import RulesProofReport
import RulesReport
import RulesStyle
import Testing

/// GitLab's format: what it demands of each remark, and fingerprints by which it knows them again.
@Suite struct CodeQualityTests {
  /// What GitLab reads of a remark.
  private struct Remark: Decodable {
    struct Location: Decodable {
      struct Lines: Decodable { var begin: Int }
      var path: String
      var lines: Lines
    }
    var description: String
    var check_name: String
    var fingerprint: String
    var severity: String
    var location: Location
  }

  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /notes/{id} { allow read, write; }
        match /others/{id} { allow read, write; }
        // rules-check: ignore open-write because
        match /more/{id} { allow get: if false; }
      }
    }
    """

  private func remarks(_ text: String) throws -> [Remark] {
    let checked = try #require(Checker.check(SourceText(name: "a.rules", text)).checked)
    let file = CheckReport.File(
      path: "a.rules", source: checked.ruleset.source, compiles: true,
      diagnostics: Linter().run(checked))
    let report = CodeQualityReport(CheckReport(files: [file]).annotations).text
    return try JSONDecoder().decode([Remark].self, from: Data(report.utf8))
  }

  @Test func everyRemarkIsWhatGitLabDemands() throws {
    let remarks = try remarks(Self.rules)
    #expect(remarks.count > 2)
    for remark in remarks {
      #expect(["info", "minor", "major", "critical", "blocker"].contains(remark.severity))
      #expect(remark.location.path == "a.rules")
      #expect(remark.location.lines.begin > 0)
      #expect(!remark.description.isEmpty && !remark.check_name.isEmpty)
    }
    #expect(Set(remarks.map(\.fingerprint)).count == remarks.count)
  }

  @Test func fingerprintsStayWhenLinesMove() throws {
    let before = try remarks(Self.rules)
    let after = try remarks("// A line more.\n\n" + Self.rules)
    #expect(before.map(\.fingerprint) == after.map(\.fingerprint))
    #expect(before.map { $0.location.lines.begin + 2 } == after.map { $0.location.lines.begin })
  }
}
