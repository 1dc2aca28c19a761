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

  @Test func fingerprintsFollowTheSubjectAndNotTheMessage() throws {
    func fingerprint(_ message: String, of subject: [String], code: String = "a") throws -> String {
      let annotation = Annotation(
        file: "a.rules", severity: .error, code: code, message: message, subject: subject)
      let text = CodeQualityReport([annotation]).text
      return try #require(try JSONDecoder().decode([Remark].self, from: Data(text.utf8)).first)
        .fingerprint
    }
    let first = try fingerprint("one sentence", of: ["allow read;", "read"])
    #expect(try fingerprint("a better one", of: ["allow read;", "read"]) == first)
    #expect(try fingerprint("one sentence", of: ["  allow  read;", "read"]) == first)
    #expect(try fingerprint("one sentence", of: ["allow read;", "allow"]) != first)
    #expect(try fingerprint("one sentence", of: ["allow get;", "read"]) != first)
    #expect(try fingerprint("one sentence", of: ["allow read;", "read"], code: "b") != first)
  }

  @Test func alikeFindingsHaveFingerprintsOfTheirOwn() throws {
    let line = "    match /notes/{id} { allow read, write; }\n"
    let once = try remarks(Self.rules)
    let twice = try remarks(Self.rules.replacingOccurrences(of: line, with: line + line))
    #expect(twice.count > once.count)
    #expect(Set(twice.map(\.fingerprint)).count == twice.count)
    #expect(Set(once.map(\.fingerprint)).subtracting(twice.map(\.fingerprint)).isEmpty)
  }
}
