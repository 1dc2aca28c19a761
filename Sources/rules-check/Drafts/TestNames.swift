import RulesEval
import RulesLang
import RulesProof

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
    _ request: Request, on documents: Documents, expecting expected: Test.Expectation
  ) -> [JSON] {
    let json = test(
      name: RequestSentence.name(request, on: documents, expect: expected), request,
      on: documents, expect: expected)
    guard request.principal?.isStranger == true, expected == .allow else { return [json] }
    return SampleRequests.users.map { user in
      json.swapping(SampleRequests.stranger, user).renamed {
        $0.swappingWords(String(SampleRequests.stranger), String(user))
      }
    } + [json]
  }
}

extension String {
  /// Returns the text with two words in each other's place.
  fileprivate func swappingWords(_ one: String, _ other: String) -> String {
    var text = ""
    var word = ""
    for character in self + " " {
      if character.isLetter || character.isNumber {
        word.append(character)
      } else {
        text += word == one ? other : word == other ? one : word
        text.append(character)
        word = ""
      }
    }
    return String(text.dropLast())
  }
}

extension JSON {
  /// Returns a test with another name, made of the present one.
  func renamed(_ change: (String) -> String) -> JSON {
    guard case .object(let members) = kind else { return self }
    return JSON(
      .object(
        members.map { member in
          guard member.key == "name", case .string(let name) = member.value.kind else {
            return member
          }
          return JSON.Member("name", value: JSON(.string(Text(change(String(name))))))
        }))
  }

  /// The name of a test.
  var testName: String {
    guard case .object(let members) = kind,
      case .string(let name)? = members.first(where: { $0.key == "name" })?.value.kind
    else { return "" }
    return String(name)
  }

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
