import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesTesting

/// The engine's limits are part of what rules do: a condition that is stopped ends in an error, and
/// whatever would have come after it denies.
@Suite struct LimitTests {
  /// A condition that is true and evaluates a bit more than 2 × 2^n expressions.
  private static func large(_ doublings: Int) -> String {
    var text = "function f0() { return true; } "
    for number in 1...doublings {
      text += "function f\(number)() { return f\(number - 1)() && f\(number - 1)(); } "
    }
    return text
  }

  private static let lookups = (1...11).map {
    "exists(/databases/$(database)/documents/u/\($0))"
  }.joined(separator: " && ")

  @Test(arguments: [
    // Every request takes more than 1000 expressions.
    "match /c/{id} { \(large(10)) allow get: if f10(); }",
    // Those for which the first part is true do.
    "match /c/{id} { \(large(10)) allow get: if request.auth != null && f10(); }",
    // Each statement by itself is within the limit.
    "match /c/{id} { \(large(8)) allow get: if !f8(); allow get: if !f8(); allow get: if f8(); }",
    // The eleventh document cannot be looked up.
    "match /c/{id} { allow get: if \(lookups); }",
  ])
  func aConditionThatIsStoppedByALimitEndsInAnError(_ blocks: String) throws {
    let asked = try Asked(
      blocks, #"{"name": "c", "path": "/c/{id}", "methods": ["get"], "errors": false}"#)
    guard case .violated(let counterexample) = asked.verdicts[0] else {
      Issue.record("\(asked.verdicts[0])")
      return
    }
    #expect(counterexample.decision.tried.contains { $0.isError })
  }

  @Test(arguments: [
    "match /c/{id} { \(large(7)) allow get: if f7(); }",
    "match /c/{id} { \(large(10)) allow get: if true || f10(); allow list: if f10(); }",
  ])
  func whatStaysWithinTheLimitsIsProvedOrLeftOpen(_ blocks: String) throws {
    let asked = try Asked(
      blocks, #"{"name": "c", "path": "/c/{id}", "methods": ["get"], "errors": false}"#)
    #expect(asked.verdicts[0].word != "violated")
  }

  @Test func whatCouldExceedTheLimitsIsNamed() throws {
    let blocks = """
      match /c/{id} { \(Self.large(10))
        allow get: if resource == null || f10() && resource.data.a == 1 && resource.data.a != 1; }
      """
    let asked = try Asked(
      "match /c/{id} { \(Self.large(10)) allow get: if true || f10(); }",
      #"{"name": "c", "path": "/c/{id}", "methods": ["get"], "errors": false}"#)
    guard case .undecided(let doubts) = asked.verdicts[0] else {
      Issue.record("\(asked.verdicts[0]) \(blocks.count)")
      return
    }
    #expect(doubts.map { $0.reason }.contains { $0.contains("more than 1000 expressions") })
    #expect(doubts.allSatisfy { $0.range != nil })
  }

  /// A statement without a condition costs one expression, and is denied, too, if that is too much.
  @Test func aStatementWithoutAConditionTakesPartInTheLimit() throws {
    let blocks = "match /c/{id} { \(Self.large(10)) allow get: if !f10(); allow get; }"
    let asked = try Asked(
      blocks,
      #"{"name": "c", "path": "/c/{id}", "methods": ["get"], "alwaysIf": "true"}"#)
    #expect(asked.verdicts[0].word == "violated")
  }

  private static func engine(_ condition: String) throws -> Engine {
    Engine(
      try Scripted.checked("match /c/{id} { \(large(10)) allow get: if \(condition); }"))
  }

  /// Two conditions that are true of the same requests differ if only one of them is too large.
  @Test(arguments: [("f10()", "true"), ("true", "f10()")])
  func aLimitIsADifference(_ old: String, _ new: String) throws {
    let comparison = RulesComparison(from: try Self.engine(old), to: try Self.engine(new))
    guard case .something(let witness, let isLoosened) = comparison.effect() else {
      Issue.record("\(comparison.effect())")
      return
    }
    #expect(isLoosened == (new == "true"))
    let decision = try comparison.new.decide(witness.request, on: witness.documents)
    #expect(decision.isAllowed == isLoosened)
    let paths = comparison.run()
    #expect(paths.flatMap { $0.differences }.contains { $0.isLoosened == isLoosened })
  }

  /// Without a statement that decides nothing the one after it may be within the limit.
  @Test func whatIsTakenOutIsPartOfTheCost() throws {
    let blocks = "match /c/{id} { \(Self.large(10)) allow get: if !f10(); allow get: if true; }"
    var search = RedundancySearch(Engine(try Scripted.checked(blocks)))
    #expect(search.run().findings.isEmpty)
  }
}
