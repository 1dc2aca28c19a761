import RulesCheck
import RulesPage
import RulesSolver
import Testing

@testable import RulesEval
@testable import RulesLang
@testable import RulesProofReport
@testable import RulesService
@testable import RulesTesting

/// One suite gives the same results wherever it is run: by `test` and `prove`, on the page, in the editor and
/// by the library.
@Suite struct SuiteDoorsTests {
  /// The results of a suite: for each test and claim a line, in the order of the suite.
  private struct Results: Equatable {
    var tests: [String] = []
    var claims: [String] = []
  }

  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /d/{x} {
          allow get: if !('locked' in resource.data);
          allow update: if request.resource.data.diff(resource.data).affectedKeys().hasOnly(['locked']);
        }
        match /own/{uid} {
          allow get: if request.auth.uid == uid;
          allow create: if request.resource.data.owner == request.auth.uid;
          allow update: if request.resource.data.owner == resource.data.owner;
        }
        match /logs/{id} { allow read: if database == 'prod'; }
      }
    }

    """

  private static let suite = """
    { "rules": "app.rules",
      "time": "2026-01-01T00:00:00Z",
      "users": { "alice": "alice" },
      "documents": { "/d/x": { "locked": true } },
      "tests": [
        { "name": "own", "as": "alice", "get": "/own/alice", "expect": "allow" },
        { "name": "wrong", "as": "alice", "get": "/own/bob", "expect": "allow" },
        { "name": "line", "as": "alice", "get": "/own/alice", "expect": "allow", "line": 99 },
        { "name": "unmodelled", "as": null, "list": "/own", "query": { "limit": -1 }, "expect": "deny" },
        { "name": "steps", "steps": [
          { "as": "alice", "update": "/d/x", "data": { "locked": { "$delete": true } }, "expect": "allow" },
          { "as": "alice", "get": "/d/x", "expect": "allow" },
          { "as": null, "get": "/own/alice", "expect": "allow" } ] },
        { "name": "log", "as": null, "get": "/logs/l", "expect": "deny" } ],
      "claims": [
        { "name": "held", "path": "/own/{u}", "methods": "get", "onlyIf": "request.auth.uid == u" },
        { "name": "broken", "path": "/own/{u}", "methods": "create", "never": true },
        { "name": "as expected", "path": "/own/{u}", "methods": "create", "never": true,
          "expect": "violated" },
        { "name": "kept", "path": "/own/{u}",
          "keeps": "resource.data.owner == 'alice'" },
        { "name": "nothing", "path": "/none/{u}", "never": true, "expect": "vacuous" },
        { "name": "empty", "path": "/none/{u}", "never": true },
        { "name": "misspelt", "path": "/own/{u}", "writes": ["ownr"], "never": true,
          "expect": "violated" },
        { "name": "stored", "path": "/d/{x}", "methods": "get",
          "onlyIf": "!('locked' in resource.data)", "through": "any" },
        { "name": "elsewhere", "database": "prod", "path": "/logs/{l}", "methods": "get",
          "never": true },
        { "name": "here", "path": "/logs/{l}", "methods": "get", "never": true } ] }

    """

  /// The results in a report of `test` or `prove`.
  private static func results(_ report: JSON?) throws -> Results {
    var results = Results()
    for suite in try #require(report)["suites"]?.elements ?? [] {
      for test in suite["tests"]?.elements ?? [] {
        let failures = test["failures"]?.elements.compactMap(\.string) ?? []
        results.tests.append(line(test["name"]?.string, failures))
      }
      for claim in suite["claims"]?.elements ?? [] {
        let notes = claim["notes"]?.elements.compactMap(\.string) ?? []
        results.claims.append(
          line(claim["name"]?.string, [claim["verdict"]?.string ?? ""] + notes)
            + (claim["passed"]?.isTrue == true ? "" : "!"))
      }
    }
    return results
  }

  private static func line(_ name: String?, _ words: [String]) -> String {
    "\(name ?? "?"): " + words.joined(separator: "; ")
  }

  private static func program(_ command: String) throws -> Results {
    let run = try CommandLineCase(
      "$ rules-check \(command) --format json app.suite.json\n"
        + "%%% file app.rules\n\(rules)%%% file app.suite.json\n\(suite)"
    ).run()
    return try results(try report(in: run))
  }

  /// The report that a command printed; times are replaced by `N` there.
  private static func report(in run: CommandLineCase.Result) throws -> JSON {
    let text = run.output.split(separator: "\"milliseconds\": N").joined(
      separator: "\"milliseconds\": 0")
    return try JSONParser.parse(SourceText(name: "report", text))
  }

  private static func page(_ task: String) throws -> Results {
    var service = PageService(clock: { 0 }, progress: { _, _ in })
    let request = JSONText.object([
      ("do", .string(task)), ("rules", .string(rules)), ("suite", .string(suite)),
    ])
    let answer = service.answer(Array(request.compact.utf8))
    return try results(try JSONParser.parse(SourceText(name: "answer", answer))["report"])
  }

  private static func editor() throws -> Results {
    let text = SourceText(name: "app.suite.json", suite)
    let run = try edited(text)
    var results = Results()
    let names = try #require(SuiteReader.read(text).suite).tests.map(\.displayName)
    results.tests = zip(names, run.tests).map { line($0, $1.failures) }
    #expect(run.tests.count == names.count)
    results.claims = run.claims.map {
      line($0.claim.name, [$0.word] + $0.notes) + ($0.isPassed ? "" : "!")
    }
    return results
  }

  private static func edited(
    _ text: SourceText, deployed: [DatabaseName] = []
  ) throws -> SuiteRun {
    let checked = try #require(
      Checker.checkFirestore(SourceText(name: "app.rules", rules)).checked)
    var run = try #require(
      SuiteRun(
        testsIn: text, about: checked, deployed: deployed, profile: .emulator, now: .epoch))
    run.decideClaims(
      in: text, about: checked, deployed: deployed, profile: .emulator,
      within: { Budget(steps: Budget.questionSteps) })
    #expect(run.refusals.isEmpty)
    return run
  }

  @Test func aSuiteGivesTheSameWhereverItIsRun() throws {
    let tested = try Self.program("test")
    #expect(tested.tests.count == 6 && tested.claims.count == 10)
    let passed = tested.tests.filter { $0.hasSuffix(": ") }
    #expect(passed == ["own: ", "log: "])
    let words = tested.claims.map { claim in
      claim.split(separator: " ").drop { !$0.hasSuffix(":") }.dropFirst().first.map { word in
        word.filter { $0.isLetter }
      }
    }
    #expect(
      words == [
        "proved", "violated", "violated", "violated", "vacuous", "vacuous", "violated", "violated",
        "proved", "violated",
      ])
    #expect(tested.claims.contains { $0.hasPrefix("misspelt") && $0.contains("ownr") })
    let proved = try Self.program("prove")
    #expect(proved == Results(claims: tested.claims))
    #expect(try Self.page("test") == Results(tests: tested.tests))
    #expect(try Self.page("prove") == proved)
    #expect(try Self.editor() == tested)
  }

  /// Rules that `firebase.json` deploys to two databases, and that can tell these apart.
  @Test func programAndEditorRunASuiteForEachDatabaseOfItsRules() throws {
    let suite = """
      { "rules": "app.rules",
        "tests": [{ "name": "log", "as": null, "get": "/logs/l", "expect": "deny" }],
        "claims": [{ "name": "shut", "path": "/logs/{l}", "methods": "get", "never": true }] }

      """
    let project = """
      { "firestore": [{ "database": "(default)", "rules": "app.rules" },
        { "database": "prod", "rules": "app.rules" }] }

      """
    let run = try CommandLineCase(
      "$ rules-check test --format json app.suite.json\n%%% file firebase.json\n\(project)"
        + "%%% file app.rules\n\(Self.rules)%%% file app.suite.json\n\(suite)"
    ).run()
    let tested = try Self.results(try Self.report(in: run))
    #expect(tested.tests.map { $0 == "log: " } == [true, false])
    #expect(tested.claims.map { $0.hasPrefix("shut: proved") } == [true, false])
    let edited = try Self.edited(
      SourceText(name: "app.suite.json", suite), deployed: [.standard, DatabaseName("prod")])
    #expect(
      edited.tests.map(\.name) == [
        "log in (default)", "log in prod",
      ])
    #expect(edited.tests.map(\.failures.isEmpty) == [true, false])
    #expect(edited.claims.map(\.word) == ["proved", "violated"])
  }

  @Test func theLibrarySaysOfASuiteWhatTheProgramSays() throws {
    let tested = try Self.program("test")
    let result = try Rules(Self.rules, file: "app.rules").run(
      suite: Self.suite, file: "app.suite.json")
    #expect(!result.isPassed && result.tests == 6 && result.claims == 10)
    let run = try CommandLineCase(
      "$ rules-check test --quiet app.suite.json\n"
        + "%%% file app.rules\n\(Self.rules)%%% file app.suite.json\n\(Self.suite)"
    ).run()
    func plain(_ text: String) -> [Substring] {
      text.split(separator: "\n").filter { !$0.hasSuffix(" ms)") }
    }
    #expect(plain(result.description) == plain(run.output))
    #expect(
      tested.tests.filter { !$0.hasSuffix(": ") }.allSatisfy { test in
        result.description.contains(test.prefix { $0 != ":" })
      })
  }
}
