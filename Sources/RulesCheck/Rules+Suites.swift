import RulesEval
import RulesLang
import RulesProofReport
import RulesReport

extension Rules {
  /// What came of the tests and claims of a suite.
  public struct SuiteResult: Sendable, CustomStringConvertible {
    /// Whether every test passes and every claim comes out as expected.
    public let isPassed: Bool
    /// Whether nothing is known to be wrong, but a claim could not be decided.
    public let isUndecided: Bool
    /// How many tests there are.
    public let tests: Int
    /// How many claims there are.
    public let claims: Int
    /// A line for the suite, and each failure explained.
    public let description: String
  }

  /// Runs a suite in the text of a `*.suite.json` against these rules, whatever rules it names, and on its
  /// own documents. `file` is what explanations call it. Throws what is wrong with the text.
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

  /// Expects every test of a suite to pass and every claim to come out as expected; throws the report if
  /// not, what is wrong with the text, and that there is nothing in the suite, each behind the place of the
  /// call. `file` is what explanations call the suite.
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
