import RulesEval
import RulesLang

// The users in the suites that `init` writes: alice is allowed, mallory is not. The prover only knows that a
// user asks. A user that it calls mallory is called alice where the rules allow the request, or bob, carol
// and so on where alice is denied. Mallory is allowed where the rules, or the documents of the suite, name
// mallory.

extension Principal {
  /// True if it is the user who is never allowed anything.
  var isStranger: Bool {
    if case .string(SampleRequests.stranger) = uid { true } else { false }
  }
}

extension SampleRequests {
  /// The users who may have access, in the order in which they are tried.
  static var users: [Text] { [user] + others }
}

extension SampleRequests.Sample {
  /// Returns a request of the stranger as a request of a user to whom the rules also allow it.
  ///
  /// - Parameters:
  ///   - engine: The engine that decides.
  ///   - isWanted: True if an allowed request is suitable.
  /// - Returns: The request; nil if it is not the stranger's, or allowed to none of the users.
  func allowedToUsers(
    by engine: Engine, where isWanted: (Self) -> Bool = { _ in true }
  ) -> Self? {
    guard request.principal?.isStranger == true else { return nil }
    let json = SuiteWriter.test(name: "", request, on: documents, expect: .allow)
    for name in SampleRequests.users {
      guard let sample = Self(json.swapping(SampleRequests.stranger, name), allowedBy: engine),
        isWanted(sample)
      else { continue }
      return sample
    }
    return nil
  }

  /// Creates the request of a test; nil if it is not allowed.
  private init?(_ json: JSON, allowedBy engine: Engine) {
    let suite = JSON(.object([JSON.Member("tests", value: JSON(.array([json])))]))
    let (read, _) = SuiteReader.read(
      suite, in: SourceText(name: "the suite", ""), database: engine.rules.database)
    guard let test = read?.tests.first, case .operation(let operation) = test.subject,
      let time = test.time,
      engine.run(test, documents: Documents(), now: time).decision?.isAllowed == true
    else { return nil }
    let documents = Documents(test.documents)
    self.init(
      request: Request(
        principal: test.principal, time: time,
        operation: operation.writingWhole(on: documents, at: time)),
      documents: documents)
  }
}

extension Request.Operation {
  /// Returns the request with each write replaced by the whole document after it; a request that is read from
  /// a test names only the changes.
  fileprivate func writingWhole(on documents: Documents, at time: Timestamp) -> Self {
    guard case .commit(let writes) = self else { return self }
    return .commit(
      writes.map { write in
        guard let after = write.apply(to: documents[write.path], time: time) else { return write }
        return Write(to: write.path, .set(after, mask: nil), precondition: write.precondition)
      })
  }
}

extension SuiteWriter {
  /// Returns a request in forms of tests, the most readable first: an allowed one is also tried as a request
  /// of the users who may have access.
  static func drafts(
    named name: String, _ request: Request, on documents: Documents,
    expecting expected: Test.Expectation
  ) -> [JSON] {
    let json = test(name: name, request, on: documents, expect: expected)
    guard request.principal?.isStranger == true, expected == .allow else { return [json] }
    return SampleRequests.users.map { json.swapping(SampleRequests.stranger, $0) } + [json]
  }
}

extension JSON {
  /// Returns a test in which two users have changed places: as clients, in paths, and in data.
  func swapping(_ one: Text, _ other: Text) -> JSON {
    switch kind {
    case .null, .bool, .number: return self
    case .string(let text): return JSON(.string(Self.swapping(one, other, in: text)))
    case .array(let elements): return JSON(.array(elements.map { $0.swapping(one, other) }))
    case .object(let members):
      return JSON(
        .object(
          members.map {
            JSON.Member(
              Self.swapping(one, other, in: $0.key), value: $0.value.swapping(one, other))
          }))
    }
  }

  private static func swapping(_ one: Text, _ other: Text, in text: Text) -> Text {
    let parts = String(text).split(separator: "/", omittingEmptySubsequences: false)
    let swapped = parts.map { part -> String in
      let name = Text(String(part))
      return name == one ? String(other) : name == other ? String(one) : String(part)
    }
    return Text(swapped.joined(separator: "/"))
  }
}
