import RulesLang
import RulesTesting
import Testing

@testable import RulesEval

/// What a request costs as if there were no limits, beside what decisions say within them.
@Suite struct CostMeterTests {
  private static let root = "/databases/$(database)/documents"
  private static let path = DocumentPath(Text("/c/d"))

  private static func price(_ engine: Engine) throws -> (price: Price, decision: Decision) {
    let path = try #require(Self.path)
    let request = Request(principal: nil, time: .epoch, operation: .get([path]))
    let meter = CostMeter(engine) { _ in true }
    let prepared = try PreparedRequest(request, on: Documents(), in: .standard)
    // What was asked before makes no difference.
    _ = meter.price(of: prepared, about: path)
    let price = try #require(meter.price(of: prepared, about: path))
    return (price, try engine.decide(request, on: Documents()))
  }

  private static func engine(_ condition: String, _ others: String = "") throws -> Engine {
    let blocks = "match /c/{id} { \(others) allow get: if \(condition); }"
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents { \(blocks) } }
      """
    return Engine(try #require(Checker.check(SourceText(name: "x.rules", rules)).checked))
  }

  @Test(arguments: [
    "true", "request.auth == null", "1 + 1 == 2 || 1 + 1 == 3", "request.auth.uid == 'a' || true",
    "!exists(\(root)/u/a)", "exists(\(root)/u/a)", "get(\(root)/u/a).data.x == 1 || 1 < 2",
    "!exists(\(root)/u/a) && !exists(\(root)/u/b) && !exists(\(root)/u/a)",
  ])
  func withinTheLimitsItIsWhatTheDecisionSays(_ condition: String) throws {
    let (price, decision) = try Self.price(
      Self.engine(condition, "allow get: if request.auth != null;"))
    #expect(price.isAllowed == decision.isAllowed)
    #expect(price.expressions == decision.expressions)
    #expect(price.lookups == decision.lookups)
    #expect(!price.isTooMuch)
  }

  @Test func beyondTheLimitsItGoesOn() throws {
    // A call, and twice what is called and two for "&&": 512 literals, 511 times "&&" and 1,023 calls.
    let functions = (1...9).map {
      "function f\($0)() { return f\($0 - 1)() && f\($0 - 1)(); }"
    }
    let rules = (["function f0() { return true; }"] + functions).joined(separator: " ")
    let dear = try Self.price(Self.engine("f9()", rules))
    #expect(dear.price.isAllowed && !dear.decision.isAllowed)
    #expect(dear.price.expressions == 512 + 2 * 511 + 1023 && dear.price.isTooMuch)

    let many = (0..<12).map { "!exists(\(Self.root)/u/\($0))" }.joined(separator: " && ")
    let curious = try Self.price(Self.engine(many))
    #expect(curious.price.isAllowed && !curious.decision.isAllowed)
    #expect(curious.price.lookups == 12 && curious.price.allowedLookups == 10)
    #expect(curious.price.isTooMuch && curious.price.expressions < 1000)
  }
}
