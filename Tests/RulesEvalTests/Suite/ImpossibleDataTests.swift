import RulesEval
import RulesLang
import Testing

/// Suites with data that cannot be are warned of, wherever it stands. What the warnings look like is
/// shown by the cases `test-impossible-data` and `test-impossible-formats`.
@Suite struct ImpossibleDataTests {
  private func source(_ text: String) -> SourceText { SourceText(name: "x.suite.json", text) }

  /// The texts that warnings are about.
  private func marked(_ warnings: [Diagnostic], in source: SourceText) -> [String] {
    // Who asks is another matter.
    warnings.filter { $0.code == .impossibleData }
      .map { $0.range.map { source.string($0) } ?? "" }
  }

  @Test func whatCanBeIsNotWarnedOf() throws {
    let source = source(
      """
      {"rules": "x", "users": {"u": {"uid": "u", "token": {"a": [[1.0], -0.0], "": {"__x__": 0.5}}}},
      "documents": {"/c/__id5__": {"a.b": {"$float": "NaN"}, "__": [{"l": [1]}]}},
      "tests": [{"as": "u", "update": "/c/__id5__", "expect": "allow",
        "data": {"`a.b`.c": [], "t": {"$serverTimestamp": true}, "d": {"$delete": true}}},
        {"list": "/c", "query": {"where": [["__name__", "in", ["a"]]], "orderBy": ["__name__"]},
        "expect": "deny"}]}
      """)
    let (suite, diagnostics) = SuiteReader.read(source)
    #expect(diagnostics.isEmpty)
    #expect(marked(try #require(suite).warnings, in: source) == [])
  }

  @Test func theInnermostPartIsNamed() throws {
    let source = source(
      """
      {"rules": "x", "documents": {"/c/a": {"l": [{"m": {"k": [[1]]}}]}},
      "tests": [{"set": "/c/b", "data": {"a": 1, "b.c": {"__d__": 1}}, "expect": "deny"},
        {"update": "/c/b", "data": {"a": 1, "b.c": {"__d__": 1}}, "expect": "deny"},
        {"update": "/c/b", "data": {"b.__e__.f": 1}, "expect": "deny"}]}
      """)
    let warnings = try #require(SuiteReader.read(source).suite).warnings
    let texts = marked(warnings, in: source)
    #expect(texts == ["\"k\"", "\"__d__\"", "\"__d__\"", "\"b.__e__.f\""])
  }

  @Test func aSuiteThatIsReadInPortionsIsWarnedOfLikeAWhole() throws {
    let tests = (0..<1300).map { number in
      number % 400 == 3
        ? "{\"create\": \"/c/\(number)\", \"data\": {\"\": 1}, \"as\": null, \"expect\": \"deny\"}"
        : "{\"get\": \"/c/\(number)\", \"as\": null, \"expect\": \"deny\", \"name\": \"it is long\"}"
    }
    let source = source(
      "{\"rules\": \"x\", \"documents\": {\"/c/..\": {}}, \"tests\": [\(tests.joined(separator: ","))]}"
    )
    guard case .stream(let stream) = SuiteText(source, streaming: true).content else {
      Issue.record("the suite is read as a whole")
      return
    }
    let portions = try (0..<stream.portionCount).flatMap { try #require(stream.read($0)).warnings }
    let whole = try #require(SuiteReader.read(source).suite).warnings
    #expect(whole.count == 5)
    #expect((stream.suite.warnings + portions).map(\.range) == whole.map(\.range))
  }

  @Test func whatIsLargerThanADocumentIsNamed() throws {
    let (longest, half) = (
      String(repeating: "x", count: 1_048_487), String(repeating: "x", count: 600_000)
    )
    let umlauts = String(repeating: "\u{E4}", count: 600_000)
    let source = source(
      """
      {"rules": "x", "documents": {"/c/a": {"fits": "\(longest)"}, "/c/b": {"long": "\(longest)y"}},
      "tests": [{"set": "/c/c", "data": {"long": "\(umlauts)"}, "expect": "deny"},
        {"update": "/c/d", "data": {"a.b": "\(half)", "l": ["\(half)"]}, "expect": "deny"}]}
      """)
    let warnings = try #require(SuiteReader.read(source).suite).warnings
    let texts = marked(warnings, in: source).map { String($0.prefix(6)) }
    #expect(texts == ["\"long\"", "\"long\"", "{\"a.b\""])
    #expect(
      warnings.map(\.message).filter { $0.contains("bytes") } == [
        "no field has a text or bytes of more than 1048487 bytes",
        "no field has a text or bytes of more than 1048487 bytes",
        "no document has more than 1048576 bytes: the names, texts and bytes of this one alone have "
          + "1200003",
      ])
  }

  @Test func thereAreNotEndlesslyManyWarnings() throws {
    let fields = (0..<500).map { "\"/c/\($0)\": {\"\": 1}" }.joined(separator: ",")
    let source = source("{\"rules\": \"x\", \"documents\": {\(fields)}, \"tests\": []}")
    let warnings = try #require(SuiteReader.read(source).suite).warnings
    #expect(warnings.count == 101)
    #expect(warnings.last?.code == .tooManyErrors)
  }
}
