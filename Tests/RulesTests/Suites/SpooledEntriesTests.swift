import Foundation
import RulesLang
import RulesProof
import Testing

@testable import RulesEval
@testable import RulesProofReport
@testable import RulesReport
@testable import rules_check
@testable import rules_check_dev

/// Reports of suites whose results are not kept.
@Suite struct SpooledEntriesTests {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /t/{id} { allow get: if request.auth.uid == id; }
      }
    }
    """

  /// More tests than a portion has: some that pass, some that fail and one that cannot be decided.
  private static var suite: SourceText {
    let tests = (0..<1300).map { number in
      let wanted = number % 5 == 0 ? "deny" : "allow"
      let operation =
        number == 700 ? #""list": "/t", "query": {"limit": -1}"# : #""get": "/t/a""#
      let asker = #"{"uid": "a", "token": {"n": \#(number)}}"#
      return #"{"name": "<\#(number)> # é", "as": [\#(asker), null], \#(operation), "#
        + #""expect": "\#(wanted)"}"#
    }
    return SourceText(
      name: "large.suite.json",
      "{\"tests\": [\n\(tests.joined(separator: ",\n"))]}")
  }

  private func engine() throws -> Engine {
    Engine(try #require(Checker.check(SourceText(name: "t.rules", Self.rules)).checked))
  }

  /// The suite with its tests left in the text.
  private func loaded(_ engine: Engine) throws -> LoadedSuite {
    let stream = try #require(SuiteOutline(Self.suite).flatMap { SuiteStream($0) })
    #expect(stream.portionCount > 2)
    return LoadedSuite(
      [], in: stream.suite.source, of: stream.suite, streaming: stream, rulesPath: "t.rules",
      engine: engine)
  }

  /// The report of a suite whose tests were run portion by portion, on several threads.
  private func streamed(_ engine: Engine, tracing: Bool = false) throws -> TestReport {
    var options = SuiteOptions()
    options.spooledFormats = TestReport.Format.allCases
    options.traced = tracing ? .all : .failed
    options.needsResults = false
    options.jobs = 3
    var session = SuiteScheduler(options, at: .epoch)
    let result = try #require(session.add(try loaded(engine)).first)
    #expect(result.tests.isReadable && result.tests.results.isEmpty)
    var tally = result.tests.tally
    // Times are the only thing in which two runs differ.
    tally.nanoseconds = 0
    return report(
      TestReport.Suite(
        source: result.suite.source, rulesPath: "t.rules", rules: engine.rules, tally: tally,
        results: [], entries: { result.entries.forEach($0, $1) }))
  }

  /// The report of the same suite with all results in memory.
  private func whole(_ engine: Engine, tracing: Bool = false) throws -> TestReport {
    let suite = try #require(SuiteReader.read(Self.suite).suite)
    var tally = TestReport.Tally()
    let results = suite.tests.map { test in
      let result = engine.run(test, documents: suite.documents, now: .epoch)
      return result.isPassed && !tracing
        ? result : engine.run(test, documents: suite.documents, now: .epoch, tracing: true)
    }
    for result in results { tally.add(result, nanoseconds: 0) }
    return report(
      TestReport.Suite(
        source: suite.source, rulesPath: "t.rules", rules: engine.rules, tally: tally,
        results: results))
  }

  /// What the tests of a suite cover, told portion by portion by the machine, and by the reference.
  private func coverage(
    _ engine: Engine
  ) throws -> (streamed: CoverageReport, whole: CoverageReport) {
    let suite = try #require(SuiteReader.read(Self.suite).suite)
    var options = SuiteOptions()
    options.coverage = CoverageReport()
    options.traced = .none
    options.jobs = 3
    var session = SuiteScheduler(options, at: .epoch)
    var whole = CoverageReport()
    for _ in 0..<2 {
      let result = try #require(session.add(try loaded(engine)).first)
      #expect(!result.tests.results.isEmpty)
      for result in result.tests.results {
        #expect(result.decision?.tried.allSatisfy { $0.trace == nil } ?? true)
      }
      whole.add(
        suite.tests.map {
          engine.run($0, documents: suite.documents, now: .epoch, tracing: true)
        }, path: "t.rules", of: engine.rules)
    }
    let streamed = try #require(session.coverage)
    return (streamed, whole)
  }

  @Test func coverageByPortionsIsThatOfTheReference() throws {
    let rules = """
      rules_version = '2';
      service cloud.firestore {
        function twice(n) { let m = n + n; return m; }
        function signedIn() { return request.auth != null; }
        match /databases/{database}/documents {
          match /t/{id} {
            allow get: if signedIn() && request.auth.token.n % twice(1 + 1) == 0
              && [request.auth.uid, 'x'][0] == id;
            allow get: if request.auth.uid == id || id in {'b': 1}.keys();
          }
        }
      }
      """
    let checked = try #require(Checker.check(SourceText(name: "t.rules", rules)).checked)
    let (streamed, whole) = try coverage(Engine(checked))
    #expect(RuleCoverageReport(streamed).text == RuleCoverageReport(whole).text)
    #expect(CoveragePage(streamed).text == CoveragePage(whole).text)
    #expect(LCOVReport(streamed).text == LCOVReport(whole).text)
    let tallies = try #require(streamed.files.first).coverage.expressions
    #expect(tallies.contains { $0.unlisted > 0 } && tallies.contains { $0.errors > 0 })
  }

  private func report(_ suite: TestReport.Suite) -> TestReport {
    // The same suite twice: numbers and totals go on.
    TestReport(suites: [suite, suite], nanoseconds: 0)
  }

  @Test func reportsAreWhatTheyAreWithAllResultsInMemory() throws {
    let engine = try engine()
    let (streamed, whole) = (try streamed(engine), try whole(engine))
    expectJSON(streamed, whole)
    expectTAP(streamed, whole)
    expectJUnit(streamed, whole)
  }

  private func expectJSON(_ streamed: TestReport, _ whole: TestReport) {
    var (one, two) = ("", "")
    TestJSON(streamed).write(to: &one)
    TestJSON(whole).write(to: &two)
    #expect(one.contains("\"tests\": 5200,"))
    #expect(one == two)
  }

  @Test func jsonWithTracesIsWhatTheReferenceTells() throws {
    let engine = try engine()
    var (one, two) = ("", "")
    TestJSON(try streamed(engine, tracing: true)).write(to: &one)
    TestJSON(try whole(engine, tracing: true)).write(to: &two)
    #expect(one.contains("\"values\""))
    #expect(one == two)
  }

  private func expectTAP(_ streamed: TestReport, _ whole: TestReport) {
    var (one, two) = ("", "")
    TAPReport(streamed).write(to: &one)
    TAPReport(whole).write(to: &two)
    #expect(one.contains("1..5200\n") && one.contains("\nnot ok 5200 - "))
    #expect(one == two)
  }

  private func expectJUnit(_ streamed: TestReport, _ whole: TestReport) {
    var (one, two) = ("", "")
    JUnitReport(streamed).write(to: &one)
    JUnitReport(whole).write(to: &two)
    // Without the times: what stands between ` time="` and the next quotation mark.
    let timeless = [one, two].map { text -> [String] in
      let entries = text.components(separatedBy: " time=\"")
      return [entries[0]] + entries.dropFirst().map { String($0.drop { $0 != "\"" }) }
    }
    #expect(one.contains("tests=\"5200\""))
    #expect(one.contains("<failure") && one.contains("<error") && one.contains("</testsuites>"))
    #expect(timeless[0] == timeless[1])
  }
}
