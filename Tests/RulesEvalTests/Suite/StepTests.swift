import RulesEval
import RulesLang
import Testing

/// Tests with steps: what carries over from one request to the next.
@Suite struct StepTests {
  private static let rules = """
    service cloud.firestore {
      match /databases/{database}/documents {
        match /counters/{id} {
          allow create: if request.resource.data.n == 0;
          allow update: if request.resource.data.n == resource.data.n + 1
                        && request.resource.data.at > resource.data.at;
          allow delete: if resource.data.n >= 2;
          allow get: if resource != null;
        }
      }
    }
    """

  private static let suite = """
    { "time": "2025-01-01T00:00:00Z",
      "tests": [ { "steps": [
        { "create": "/counters/a", "data": { "n": 0, "at": { "$serverTimestamp": true } }, "expect": "allow" },
        { "delete": "/counters/a", "expect": "deny" },
        { "update": "/counters/a", "data": { "n": { "$increment": 1 }, "at": { "$serverTimestamp": true } }, "expect": "deny" },
        { "time": "2025-01-01T00:00:01Z",
          "update": "/counters/a", "data": { "n": { "$increment": 1 }, "at": { "$serverTimestamp": true } }, "expect": "allow" },
        { "time": "2025-01-01T00:00:02Z",
          "batch": [ { "update": "/counters/a", "data": { "n": { "$increment": 1 }, "at": { "$serverTimestamp": true } } },
                     { "create": "/counters/b", "data": { "n": 0 } } ], "expect": "allow" },
        { "get": "/counters/b", "expect": "allow" },
        { "delete": "/counters/a", "expect": "allow" },
        { "get": "/counters/a", "expect": "deny" } ] } ] }
    """

  private func read() throws -> (engine: Engine, test: RulesEval.Test, now: Timestamp) {
    let checked = try #require(Checker.check(SourceText(name: "a.rules", Self.rules)).checked)
    let (suite, diagnostics) = SuiteReader.read(SourceText(name: "a.suite.json", Self.suite))
    #expect(diagnostics.isEmpty)
    let now = try #require(Timestamp(rfc3339: "2025-06-01T00:00:00Z"))
    return (Engine(checked, profile: .emulator), try #require(suite?.tests.first), now)
  }

  @Test func whatAStepWritesIsWhatTheNextFinds() throws {
    let (engine, test, now) = try read()
    let result = engine.run(test, documents: Documents(), now: now)
    #expect(result.failures == [])
    #expect(result.steps.count == 8)
  }

  @Test func theMachineSaysTheSameOfEachStep() throws {
    let (engine, test, now) = try read()
    var machine = Machine(Program(engine.rules), profile: .emulator)
    let theirs = machine.run(test, documents: Documents(), now: now)
    let ours = engine.run(test, documents: Documents(), now: now)
    #expect(theirs.failures == ours.failures)
    #expect(
      theirs.steps.map { $0.decision?.isAllowed } == ours.steps.map { $0.decision?.isAllowed })
  }

  @Test func aCommitIsAppliedAsAWholeOrNotAtAll() throws {
    let now = try #require(Timestamp(rfc3339: "2025-06-01T00:00:00Z"))
    let (one, two) = (try #require(DocumentPath("/a/1")), try #require(DocumentPath("/a/2")))
    let data = MapValue([("x", .int(1))])
    var documents = Documents([(one, data)])
    let refused = documents.commit(
      [Write(to: one, .delete), Write(to: two, .set(data, mask: nil), precondition: .exists)],
      at: now)
    #expect(refused?.path == two)
    #expect(documents.all.map(\.path) == [one])
    #expect(
      documents.commit(
        [
          Write(to: one, .delete), Write(to: two, .set(data, mask: nil), precondition: .missing),
          Write(to: two, .set(data, mask: []), precondition: .exists),
        ], at: now) == nil)
    #expect(documents.all.map(\.path) == [two])
  }
}
