public import RulesLang

/// The body of Google's `projects.test` call: rules and test cases in one JSON text.
///
/// A case is evaluated on its own data alone: `request` and `resource` have the keys that are written and no
/// others, and lookups answer from mocks (Docs/Language.md §16).
public struct RulesTestFile: Sendable {
  /// The rules, if the file contains them.
  public var rules: Text?
  /// The name of the rules in the file.
  public var rulesName: Text?
  /// The cases as tests.
  public var tests: [Test]

  /// Parses a body; nil, with reports, if something in it is wrong.
  public static func read(
    _ source: SourceText
  ) -> (file: RulesTestFile?, diagnostics: [Diagnostic]) {
    var reader = SuiteReader(in: .standard)
    let file: RulesTestFile?
    do throws(JSONProblem) {
      file = reader.rulesTest(try JSONParser.parse(source))
    } catch {
      reader.report(error.message, at: error.range)
      file = nil
    }
    return (reader.diagnostics.isEmpty ? file : nil, reader.diagnostics.sortedByPlace())
  }
}

extension SuiteReader {
  fileprivate mutating func rulesTest(_ json: JSON) -> RulesTestFile? {
    guard let object = object(json, as: "a rules test", known: ["name", "source", "testSuite"])
    else {
      return nil
    }
    var file = RulesTestFile(tests: [])
    if let source = object["source"] { readSource(source, into: &file) }
    guard let suite = object["testSuite"],
      let cases = self.object(suite, as: "testSuite", known: ["testCases"])?["testCases"]
    else {
      report("the test suite has no \"testCases\"", at: json.range)
      return nil
    }
    for (index, element) in (array(cases, as: "testCases") ?? []).enumerated() {
      if let test = testCase(element, number: index + 1) { file.tests.append(test) }
    }
    return file
  }

  private mutating func readSource(_ json: JSON, into file: inout RulesTestFile) {
    guard let files = object(json, as: "source", known: ["files", "language"])?["files"],
      let elements = array(files, as: "files")
    else { return }
    guard elements.count == 1 else {
      return report("a Firestore ruleset is one file, these are \(elements.count)", at: files.range)
    }
    let known = ["name", "content", "fingerprint"]
    guard let object = object(elements[0], as: "a file", known: known) else { return }
    file.rules = object["content"].flatMap { string($0, as: "content") }
    file.rulesName = object["name"].flatMap { string($0, as: "name") }
  }

  private static let caseKeys = [
    "expectation", "request", "resource", "functionMocks", "pathEncoding",
    "expressionReportLevel",
  ]

  private mutating func testCase(_ json: JSON, number: Int) -> Test? {
    guard let object = object(json, as: "a test case", known: Self.caseKeys),
      let request = object["request"]
    else {
      report("the test case has no \"request\"", at: json.range)
      return nil
    }
    guard let expectation = rulesExpectation(object) else { return nil }
    var isEncoded = true
    if let encoding = object["pathEncoding"], let word = string(encoding, as: "pathEncoding") {
      isEncoded = word != "PLAIN"
    }
    guard let supplied = suppliedRequest(request, isEncoded: isEncoded) else { return nil }
    var resource: Result<Value, EvaluationError.Reason> = .failure(.nullValue)
    if let given = object["resource"] { resource = .success(suppliedValue(given)) }
    let access = Access(
      method: supplied.method, path: supplied.path.map { .segment($0) }, request: supplied.value,
      resource: resource, document: nil)
    let mocks = object["functionMocks"].map { functionMocks($0) } ?? []
    return Test(
      name: "case \(number): \(supplied.method.word) \(access.pathText)", groups: [],
      principalName: supplied.uid, documents: [], subject: .supplied(access, mocks),
      principal: nil, time: nil, verb: supplied.method.word, path: access.pathText,
      expectation: expectation, expectedLine: nil, expectsErrors: nil, unsupported: nil,
      range: json.range)
  }

  private mutating func rulesExpectation(_ object: Object) -> Test.Expectation? {
    guard let json = object["expectation"], let word = string(json, as: "expectation") else {
      report("the test case has no \"expectation\"", at: object.range)
      return nil
    }
    switch word {
    case "ALLOW": return .allow
    case "DENY": return .deny
    default:
      report("expectation is ALLOW or DENY, this is \"\(String(word))\"", at: json.range)
      return nil
    }
  }

  private struct Supplied {
    var method: Method
    var path: [Text]
    var value: Value
    var uid: String?
  }

  private mutating func suppliedRequest(_ json: JSON, isEncoded: Bool) -> Supplied? {
    guard case .object(let members) = json.kind else {
      report("request is an object, this is \(json.kindName)", at: json.range)
      return nil
    }
    var map = MapValue()
    var method: Method?
    var path: [Text]?
    for member in members {
      switch member.key {
      case "method":
        guard let word = string(member.value, as: "method") else { return nil }
        method = Method.allCases.first { Text($0.word) == word }
        map[member.key] = .string(word)
      case "path":
        guard let text = string(member.value, as: "path") else { return nil }
        path = Self.segments(text, isEncoded: isEncoded)
        map[member.key] = .path(PathValue(plain: path ?? []))
      default: map[member.key] = suppliedValue(member.value)
      }
    }
    guard let method, let path else {
      report("the request needs a \"method\" and a \"path\"", at: json.range)
      return nil
    }
    var uid: String?
    if case .map(let auth) = map["auth"], case .string(let text) = auth["uid"] {
      uid = String(text)
    }
    return Supplied(method: method, path: path, value: .map(map), uid: uid)
  }

  private static func segments(_ text: Text, isEncoded: Bool) -> [Text] {
    text.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true).map {
      isEncoded ? Text(urlDecoding: $0) : Text(wellFormed: Array($0))
    }
  }

  /// Reads a value of the test format: plain JSON, where a string in the form of a time is a timestamp.
  private mutating func suppliedValue(_ json: JSON) -> Value {
    switch json.kind {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .number(let text):
      // The format's numbers are floats; those without a fraction are ints to the rules.
      if let number = Int64(text) { return .int(number) }
      let number = Double(text) ?? .nan
      return Int64(exactly: number).map { .int($0) } ?? .float(number)
    case .string(let text):
      if let time = Timestamp(rfc3339: text) { return .timestamp(time) }
      return .string(text)
    case .array(let elements): return .list(elements.map { suppliedValue($0) })
    case .object(let members):
      var map = MapValue()
      for member in members { map[member.key] = suppliedValue(member.value) }
      return .map(map)
    }
  }

  private mutating func functionMocks(_ json: JSON) -> [FunctionMock] {
    guard let elements = array(json, as: "functionMocks") else { return [] }
    return elements.compactMap { functionMock($0) }
  }

  private mutating func functionMock(_ json: JSON) -> FunctionMock? {
    let known = ["function", "args", "result"]
    guard let object = object(json, as: "a function mock", known: known),
      let function = object["function"], let name = string(function, as: "function")
    else { return nil }
    var mock = FunctionMock(function: name, path: nil, result: nil)
    if let arguments = object["args"], let first = array(arguments, as: "args")?.first,
      let argument = self.object(first, as: "an argument", known: ["exactValue", "anyValue"]),
      let exact = argument["exactValue"]
    {
      mock.path = string(exact, as: "exactValue")
    }
    if let result = object["result"],
      let value = self.object(result, as: "a result", known: ["value", "undefined"])?["value"]
    {
      mock.result = suppliedValue(value)
    }
    return mock
  }
}
