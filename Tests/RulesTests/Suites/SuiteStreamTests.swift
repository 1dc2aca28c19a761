import RulesLang
import RulesProof
import Testing

@testable import RulesEval
@testable import RulesProofReport
@testable import RulesReport
@testable import rules_check

/// Suites read portion by portion.
@Suite struct SuiteStreamTests {
  private func suite(_ elements: [String], _ rest: String = "") -> SourceText {
    SourceText(
      name: "large.suite.json",
      "{ // large\n\"tests\": [\n\(elements.joined(separator: ",\n")),\n],\n"
        + "\"users\": {\"a\": \"a\"}, \"documents\": {\"/t/a\": {\"x\": \"]}\\\"\"}}\(rest)}")
  }

  private func test(_ number: Int) -> String {
    let test =
      "{\"name\": \"[\(number)\\\\\", \"as\": [\"a\", null], \"get\": \"/t/a\", /* ] */ "
      + "\"expect\": \"deny\"}"
    return number % 7 == 0 ? "{\"group\": \"g\(number)\", \"tests\": [\(test), \(test)]}" : test
  }

  @Test func portionsHoldTheTestsOfTheWholeInOrder() throws {
    let source = suite((0..<1300).map { test($0) })
    let stream = try #require(SuiteOutline(source).flatMap { SuiteStream($0) })
    #expect(stream.portionCount == 3)
    let (whole, diagnostics) = SuiteReader.read(source)
    #expect(diagnostics.isEmpty)
    let tests = try (0..<stream.portionCount).flatMap { try #require(stream.read($0)).tests }
    let expected = try #require(whole).tests
    #expect(expected.count == 2 * 1300 + 2 * 186)
    #expect(
      tests.map { "\($0.groups) \($0.name) \($0.principalName ?? "") \($0.range)" }
        == expected.map { "\($0.groups) \($0.name) \($0.principalName ?? "") \($0.range)" })
    #expect(stream.suite.documents.all.count == 1)
  }

  @Test func testsThatDoNotSayWhoAsksAreWarnedOfOnceForAllPortions() throws {
    let source = suite((0..<1300).map { _ in "{\"get\": \"/t/a\", \"expect\": \"deny\"}" })
    let stream = try #require(SuiteOutline(source).flatMap { SuiteStream($0) })
    var askers = UnstatedAskers()
    for number in 0..<stream.portionCount {
      askers.add(try #require(stream.read(number)).unstatedAskers)
    }
    let warning = try #require(askers.warning)
    #expect(warning.message.hasPrefix("this test and 1299 others do not name a client"))
    let whole = try #require(SuiteReader.read(source).suite?.warnings.first)
    #expect(warning.message == whole.message && warning.range == whole.range)
  }

  @Test func whatIsWrongIsLeftToTheReaderOfTheWhole() {
    var elements = (0..<600).map { test($0) }
    elements[550] = "{\"get\": \"/t\", \"expect\": \"deny\"}"
    func stream(_ source: SourceText) -> SuiteStream? {
      SuiteOutline(source).flatMap { SuiteStream($0) }
    }
    let first = stream(suite(elements))
    #expect(first?.read(0) != nil)
    #expect(first?.read(1) == nil)
    elements[550] = "{]}"
    #expect(stream(suite(elements))?.read(1) == nil)
    #expect(stream(suite(elements, ", \"tests\": []")) == nil)
    #expect(stream(suite(elements, ", \"tsts\": []")) == nil)
    #expect(stream(suite(elements, "]")) == nil)
    #expect(stream(SourceText(name: "x", "[]")) == nil)
  }

  @Test func onlyLongTextsAreStreams() {
    func kind(_ source: SourceText, streaming: Bool = true) -> String {
      switch SuiteText(source, streaming: streaming).content {
      case .rulesTest: "Google's"
      case .stream(let stream): "\(stream.portionCount) portions"
      case .suite(let suite?, let problems):
        "\(suite.tests.count) tests, \(problems.count) problems"
      case .suite(nil, let problems):
        problems.map { "\($0.range?.start ?? 0): \($0.message)" }.joined()
      }
    }
    let long = suite((0..<1300).map { test($0) })
    #expect(kind(long) == "3 portions")
    #expect(kind(long, streaming: false) == "2972 tests, 0 problems")
    #expect(kind(suite([test(1), test(2)])) == "4 tests, 0 problems")
    // Many tests that make a short text are no stream, and few that make a long one are none either.
    let short = (0..<600).map { _ in "{\"get\":\"/t/a\",\"expect\":\"deny\"}" }
    #expect(kind(suite(short)) == "600 tests, 0 problems")
    let blanks = String(repeating: " ", count: 1 << 16)
    #expect(kind(suite([test(1)], blanks)) == "2 tests, 0 problems")
    // What is wrong is told of texts of either length.
    for rest in ["", blanks] {
      #expect(
        kind(suite([test(1)], "\(rest), \"tsts\": []")).hasSuffix("a suite has no key \"tsts\""))
      #expect(kind(suite([test(1)], "\(rest)]")).contains("missing here"))
      #expect(kind(SourceText(name: "x", "{\"testSuite\": {}\(rest)}")) == "Google's")
      #expect(
        kind(SourceText(name: "x", "\(rest)[]")).hasSuffix("a suite is an object, this is a list"))
    }
  }

  /// What is said of fields that nothing mentions, and of tests that pass by chance, does not depend on
  /// how long a suite is.
  @Test func nothingIsOverlookedInALaterPortion() throws {
    var elements = (0..<1300).map { test($0) }
    elements[900] = #"{"as": "a", "create": "/t/b", "data": {"late": {"x": 1}}, "expect": "deny"}"#
    elements[1000] = """
      {"name": "chance", "batch": [{"create": "/eleven/a", "data": {}},
      {"create": "/one/a", "data": {}}], "expect": "deny"}
      """
    let stream = try #require(SuiteOutline(suite(elements)).flatMap { SuiteStream($0) })
    #expect(stream.fieldNames == ["x", "late"])
    let lookups = (0..<11).map { "!exists(/databases/(default)/documents/b/x\($0))" }
    let text = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        match /eleven/{id} { allow create: if \(lookups.joined(separator: " && ")); }
        match /one/{id} { allow create: if \(lookups[0]); }
      } }
      """
    let engine = Engine(try #require(Checker.check(SourceText(name: "r", text)).checked))
    let runner = PortionRunner(
      LoadedSuite(
        [], in: stream.suite.source, of: stream.suite, streaming: stream, rulesPath: "r",
        engine: engine), at: .epoch, wanting: SuiteOptions())
    let portion = runner.run(1)
    #expect(portion.tally.failed == 0)
    #expect(portion.results.map { $0.test.name } == ["chance"])
  }
}
