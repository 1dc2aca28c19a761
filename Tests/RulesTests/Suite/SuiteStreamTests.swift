import RulesLang
import Testing

@testable import RulesEval

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
    let tests = try (0..<stream.portionCount).flatMap { try #require(stream.tests($0)) }
    let expected = try #require(whole).tests
    #expect(expected.count == 2 * 1300 + 2 * 186)
    #expect(
      tests.map { "\($0.groups) \($0.name) \($0.principalName ?? "") \($0.range)" }
        == expected.map { "\($0.groups) \($0.name) \($0.principalName ?? "") \($0.range)" })
    #expect(stream.suite.documents.all.count == 1)
  }

  @Test func whatIsWrongIsLeftToTheReaderOfTheWhole() {
    var elements = (0..<600).map { test($0) }
    elements[550] = "{\"get\": \"/t\", \"expect\": \"deny\"}"
    func stream(_ source: SourceText) -> SuiteStream? {
      SuiteOutline(source).flatMap { SuiteStream($0) }
    }
    let first = stream(suite(elements))
    #expect(first?.tests(0) != nil)
    #expect(first?.tests(1) == nil)
    elements[550] = "{]}"
    #expect(stream(suite(elements))?.tests(1) == nil)
    #expect(stream(suite(elements, ", \"tests\": []")) == nil)
    #expect(stream(suite(elements, ", \"tsts\": []")) == nil)
    #expect(stream(suite(elements, "]")) == nil)
    #expect(stream(SourceText(name: "x", "[]")) == nil)
  }
}
