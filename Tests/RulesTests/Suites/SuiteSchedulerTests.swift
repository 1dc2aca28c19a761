import RulesHost
import RulesLang
import RulesProof
import Testing

@testable import RulesEval
@testable import RulesProofReport
@testable import RulesReport
@testable import rules_check

/// Suites in a session: what comes of them, and in which order.
@Suite struct SuiteSchedulerTests {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /t/{id} { allow get: if request.auth.uid == id; allow list: if false; }
      }
    }
    """

  private static func stream(of source: SourceText) throws -> SuiteStream {
    let outline = try #require(SuiteOutline(source))
    return try #require(SuiteStream(outline))
  }

  /// So many tests, of which those whose number a set has fail, and claims beside them.
  private func loaded(
    _ name: String, tests: Int = 0, failing: Set<Int> = [], claims: [String] = [],
    streaming: Bool = false
  ) throws -> LoadedSuite {
    let engine = Engine(
      try #require(Checker.check(SourceText(name: "t.rules", Self.rules)).checked))
    let lines = (0..<tests).map { number in
      let expected = failing.contains(number) ? "deny" : "allow"
      return #"{"name": "\#(number)", "as": "a", "get": "/t/a", "expect": "\#(expected)"}"#
    }
    let stated = claims.map { #"{"path": "/t/{x}", "methods": "get", "onlyIf": "\#($0)"}"# }
    let source = SourceText(
      name: name,
      #"{"users": {"a": "a"}, "tests": [\#(lines.joined(separator: ",\n"))], "#
        + #""claims": [\#(stated.joined(separator: ","))]}"#)
    let stream = streaming ? try Self.stream(of: source) : nil
    let suite = try #require(stream?.suite ?? SuiteReader.read(source).suite)
    return try LoadedSuite(
      suite, streaming: stream, rulesPath: "t.rules", about: engine.rules, profile: .emulator)
  }

  private func names(_ results: [SuiteResult]) -> [String] { results.map(\.suite.source.name) }

  @Test(arguments: [1, 2, 8])
  func resultsAreInTheOrderOfSuitesTestsAndClaims(_ jobs: Int) throws {
    var options = SuiteOptions()
    options.jobs = jobs
    var session = SuiteScheduler(options, at: .epoch)
    let first = try loaded("first", tests: 70, claims: ["request.auth != null", "false", "true"])
    #expect(session.add(first).isEmpty)
    #expect(session.add(try loaded("second", claims: ["x == 'a'"])).isEmpty)
    #expect(session.add(try loaded("third", tests: 1)).isEmpty)
    #expect(session.add(try loaded("nothing")).isEmpty)
    let results = session.finish()
    #expect(names(results) == ["first", "second", "third", "nothing"])
    #expect(results.map(\.tests.tally.tests) == [70, 0, 1, 0])
    #expect(results[0].tests.results.map(\.test.name) == (0..<70).map { "\($0)" })
    #expect(results[0].tests.times.count == 70)
    #expect(results[0].claims.map(\.word) == ["proved", "violated", "proved"])
    #expect(results[1].claims.map(\.claim.name.isEmpty) == [false])
    #expect(session.finish().isEmpty)
  }

  @Test func aSuiteThatFailsInTheMiddleChangesNothingForTheOthers() throws {
    var session = SuiteScheduler(SuiteOptions(), at: .epoch)
    var results = session.add(try loaded("first", tests: 40))
    results += session.add(try loaded("second", tests: 40, failing: [0, 33], claims: ["false"]))
    results += session.add(try loaded("third", tests: 40, claims: ["true"]))
    results += session.finish()
    #expect(results.map(\.tests.tally.failed) == [0, 2, 0])
    let failed = results[1].tests.results.filter { !$0.isPassed }
    #expect(failed.map(\.test.name) == ["0", "33"])
    // What failed is explained, and nothing else.
    for result in results.flatMap(\.tests.results) {
      let isTraced = result.decision?.tried.contains { $0.trace != nil } == true
      #expect(isTraced == !result.isPassed)
    }
  }

  @Test func aLargeSuiteIsYieldedAtOnceAfterThoseBeforeIt() throws {
    var options = SuiteOptions()
    options.jobs = 3
    options.spooledFormats = [.tap]
    options.needsResults = false
    var session = SuiteScheduler(options, at: .epoch)
    #expect(session.add(try loaded("first", tests: 5)).isEmpty)
    let large = try loaded(
      "large", tests: 1500, failing: [7, 1200], claims: ["true"], streaming: true)
    let results = session.add(large)
    #expect(names(results) == ["first", "large"])
    #expect(results[1].tests.tally.tests == 1500 && results[1].tests.tally.failed == 2)
    #expect(results[1].tests.results.isEmpty && results[1].claims.count == 1)
    var entries: [String] = []
    #expect(results[1].entries.forEach(.tap) { entries.append($0) })
    #expect(entries.count == 1500)
    #expect(entries.enumerated().allSatisfy { $1.contains("large: \($0)") || $1.contains("\($0)") })
    #expect(entries.indices.filter { entries[$0].hasPrefix("not ok") } == [7, 1200])
    // What all results are kept of is not written down.
    #expect(!results[0].entries.forEach(.tap) { _ in })
  }

  @Test func manySmallSuitesDoNotWaitForTheLast() throws {
    var session = SuiteScheduler(SuiteOptions(), at: .epoch)
    #expect(session.add(try loaded("first", tests: 400)).isEmpty)
    #expect(names(session.add(try loaded("second", tests: 200))) == ["first", "second"])
    #expect(session.finish().isEmpty)
  }

  @Test func testsThatCannotBeReadAreSaidToBe() throws {
    var options = SuiteOptions()
    options.coverage = CoverageReport()
    var session = SuiteScheduler(options, at: .epoch)
    var lines = Array(repeating: #"{"as": null, "get": "/t/a", "expect": "deny"}"#, count: 1300)
    lines[900] = #"{"as": null, "get": "/t/a", "expect": "maybe"}"#
    let source = SourceText(name: "large", #"{"tests": [\#(lines.joined(separator: ","))]}"#)
    let stream = try Self.stream(of: source)
    let results = session.add(
      LoadedSuite(
        [], in: source, of: stream.suite, streaming: stream, rulesPath: "t.rules",
        engine: try loaded("large").engine))
    #expect(results.map(\.tests.isReadable) == [false])
    // What they cover is not counted.
    #expect(try #require(session.coverage).files.isEmpty)
    _ = session.add(try loaded("small", tests: 2))
    #expect(names(session.finish()) == ["small"])
    #expect(try #require(session.coverage).files.map(\.tests.count) == [2])
  }
}
