public import RulesLang

/// Writes tests as cases of Google's `projects.test` call, the inverse of `RulesTestFile`.
///
/// Sound: every written case is read back and decided on its own data, in the profile of that call; one with
/// another decision is left out, with the reason. Incomplete: queries, and values without a JSON form (bytes,
/// places, references, vectors, whole floats, texts that look like times), are left out.
public struct RulesTestWriter: Sendable {
  /// The cases made of tests.
  public struct Cases: Sendable {
    /// The cases, in order.
    public var cases: [JSONText] = []
    /// The tests that were left out, each with the reason, in a sentence.
    public var omissions: [String] = []

    /// Creates an empty list of cases.
    public init() {}
  }

  /// The reason why a test is left out.
  private struct Omission: Error {
    var reason: String
    /// The path of keys to the member that has no form, outermost first.
    var members: [String] = []

    /// The reason with the path: "…, in request.resource.data.price".
    var sentence: String {
      members.isEmpty ? reason : "\(reason), in \(members.joined(separator: "."))"
    }

    /// Returns the omission with one more key in front of its path.
    func inside(_ member: String) -> Omission {
      Omission(reason: reason, members: [member] + members)
    }
  }

  private let engine: Engine
  /// The engine that decides cases as the call does.
  private let referee: Engine

  /// Creates a writer of cases about an engine's rules; nil if the call would not accept these.
  public init?(_ engine: Engine) {
    let source = engine.rules.ruleset.source
    guard let checked = Checker.checkFirestore(source, profile: .testapi).checked else {
      return nil
    }
    self.engine = engine
    referee = Engine(checked, profile: .testapi)
  }

  /// Returns the body of a call.
  public static func body(
    of rules: SourceText, named name: String, _ cases: [JSONText]
  ) -> JSONText {
    let file = JSONText.object([
      ("name", .string(name)), ("content", .string(String(decoding: rules.bytes, as: UTF8.self))),
    ])
    return .object([
      ("source", .object([("files", .array([file]))])),
      ("testSuite", .object([("testCases", .array(cases))])),
    ])
  }

  /// Returns the cases of tests that run on some documents; `now` is the time of tests that set none.
  public func write(_ tests: [Test], on documents: Documents, now: Timestamp) -> Cases {
    var written = Cases()
    for test in tests {
      if case .steps(let steps) = test.subject {
        var run = StepRun(of: test, on: documents)
        for step in steps where run.goesOn {
          add(step, of: test, on: run.documents, now: now, to: &written)
          run.add(engine.run(step, documents: run.documents, now: now), at: step.time ?? now)
        }
      } else {
        add(test, of: test, on: documents, now: now, to: &written)
      }
    }
    return written
  }

  private func add(
    _ test: Test, of outer: Test, on documents: Documents, now: Timestamp, to written: inout Cases
  ) {
    do throws(Omission) {
      written.cases += try cases(of: test, on: documents, now: now)
    } catch {
      written.omissions.append("\(outer.title): \(error.sentence)")
    }
  }

  // MARK: Cases

  private func cases(
    of test: Test, on documents: Documents, now: Timestamp
  ) throws(Omission) -> [JSONText] {
    if let unsupported = test.unsupported { throw Omission(reason: unsupported) }
    switch test.subject {
    case .supplied(let access, let mocks):
      return [try written(access, mocks: mocks, expecting: test.expectation, isSupplied: true)]
    case .steps: throw Omission(reason: "steps inside a step")
    case .operation(.list): throw Omission(reason: "the call cannot express queries")
    case .operation(let operation):
      var stored = documents
      for (path, data) in test.documents { stored[path] = data }
      let request = Request(
        principal: test.principal, time: test.time ?? now, operation: operation)
      return try cases(of: request, on: stored, expecting: test.expectation)
    }
  }

  /// Returns a case for each document of a request that is expected to be allowed. For a request that is
  /// expected to be denied, returns one case: the document that the rules refuse.
  private func cases(
    of request: Request, on documents: Documents, expecting expectation: Test.Expectation
  ) throws(Omission) -> [JSONText] {
    let plan: Plan
    var lookups: Lookups
    let decision: Decision
    do throws(RequestProblem) {
      var made = try Plan(
        request, on: documents, in: engine.rules.database, profile: engine.profile)
      made.lookups.calls = []
      plan = made
      lookups = plan.lookups
      decision = try engine.decide(plan, with: &lookups, services: engine.services, tracing: false)
    } catch {
      switch error {
      case .unsupported(let what): throw Omission(reason: what)
      }
    }
    let mocks = self.mocks(lookups.calls ?? [])
    var accesses = plan.accesses
    if expectation == .deny, let refused = decision.accesses.last { accesses = [refused.access] }
    var cases: [JSONText] = []
    for access in accesses {
      let isGranted = decision.accesses.first { $0.access.path == access.path }?.isGranted
      let json = try written(access, mocks: mocks, expecting: expectation)
      if let isGranted, try self.isGranted(json) != isGranted {
        throw Omission(reason: "on what a case can supply, the rules decide differently")
      }
      cases.append(json)
    }
    return cases
  }

