import Foundation
import RulesLang
import Testing

@testable import RulesHost
@testable import RulesTesting

/// Files as git has them. What `diff` makes of a whole repository is in `DiffBaseTests`.
@Suite struct GitHistoryTests {
  private static let isRepository = FileManager.default.fileExists(
    atPath: CommandLineCase.package.appendingPathComponent(".git").path)

  private static let isShallow =
    ChildProcess.output(of: ["git", "rev-parse", "--is-shallow-repository"])?.first
    == UInt8(ascii: "t")

  /// A revision that is one option more to git would do something else.
  @Test(arguments: ["no-such-revision", "--help", "-1", "", "HEAD^{tree}", "HEAD:Package.swift"])
  func whatIsNoRevisionIsRefused(_ revision: String) {
    do throws(UsageProblem) {
      _ = try GitHistory(revision)
      Issue.record("`\(revision)` was taken for a commit")
    } catch {
      #expect(error.message == "git knows no revision `\(revision)` here")
      #expect(error.help?.contains("git branch --all") == !Self.isShallow)
      #expect(error.help?.contains("fetch-depth: 0") == Self.isShallow)
    }
  }

  @Test(.enabled(if: isRepository))
  func aFileIsReadAsItWasThen() throws {
    // The tests run in the folder of the package.
    let history = try GitHistory("HEAD")
    let recorded = ChildProcess.output(of: ["git", "cat-file", "blob", "HEAD:LICENSE"])
    let text = try #require(recorded)
    let absolute = CommandLineCase.package.appendingPathComponent("LICENSE").path
    for path in ["LICENSE", "./LICENSE", "Sources/../LICENSE", absolute] {
      let read = try #require(try history.read(path), "\(path)")
      #expect(read.bytes == text && read.name == "HEAD:\(path)")
    }
    #expect(try history.read("LICENSE/no") == nil)
    #expect(try history.read("no-such-file.rules") == nil)
    #expect(try history.read("no-such-folder/a.rules") == nil)
  }

  @Test(.enabled(if: isRepository))
  func theRulesFilesAreThoseThatGitKnows() throws {
    let files = try GitHistory("HEAD").rulesFiles()
    #expect(files.contains("rules/psst.rules"))
    #expect(files.allSatisfy { $0.hasSuffix(".rules") })
  }
}
