import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesEval
@testable import RulesProof
@testable import RulesTesting

/// Statements that no request gets to, since those before them evaluate more than one may.
@Suite struct BeyondLimitTests {
  /// Evaluates 65 expressions whatever comes of it.
  private static func isListed(_ field: String) -> String {
    "resource.data.\(field) in [\((0..<60).map { "'\($0)'" }.joined(separator: ", "))]"
  }

  /// Statements that evaluate 66 expressions if they do not grant, and 72 if they do.
  private static func engine(_ numbers: [Int]) throws -> Engine {
    let statements = numbers.map {
      "allow get: if \(isListed("a\($0)")) && resource.data.n == \($0);"
    }
    return Engine(
      try Scripted.checked("match /c/{id} {\n\(statements.joined(separator: "\n"))\n}"))
  }

  private static func isAllowed(_ number: Int, by engine: Engine) throws -> Bool {
    let path = DocumentPath(["c", "d"])
    // The first operands of all others are false, so that these cost little.
    var stored = MapValue([("n", .int(Int64(number)))])
    for other in 0..<20 { stored[Text("a\(other)")] = .string(other == number ? "0" : "x") }
    return try engine.decide(
      Request(principal: nil, time: .epoch, operation: .get([path])),
      on: Documents([(path, stored)])
    ).isAllowed
  }

  /// What a request evaluates is never less than the least cost of the statements that are tried for it.
  @Test func noRequestCostsLess() throws {
    let world = TinyWorld()
    var (asked, exact) = (0, 0)
    for seed in Wanted.seed("RULES_CHECK_SEED")..<Wanted.seed("RULES_CHECK_SEED")
      + UInt64(Wanted.cases(8, of: 60))
    {
      var maker = PairMaker(seed: seed)
      for text in [maker.pair().old, maker.pair().new] {
        let checked = Checker.check(SourceText(name: "r.rules", text)).checked
        let engine = Engine(try #require(checked))
        var costs = LeastCost(engine.rules)
        for (_, request, documents) in world.requests {
          guard
            let prepared = try? PreparedRequest(
              request, on: documents, in: .standard, profile: .emulator),
            let decision = try? engine.decide(prepared)
          else { continue }
          let least = decision.tried.enumerated().reduce(0) { sum, tried in
            let isLast = decision.isAllowed && tried.offset == decision.tried.count - 1
            return sum + costs.expressions(of: tried.element.allow, granting: isLast)
          }
          #expect(decision.expressions >= least, "seed \(seed)\n\(text)")
          asked += 1
          if decision.expressions == least { exact += 1 }
        }
      }
    }
    #expect(asked > Wanted.cases(100, of: 1000) && exact > asked / 10, "\(asked) \(exact)")
  }

  @Test(.long) func whatIsNeverReachedIsFound() throws {
    let engine = try Self.engine(Array(0..<17))
    var costs = LeastCost(engine.rules)
    let found = costs.beyondLimit()
    #expect(found.map { $0.allow } == [AllowID(15), AllowID(16)])
    for number in 0..<17 {
      #expect(try Self.isAllowed(number, by: engine) == (number < 15), "\(number)")
    }
    var search = RedundancySearch(engine)
    let report = search.run()
    let beyond = report.findings.compactMap { finding -> AllowID? in
      guard case .isBeyondLimit(let allow, _) = finding.kind else { return nil }
      // Without one of them the next one may be reached.
      #expect(finding.removal == nil)
      return allow
    }
    #expect(beyond == [AllowID(15), AllowID(16)])
    #expect(report.findings.count == 2)
    // Of what costs about as much as the limit some stays open.
    #expect(report.openCount * 10 < report.questions)
  }

  /// Without a statement that is never reached nothing changes, and without one before it something does.
  @Test(.long) func comparisonsKnowWhatIsNeverReached() throws {
    func verdicts(_ old: [Int], _ new: [Int]) throws -> [DiffVerdict] {
      RulesComparison(from: try Self.engine(old), to: try Self.engine(new)).run().flatMap {
        $0.methods.map { $0.verdict }
      }
    }
    let all = Array(0..<18)
    #expect(try verdicts(all, all.filter { $0 != 17 }) == [.equivalent])
    #expect(try verdicts(all, all.filter { $0 != 2 }) == [.changed])
    #expect(try Self.isAllowed(15, by: Self.engine(all)) == false)
    #expect(try Self.isAllowed(15, by: Self.engine(all.filter { $0 != 2 })))
  }

  /// A part that changes no condition keeps a statement from being reached: it is not redundant.
  @Test(arguments: ["/c/{id}", "/{all=**}"])
  func whatKeepsAStatementOutMatters(_ pattern: String) throws {
    let numbers = (0..<70).map { "\($0)" }.joined(separator: ", ")
    let list = (0..<890).map { _ in "1" }.joined(separator: ", ")
    var statements = ["allow get: if resource.data.n in [\(numbers)] && resource.data.n == 0;"]
    statements += (1..<15).map { "allow get: if resource.data.n == \($0);" }
    statements.append("allow get: if [\(list)].size() == resource.data.n;")
    let text = "match \(pattern) {\n\(statements.joined(separator: "\n"))\n}"
    let engine = Engine(try Scripted.checked(text))
    var costs = LeastCost(engine.rules)
    #expect(costs.beyondLimit().map { $0.allow } == [AllowID(15)])
    var search = RedundancySearch(engine)
    let report = search.run()
    #expect(report.findings.count == 1, "\(report.findings.map { $0.kind })")
    // Without it the last statement is reached.
    let shorter = Engine(
      try Scripted.checked(text.replacing("resource.data.n in [\(numbers)] && ", with: "")))
    #expect(try !Self.isAllowed(890, by: engine))
    #expect(try Self.isAllowed(890, by: shorter))
  }

  /// Errors of what is never reached are left out of comparisons, so nothing is said of errors.
  @Test func nothingIsSaidOfErrorsBeyondTheLimit() throws {
    let engine = try Self.engine(Array(0..<17))
    #expect(!RulesComparison(from: engine, to: engine).failsNoMore())
    let shorter = try Self.engine(Array(0..<12))
    #expect(RulesComparison(from: shorter, to: shorter).failsNoMore())
  }
}