  private func mocks(_ calls: [Lookups.Call]) -> [FunctionMock] {
    var mocks: [FunctionMock] = []
    for call in calls {
      let (name, path) = (Builtins.entry(call.function).name, call.path.text)
      if mocks.contains(where: { $0.function == name && $0.path == path }) { continue }
      mocks.append(FunctionMock(function: name, path: path, result: call.answer))
    }
    return mocks
  }

  /// Reads a case back and decides it as the call does.
  private func isGranted(_ json: JSONText) throws(Omission) -> Bool {
    let body = JSONText.object([("testSuite", .object([("testCases", .array([json]))]))])
    let source = SourceText(name: "a case", body.compact)
    guard let test = RulesTestFile.read(source).file?.tests.first,
      case .supplied(let access, let mocks) = test.subject,
      let decision = try? referee.decide(access, mocks: mocks)
    else { throw Omission(reason: "a case of it cannot be read back") }
    return decision.isAllowed
  }

  /// Returns the case of one access. With `isSupplied`, for an access that such a case has supplied, all keys
  /// of `request` are written; else only those that the call knows.
  private func written(
    _ access: Access, mocks: [FunctionMock], expecting expectation: Test.Expectation,
    isSupplied: Bool = false
  ) throws(Omission) -> JSONText {
    guard case .map(let request) = access.request else {
      throw Omission(reason: "the request is not a map")
    }
    var members: [(String, JSONText)] = []
    for (key, value) in request {
      switch key {
      case RequestNames.path: members.append(("path", .string(try path(of: access))))
      case RequestNames.resource:
        members.append(("resource", try document(value, called: "request.resource")))
      default:
        // The engine knows more of a request than the call does.
        let isKnown = [RequestNames.auth, RequestNames.method, RequestNames.time].contains(key)
        if isKnown || isSupplied {
          members.append((String(key), try json(value, called: "request.\(String(key))")))
        }
      }
    }
    var parts: [(String, JSONText)] = [
      ("expectation", .string(expectation == .allow ? "ALLOW" : "DENY")),
      ("pathEncoding", .string("PLAIN")), ("request", .object(members)),
    ]
    if case .success(let resource) = access.resource, case .map = resource {
      parts.append(("resource", try document(resource, called: "resource")))
    }
    var answers: [JSONText] = []
    for mock in mocks { answers.append(try json(mock)) }
    if !answers.isEmpty { parts.append(("functionMocks", .array(answers))) }
    return .object(parts)
  }

  private func path(of access: Access) throws(Omission) -> String {
    var text = ""
    for step in access.path {
      guard case .segment(let segment) = step else {
        throw Omission(reason: "the call cannot express queries")
      }
      text += "/" + String(segment)
    }
    return text
  }

  private func json(_ mock: FunctionMock) throws(Omission) -> JSONText {
    let argument: (String, JSONText) =
      mock.path.map { ("exactValue", .string(String($0))) } ?? ("anyValue", .object([]))
    let result: (String, JSONText)
    if let value = mock.result {
      let path = mock.path.map { String($0) } ?? "…"
      result = ("value", try document(value, called: "\(String(mock.function))(\(path))"))
    } else {
      result = ("undefined", .object([]))
    }
    return .object([
      ("function", .string(String(mock.function))), ("args", .array([.object([argument])])),
      ("result", .object([result])),
    ])
  }

  // MARK: Values

  /// Returns a document as a case supplies it: its data, and its ID; other values as they are.
  private func document(_ value: Value, called name: String) throws(Omission) -> JSONText {
    guard case .map(let map) = value else { return try json(value, called: name) }
    do throws(Omission) {
      return try object(map.filter { $0.0 != RequestNames.name })
    } catch {
      throw error.inside(name)
    }
  }

  /// Returns the value of a member; an omission names the member.
  private func json(_ value: Value, called name: String) throws(Omission) -> JSONText {
    do throws(Omission) {
      return try json(value)
    } catch {
      throw error.inside(name)
    }
  }

  private func object(_ members: [(Text, Value)]) throws(Omission) -> JSONText {
    var written: [(String, JSONText)] = []
    for (key, value) in members {
      written.append((String(key), try json(value, called: String(key))))
    }
    return .object(written)
  }

  private func json(_ value: Value) throws(Omission) -> JSONText {
    switch value {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .int(let number):
      guard number.magnitude <= Self.greatestExact else {
        throw Omission(reason: "JSON's numbers are not exact at \(number)")
      }
      return .number("\(number)")
    case .float(let number):
      guard number.isFinite, number.rounded() != number else {
        throw Omission(reason: "the call would read the float \(number) differently")
      }
      return .number("\(number)")
    case .string(let text):
      guard Timestamp(rfc3339: text) == nil else {
        throw Omission(reason: "the call would read the text \"\(String(text))\" as a time")
      }
      return .string(String(text))
    case .timestamp(let time): return .string(time.description)
    case .list(let elements):
      var list: [JSONText] = []
      for element in elements { list.append(try json(element)) }
      return .array(list)
    case .map(let map): return try object(map.map { $0 })
    case .bytes, .latlng, .path, .vector, .set, .duration, .mapDiff, .constraint:
      throw Omission(reason: "JSON has no form for a value of type \(value.type.word)")
    }
  }

  /// The largest magnitude up to which all integers are exact as doubles, in which many programs read JSON
  /// numbers.
  private static let greatestExact: UInt64 = 1 << 53
}
