import RulesEval
import RulesLang

// Who asks in the suites that `init` writes: alice may, mallory may not. The prover knows only that somebody
// asks; whom it calls mallory is called alice where the rules allow it.

extension Principal {
  /// Whether it is the user who is only ever denied.
  var isStranger: Bool {
    if case .string(SampleRequests.stranger) = uid { true } else { false }
  }
}

extension SuiteWriter {
  /// A request as tests, the best to read first: what is allowed is tried as a request of the user who may.
  static func drafts(
    named name: String, _ request: Request, on documents: Documents,
    expecting expected: Test.Expectation
  ) -> [JSON] {
    let json = test(name: name, request, on: documents, expect: expected)
    let isStranger = request.principal?.isStranger == true
    return isStranger && expected == .allow ? [json.swappingNames, json] : [json]
  }
}

extension JSON {
  /// A test in which the two users have changed places: as users, in paths, and in data.
  var swappingNames: JSON {
    switch kind {
    case .null, .bool, .number: return self
    case .string(let text): return JSON(.string(Self.swapping(text)))
    case .array(let elements): return JSON(.array(elements.map { $0.swappingNames }))
    case .object(let members):
      return JSON(
        .object(
          members.map { JSON.Member(Self.swapping($0.key), value: $0.value.swappingNames) }))
    }
  }

  private static func swapping(_ text: Text) -> Text {
    let names = [SampleRequests.user, SampleRequests.stranger]
    let parts = String(text).split(separator: "/", omittingEmptySubsequences: false)
    let swapped = parts.map { part -> String in
      guard let place = names.firstIndex(of: Text(String(part))) else { return String(part) }
      return String(names[1 - place])
    }
    return Text(swapped.joined(separator: "/"))
  }
}
