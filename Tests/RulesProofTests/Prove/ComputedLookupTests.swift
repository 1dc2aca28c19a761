import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesTesting

/// What is looked up at a path that a reference may be a part of: it is not followed where that leads, but
/// what is there can be read, and what can be read is there.
@Suite struct ComputedLookupTests {
  private static let path = "/databases/$(database)/documents/c/$(request.resource.data.ref)"

  private static func replaced(_ condition: String) -> String {
    condition.split(separator: "@", omittingEmptySubsequences: false).joined(separator: path)
  }

  @Test(arguments: [
    ("exists(@) && get(@).data.a == 1", "get(@).data.a == 1"),
    ("get(@).data.a == 1 && exists(@)", "get(@).data.a == 1"),
    ("existsAfter(@) && getAfter(@).data.a == 1", "getAfter(@).data.a == 1"),
    ("exists(@) && get(@) != null", "exists(@) && true"),
    ("!exists(@) && get(@).data.a == 1", "false"),
    ("exists(@) && get(@) == null", "false"),
    ("exists(@) ? get(@).data.a == 1 : false", "exists(@) && get(@).data.a == 1"),
  ])
  func whatIsThereIsWhatCanBeRead(_ old: String, _ new: String) throws {
    let effect = try Self.effect(old, new)
    guard case .nothing = effect else {
      Issue.record("\(effect)")
      return
    }
  }

  /// What is there before a commit says nothing of what is there after it, and null is nothing that is there.
  @Test(arguments: [
    ("existsAfter(@) && get(@).data.a == 1", "get(@).data.a == 1"),
    ("exists(@) && getAfter(@).data.a == 1", "getAfter(@).data.a == 1"),
    ("get(@) == null", "false"),
    ("get(@) == null || get(@).data.a == 1", "get(@).data.a == 1"),
    ("exists(@)", "true"),
    ("exists(@) && get(@).data.a == 1", "exists(@)"),
  ])
  func whatIsSomethingElseIsNotTakenForIt(_ old: String, _ new: String) throws {
    if case .nothing = try Self.effect(old, new) { Issue.record("taken for the same") }
  }

  /// A document that is missing is null to the write of a commit that is about it, and an error to the
  /// others.
  @Test func whatIsNullToOneWriteIsAnErrorToAnother() throws {
    let (documents, other) = ("/databases/$(database)/documents", "d/x")
    let reference = "get(\(documents)/conf/x).data.ref"
    let blocks = """
      match /c/{id} { allow update: if getAfter(\(documents)/\(other)).data.a == 1; }
      match /d/{id} {
        allow create: if get(\(reference)) == null && request.resource.data.a == 1;
      }
      """
    let asked = try Asked(
      blocks,
      #"""
      {"path": "/c/{id}", "methods": "update",
       "onlyIf": "exists(\#(documents)/\#(other)) || get(\#(reference)) == null"}
      """#)
    #expect(asked.verdicts[0].word != "proved")
    // The commit that shows it is granted.
    let suite = SourceText(
      name: "commit.suite.json",
      #"""
      {"documents": {"/c/1": {"z": 1}, "/conf/x": {"ref": {"$ref": "/d/x"}}},
       "tests": [{"as": {"uid": "a"}, "expect": "allow", "batch": [
         {"update": "/c/1", "data": {"z": 2}}, {"create": "/d/x", "data": {"a": 1}}]}]}
      """#)
    let read = try #require(SuiteReader.read(suite).suite)
    let result = Engine(asked.rules).run(
      try #require(read.tests.first), documents: read.documents, now: .epoch)
    #expect(result.isPassed, "\(result.failures)")
  }

  /// A document stands where a reference leads, if that lets a request through.
  @Test(arguments: [
    ("get", "get(resource.data.ref).data.owner == request.auth.uid"),
    ("get", "request.auth.uid in get(resource.data.ref).data.members"),
    ("get", "exists(resource.data.ref)"),
    ("get", "exists(resource.data.ref) && get(resource.data.ref).data.a == 1"),
    ("get", "get(resource.data.a).data.x == 1 && get(resource.data.b).data.x == 2"),
    ("get", "get(get(resource.data.ref).data.next).data.x == 1"),
    ("get", "get(resource.data.ref).data.x == 1 && exists(/databases/$(database)/documents/c/a)"),
    ("list", "get(resource.data.ref).data.x == request.auth.uid"),
    ("create", "get(request.resource.data.ref).data.x == request.resource.data.x"),
    ("update", "getAfter(request.resource.data.r).data.x == 1 && get(resource.data.r).data.x == 2"),
    ("update", "existsAfter(request.resource.data.ref)"),
    ("delete", "get(resource.data.ref).data.x.y > 2"),
  ])
  func whatIsToBeFoundIsThere(_ method: String, _ condition: String) throws {
    let asked = try Asked(
      "match /c/{id} { allow \(method): if \(condition); }",
      #"{"path": "/c/{id}", "methods": "\#(method)", "never": true}"#)
    #expect(asked.verdicts[0].word == "violated")
  }

  /// What no document can be is not found.
  @Test(arguments: [
    "!exists(resource.data.ref) && get(resource.data.ref).data.a == 1",
    "get(resource.data.ref).data.a == 1 && get(resource.data.ref).data.a == 2",
    "resource.data.ref is string && get(resource.data.ref).data.a == 1",
  ])
  func whatCannotBeFoundIsNot(_ condition: String) throws {
    let asked = try Asked(
      "match /c/{id} { allow get: if \(condition); }",
      #"{"path": "/c/{id}", "methods": "get", "never": true}"#)
    #expect(asked.verdicts[0].word == "proved")
  }

  /// The prover does not know that equal fields lead to the same document; the proof checker does.
  @Test func equalReferencesLeadToTheSameDocument() throws {
    let asked = try Asked(
      """
      match /c/{id} {
        allow get: if resource.data.a == resource.data.b && exists(resource.data.a) && !exists(resource.data.b);
      }
      """,
      #"{"path": "/c/{id}", "methods": "get", "never": true}"#)
    #expect(asked.verdicts[0].word == "proved")
  }

  private static func effect(_ old: String, _ new: String) throws -> EditEffect {
    let engines = try [old, new].map { condition in
      Engine(
        try Scripted.checked("match /c/{id} { allow write: if \(replaced(condition)); }"))
    }
    return RulesComparison(from: engines[0], to: engines[1]).effect()
  }
}
