import RulesEval
import RulesLang
import RulesProofReport
import RulesReport

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
    let (read, problems) = SuiteReader.read(source)
    let diagnostics = read?.foreignClaims ?? problems
    guard let suite = read, suite.foreignClaims.isEmpty else {
      let renderer = TextRenderer()
      let lines = diagnostics.map { diagnostic in renderer.render(diagnostic, in: source) }
      throw Failure(.unusable, saying: lines.joined(separator: "\n"))
    }
    if suite.database != engine.rules.database {
      return try deployed(to: suite.database).run(suite: text, file: file)
    }
    let claims = try results(of: suite.claims, on: suite.documents)
    let now = SystemClock.now
    var tally = TestReport.Tally()
    var results: [TestResult] = []
    for test in suite.tests {
      let result = engine.run(test, documents: suite.documents, now: now)
      tally.add(result, nanoseconds: 0)
      results.append(
        result.isPassed
          ? result : engine.run(test, documents: suite.documents, now: now, tracing: true))
    }
    var part = TestReport.Suite(
      source: source, rulesPath: engine.rules.ruleset.source.name, rules: engine.rules,
      tally: tally, results: results)
    part.claims = claims
    part.warnings = suite.warnings
    let report = TestReport(suites: [part], nanoseconds: 0)
    let style = TestText.Style(
      .plain, isQuiet: true, showsAll: false, explainsAll: false, showsCoverage: false)
    return SuiteResult(
      isPassed: report.conclusion == .success, isUndecided: report.conclusion == .undecided,
      tests: suite.tests.count, claims: claims.count, description: TestText(style).render(report))
  }

  /// Expects every test of a suite to pass and every claim to have the expected verdict; throws the report if
  /// not, the mistakes in the text, or that the suite is empty, each with the place of the call in front.
  /// `file` is the suite's name in explanations.
  public func expectPassed(
    suite text: String, file: String = "the suite", at place: StaticString = #fileID,
    line: UInt = #line
  ) throws(Failure) {
    do throws(Failure) {
      let result = try run(suite: text, file: file)
      if result.tests + result.claims == 0 {
        throw Failure(.unusable, saying: "\(file): no test and no claim")
      }
      if result.isPassed { return }
      throw Failure(result.isUndecided ? .undecided : .unexpected, saying: result.description)
    } catch {
      throw error.at(place, line)
    }
  }
}
