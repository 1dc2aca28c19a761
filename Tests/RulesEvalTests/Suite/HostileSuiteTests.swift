import RulesLang
import Testing

@testable import RulesEval
@testable import RulesTesting

/// Suites and values made to do harm: a diagnostic each, or a quick run.
@Suite struct HostileSuiteTests {
  private func problem(_ bytes: [UInt8]) -> JSONProblem? {
    do throws(JSONProblem) {
      _ = try JSONParser.parse(SourceText(name: "hostile.suite.json", bytes: bytes))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("[", ""), ("[", "]"), ("{\"a\":", ""), ("{\"a\":", "}"), ("[{\"a\":", "}]"),
  ])
  func aHundredThousandLevelsOfJSONAreRefused(_ open: String, _ close: String) throws {
    let text =
      String(repeating: open, count: 100_000) + "1" + String(repeating: close, count: 100_000)
    #expect(try #require(problem(Array(text.utf8))).message == "nested more than 100 levels deep")
  }

  @Test(arguments: [
    ("{\"a\": 1, \"a\": 2}", "the key \"a\" is repeated here"),
    ("{\"a\": 1, \"\\u0061\": 2}", "the key \"a\" is repeated here"),
    ("[1e]", "this is not a JSON number"), ("[01]", "this is not a JSON number"),
    ("[-]", "this is not a JSON number"), ("[1.]", "this is not a JSON number"),
    ("[\"\\q\"]", "this is not a JSON escape"),
    ("[\"\\u12\"]", "`\\u` takes four hexadecimal digits"),
    ("[\"a", "the string is not closed"),
    ("[\"a\n\"]", "a string ends on the line where it begins"),
    ("[1", "this is not closed"), ("{\"a\"", "a colon is missing after the key"),
    ("{", "a key in double quotes is missing here"), ("/* a", "the comment is not closed"),
    ("", "a value is missing at the end of the text"),
    ("[1] 2", "there is more text after the value"),
    ("['a']", "strings need double quotes"),
    ("[nul]", "`nul` is not a JSON value; strings need quotes"),
    ("[\0]", "a value is missing here"), ("[,]", "a value is missing here"),
  ])
  func whatIsNoJSONIsSaidToBeNone(_ text: String, _ message: String) throws {
    #expect(try #require(problem(Array(text.utf8))).message == message)
  }

  @Test(arguments: [[0xFF], [0x22, 0xC3, 0x22]] as [[UInt8]])
  func whatIsNoUTF8IsRefused(_ bytes: [UInt8]) throws {
    #expect(try #require(problem(bytes)).message == "the text is not UTF-8")
  }

  @Test(arguments: [[0xFE, 0xFF, 0x00, 0x7B], [0xFF, 0xFE, 0x7B, 0x00]] as [[UInt8]])
  func textInUTF16IsCalledSo(_ bytes: [UInt8]) throws {
    #expect(try #require(problem(bytes)).message == "the text is UTF-16, and JSON is UTF-8")
  }

  private func suite(_ test: String) -> (tests: Int, diagnostics: [Diagnostic]) {
    let source = SourceText(
      name: "hostile.suite.json", "{\"rules\": \"x.rules\", \"tests\": [\(test)]}")
    let (suite, diagnostics) = SuiteReader.read(source)
    return (suite?.tests.count ?? 0, diagnostics)
  }

  @Test(arguments: ["99999999999999999999", "-9223372036854775809", "9223372036854775808"])
  func anIntThatDoesNotFitIsRefused(_ number: String) {
    let (_, mistakes) = suite(
      "{\"as\": null, \"create\": \"/a/b\", \"data\": {\"x\": \(number)}, \"expect\": \"deny\"}")
    #expect(mistakes.map { $0.message } == ["\(number) does not fit an int"])
  }

  @Test func aLoneSurrogateIsAValueOfItsOwn() throws {
    let one = try JSONParser.parse(SourceText(name: "a", "\"\\ud800\""))
    let other = try JSONParser.parse(SourceText(name: "b", "\"\\ud801\""))
    let replaced = try JSONParser.parse(SourceText(name: "c", "\"\\ufffd\""))
    #expect(one.text != other.text)
    #expect(one.text != replaced.text)
    #expect(one.text?.unitCount == 1)
    let pair = try JSONParser.parse(SourceText(name: "d", "\"\\ud83d\\ude00\""))
    #expect(pair.text == Text("😀"))
  }

  @Test func aFieldPathIsNoDeeperThanAValueCanBe() {
    let path = { (count: Int) in
      FieldPath(Text(Array(repeating: "a", count: count).joined(separator: ".")))
    }
    #expect(path(100)?.names.count == 100)
    #expect(path(101) == nil)
    #expect(path(100_000) == nil)
    let key = String(repeating: "a.", count: 100_000) + "a"
    let (_, mistakes) = suite(
      "{\"as\": null, \"update\": \"/a/b\", \"data\": {\"\(key)\": 1}, \"expect\": \"deny\"}")
    #expect(mistakes.count == 1)
  }

  @Test func moreMistakesThanAnybodyReadsAreCut() {
    let tests = Array(repeating: "{\"gett\": \"/a/b\"}", count: 5000).joined(separator: ",")
    let (_, mistakes) = suite(tests)
    #expect(mistakes.count == 101)
    #expect(mistakes.last?.code == .tooManyErrors)
  }

  @Test func manyFieldsAndManyDocumentsTakeLinearTime() throws {
    let fields = (0..<30_000).map { "\"a.f\($0).c\": 1" }.joined(separator: ",")
    let writes = (0..<5000).map { "{\"set\": \"/a/b\($0)\", \"data\": {}}" }.joined(separator: ",")
    let start = ContinuousClock.now
    let (count, mistakes) = suite(
      "{\"as\": null, \"update\": \"/a/b\", \"data\": {\(fields)}, \"expect\": \"deny\"},"
        + "{\"as\": null, \"batch\": [\(writes)], \"expect\": \"deny\"}")
    #expect(count == 2)
    #expect(mistakes.isEmpty)
    // Seconds in a debug build; with a copy for each field it took minutes.
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func whatDoublesTimeAndAgainIsNotModelled() {
    let evaluator = ExpressionEvaluator(environment: nil, profile: .emulator)
    let long = "'" + String(repeating: "a", count: 10_000) + "'"
    let wide = "'" + String(repeating: "x", count: 10_000) + "'"
    for expression in [
      "\(long).replace('a', \(wide)).size()", "[\(long), 'b'].join(\(long).replace('a', \(wide)))",
      "\(long).replace('a', \(wide)) == 'a' || true",
    ] {
      guard case .error(let error, _) = evaluator.evaluate(expression) else {
        Issue.record("a value of 100 megabytes was computed")
        continue
      }
      #expect(error.reason.message == "UNSUPPORTED: the value is too large")
      #expect(error.isUnsupported && !error.isAbsorbable)
    }
  }
}
