import FirestoreStore
import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// Coverage that is counted when somebody asks.
@Suite struct CoverageCounterTests {
  private static let rules = TestClient.whole(
    """
    match /a/{id} {
      allow get: if request.auth.uid == id || get(/databases/$(db)/documents/roles/$(id)).data.n > 1;
      allow write: if request.resource.data.n is int && resource == null;
    }
    """)

  private static func engine() throws -> Engine {
    let source = SourceText(name: "test.rules", rules)
    return Engine(try #require(Checker.check(source, database: .standard).checked))
  }

  /// A request that a seed chooses, on documents that it chooses, too.
  private static func draw(_ dice: inout Dice) -> (Request, Documents) {
    let names = ["alice", "bob", "carol"]
    func path(_ collection: String, _ id: String) -> DocumentPath {
      DocumentPath([Text(collection), Text(id)])
    }
    func number() -> MapValue { MapValue([("n", .int(Int64(dice.roll(4))))]) }
    let asker = names[dice.roll(3)]
    let id = names[dice.roll(3)]
    let stored = names.filter { _ in dice.chance(50) }.map { (path("roles", $0), number()) }
    let operation: Request.Operation =
      dice.chance(50)
      ? .get([path("a", id)]) : .commit([Write(to: path("a", id), .set(number(), mask: nil))])
    let principal = dice.chance(70) ? Principal(uid: Text(asker)) : nil
    return (Request(principal: principal, time: .epoch, operation: operation), Documents(stored))
  }

  @Test(arguments: [1, 3, 7, 2_048])
  func requestsThatWaitAreCountedAsIfAtOnce(_ mostWaiting: Int) throws {
    let engine = try Self.engine()
    var counter = CoverageCounter(mostWaiting: mostWaiting)
    var atOnce = RuleCoverage(engine.rules.ruleset)
    var dice = Dice(seed: 53)
    for _ in 0..<100 {
      let (request, documents) = Self.draw(&dice)
      counter.add(request, on: documents, by: engine, in: TestClient.id)
      atOnce.add(try engine.decide(request, on: documents, tracing: true), test: nil)
    }
    let asked = counter.coverage(of: TestClient.id)
    let counted = try #require(asked)
    #expect(counted.decisions == 100)
    #expect(counted.statements.map { $0.total } == atOnce.statements.map { $0.total })
    #expect(counted.statements.allSatisfy { $0.total > 0 })
    for (one, other) in zip(counted.expressions, atOnce.expressions) {
      #expect((one.trues, one.falses) == (other.trues, other.falses))
      #expect((one.values, one.errors) == (other.values, other.errors))
      #expect(one.samples.map { $0.count } == other.samples.map { $0.count })
      #expect(one.samples.allSatisfy { $0.tests.isEmpty })
    }
  }

  @Test func theDatabaseThatWasCountedFirstIsForgottenFirst() throws {
    let engine = try Self.engine()
    var counter = CoverageCounter(mostWaiting: 1, mostDatabases: 2)
    let ids = ["p", "q", "r"].map { DatabaseID(project: Text($0), database: .standard) }
    let request = Request(
      principal: nil, time: .epoch, operation: .get([DocumentPath(["a", "b"])]))
    for id in ids { counter.add(request, on: Documents(), by: engine, in: id) }
    #expect(ids.map { counter.coverage(of: $0)?.decisions } == [nil, 1, 1])
    counter.forget { $0 == ids[1] }
    #expect(ids.map { counter.coverage(of: $0)?.decisions } == [nil, nil, 1])
  }

  @Test func documentsOfRequestsAreThoseOfTheirTime() {
    var client = TestClient(
      rules: "match /a/{id} { allow get: if resource.data.x == 1; allow write: if false; }"
    ) { configuration in
      configuration.keepsDecisions = false
      configuration.coverageReport = { _, coverage, _ in
        "\(coverage.statements[0].granted) \(coverage.statements[0].refused)"
      }
    }
    let target = "/emulator/v1/projects/demo:ruleCoverage"
    client.commit(TestClient.set("a/b", [("x", .int(1))]))
    _ = client.get(as: nil, "a/b")
    client.commit(TestClient.set("a/b", [("x", .int(2))]))
    _ = client.get(as: nil, "a/b")
    _ = client.get(as: nil, "a/b")
    #expect(client.server.hasUncounted)
    client.server.countCoverage()
    #expect(!client.server.hasUncounted)
    #expect(client.http("GET", target).body == "1 2")
    #expect(client.server.takeDecisions().isEmpty)
  }
}
