import RulesEval
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Rules {
  /// The result of a suite's tests and claims.
  public struct SuiteResult: Sendable, CustomStringConvertible {
    /// True if every test passes and every claim has the expected verdict.
    public let isPassed: Bool
    /// True if nothing is known to be wrong, but a claim could not be decided.
    public let isUndecided: Bool
    /// The number of tests.
    public let tests: Int
    /// The number of claims.
    public let claims: Int
    /// A line for the suite, and an explanation of each failure.
    public let description: String
  }

  /// Runs the suite in the text of a `*.suite.json` against these rules, ignoring the rules that it names,
  /// and on its own documents. Throws the mistakes in the text. `file` is the suite's name in explanations.
  public func run(
    suite text: String, file: String = "the suite"
  ) throws(Failure) -> SuiteResult {
    let source = SourceText(name: file, text)
    let suites: [LoadedSuite]
    do throws(LoadedSuite.Refusal) {
      suites = try LoadedSuite.all(
        in: source, rulesPath: engine.rules.ruleset.source.name, about: engine.rules,
        profile: engine.profile)
    } catch {
      let renderer = TextRenderer()
      let lines = error.diagnostics.map { diagnostic in renderer.render(diagnostic, in: source) }
      throw Failure(.unusable, saying: lines.joined(separator: "\n"))
    }
    let now = SystemClock.now
    let parts = suites.map { suite in
      var part = suite.testReport(at: now)
      part.claims = suite.claimResults(within: { Self.budget })
      return part
    }
    let report = TestReport(suites: parts, nanoseconds: 0)
    let style = TestText.Style(
      .plain, isQuiet: true, showsAll: false, explainsAll: false, showsCoverage: false)
    return SuiteResult(
      isPassed: report.conclusion == .success, isUndecided: report.conclusion == .undecided,
      tests: report.testCount, claims: report.claims.count,
      description: TestText(style).render(report))
  }

  /// Runs the suite in a file, ignoring the rules that it names, and on its own documents. Throws the
  /// mistakes in the text, or that the file cannot be read.
  public func run(suiteAt url: URL) throws(Failure) -> SuiteResult {
    let text = String(decoding: try FileText.bytes(of: url), as: UTF8.self)
    return try run(suite: text, file: url.lastPathComponent)
  }

  /// Requires every test of a suite to pass and every claim to have the expected verdict; throws the report
  /// if not, the mistakes in the text, or that the suite is empty, each with the place of the call in front.
  /// `file` is the suite's name in explanations.
  public func requirePassed(
    suite text: String, file: String = "the suite", fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(Failure) {
    do throws(Failure) {
      try checkPassed(try run(suite: text, file: file), file: file)
    } catch {
      throw error.at(fileID, line)
    }
  }

  /// Requires every test of the suite in a file to pass and every claim to have the expected verdict.
  public func requirePassed(
    suiteAt url: URL, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) {
    do throws(Failure) {
      try checkPassed(try run(suiteAt: url), file: url.lastPathComponent)
    } catch {
      throw error.at(fileID, line)
    }
  }

  /// Throws the report of a suite that failed, or was empty.
  package func checkPassed(_ result: SuiteResult, file: String) throws(Failure) {
    if result.tests + result.claims == 0 {
      throw Failure(.unusable, saying: "\(file): no test and no claim")
    }
    if result.isPassed { return }
    throw Failure(result.isUndecided ? .undecided : .unexpected, saying: result.description)
  }
}
