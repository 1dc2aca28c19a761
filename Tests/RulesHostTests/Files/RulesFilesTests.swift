import Foundation
import RulesLang
import Testing

@testable import RulesHost

/// Rules files that are loaded, and loaded again while somebody edits them.
@Suite struct RulesFilesTests {
  private static let good = "service cloud.firestore { match /a/{b} { allow read: if %@; } }"

  private func write(_ text: String, to file: URL) throws {
    try Data(text.utf8).write(to: file)
  }

  @Test func aFileThatIsBrokenMeanwhileIsReplacedByItsLastGoodVersion() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString + ".rules")
    defer { try? FileManager.default.removeItem(at: file) }
    func text(_ outcome: Checker.Outcome) -> String {
      String(decoding: outcome.ruleset.source.bytes, as: UTF8.self)
    }
    let one = Self.good.replacingOccurrences(of: "%@", with: "true")
    try write(one, to: file)
    var files = RulesFiles(profile: .emulator)
    #expect(text(try files.load(file.path)) == one && files.stale.isEmpty)
    // A run sees one version of a file.
    try write("service {", to: file)
    #expect(text(try files.load(file.path)) == one && files.paths == [file.path])
    files = files.again()
    let stale = try files.load(file.path)
    #expect(text(stale) == one && stale.checked != nil)
    #expect(files.stale.count == 1 && files.stale[0].checked == nil)
    let other = Self.good.replacingOccurrences(of: "%@", with: "false")
    try write(other, to: file)
    files = files.again()
    #expect(text(try files.load(file.path)) == other && files.stale.isEmpty)
  }

  @Test func aFileThatWasNeverGoodStaysBroken() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString + ".rules")
    defer { try? FileManager.default.removeItem(at: file) }
    try write("service {", to: file)
    var files = RulesFiles(profile: .emulator)
    let outcome = try files.load(file.path)
    #expect(outcome.checked == nil && outcome.diagnostics.hasErrors && files.stale.isEmpty)
    #expect(throws: FileProblem.self) { try files.load(file.path + ".gone") }
  }
}
