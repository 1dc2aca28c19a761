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
    // It never does, but there is too much to go through.
    let condition = "!(resource.data.a > 1 && resource.data.a < 1) || f18()"
    let asked = try Asked(
      "match /c/{id} { \(Self.large(18)) allow get: if \(condition); }",
      #"{"name": "c", "path": "/c/{id}", "methods": ["get"], "alwaysIf": "resource.data.a is int"}"#
    )
    guard case .undecided(let openReasons) = asked.verdicts[0] else {
      Issue.record("\(asked.verdicts[0])")
      return
    }
    #expect(openReasons.map { $0.reason }.contains { $0.contains("more than 1000 expressions") })
    #expect(openReasons.allSatisfy { $0.range != nil })
  }

  /// A document that is read time and again costs once, if it is there.
  private static let reader = """
    function u() { return /databases/$(database)/documents/u/$(request.auth.uid); }
    function v() { return exists(/databases/$(database)/documents/v/$(request.auth.uid)); }
    function r(n) { return get(u()).data.r == n; }
    """
  private static let reads = (1...12).map { "r(\($0))" }.joined(separator: " || ")
  private static let backwards = (1...12).reversed().map { "r(\($0))" }.joined(separator: " || ")

  @Test(arguments: [
    ("true || f10()", "true"),
    ("(request.auth == null ? f8() && f8() : f8()) && !f8()", "false"),
    ("request.auth != null || request.auth == null && f8() && !f9()", "request.auth != null"),
    ("exists(u()) && v() && (\(reads))", "v() && exists(u()) && (\(reads))"),
  ])
  func whatIsNotReachedCostsNothing(_ old: String, _ new: String) throws {
    let blocks = [old, new].map { condition in
      "match /c/{id} { \(Self.large(10)) \(Self.reader) allow get: if \(condition); }"
    }
    let engines = try blocks.map { Engine(try Scripted.checked($0)) }
    let effect = RulesComparison(from: engines[0], to: engines[1]).effect()
    guard case .nothing = effect else {
      Issue.record("\(effect)")
      return
    }
    let asked = try Asked(
      blocks[0], #"{"name": "c", "path": "/c/{id}", "methods": ["get"], "alwaysIf": "\#(new)"}"#)
    #expect(asked.verdicts[0].word == "proved")
  }

  /// If the document is missing, twelve reads of it are too many, but then all are errors: no request tells
  /// the conditions apart, and the prover does not count lookups along the ways through one.
  @Test func readsInAnotherOrderAreLeftOpen() throws {
    let engines = try [Self.reads, Self.backwards].map { reads in
      Engine(
        try Scripted.checked(
          "match /c/{id} { \(Self.large(10)) \(Self.reader) allow get: if v() || \(reads); }"))
    }
    guard
      case .unknown(let openReasons) = RulesComparison(from: engines[0], to: engines[1]).effect()
    else {
      Issue.record("the comparison says more than that it does not know")
      return
    }
    #expect(
      openReasons.allSatisfy { $0.openReason.reason.contains("look up more than 10 documents") })
  }

  /// A limit can be exceeded, so there is no proof.
  @Test(arguments: [
    ("\(reads) || v()", "v() || \(reads)"),
    ("request.auth == null || f10()", "true"),
    ("resource.data.a == 1 && f8() && f8() && f8() || true", "true"),
    ("exists(u()) && v() && \(lookups)", "v() && \(lookups)"),
  ])
  func whatIsReachedCounts(_ old: String, _ new: String) throws {
    let engines = try [old, new].map { condition in
      Engine(
        try Scripted.checked(
          "match /c/{id} { \(Self.large(10)) \(Self.reader) allow get: if \(condition); }"))
    }
    for (one, other) in [(0, 1), (1, 0)] {
      let effect = RulesComparison(from: engines[one], to: engines[other]).effect()
      if case .nothing = effect { Issue.record("\(old) is taken for \(new)") }
    }
  }

  private static let roles = """
    function doc(c, n) { return /databases/$(database)/documents/$(c)/$(n); }
    function role(u) { return exists(doc('u', u)) ? get(doc('u', u)).data.role : null; }
    """

  /// A condition that says of nine kinds of documents what is necessary, each of which costs a part of
  /// what the limits allow.
  private static func kinds(if first: String, doublings: Int) -> String {
    let data = "request.resource.data"
    let kinds = (0..<9).map { number in
      let document = "doc('d\(number % 2)', \(data).ref)"
      return
        "(\(data).kind == 'k\(number)' && \(first) && \(data).ref is string && exists(\(document))"
        + " && (get(\(document)).data.owner == request.auth.uid || role(request.auth.uid) == 'a')"
        + " && (role(\(data).user) == 'a' || \(data).user == get(\(document)).data.owner)"
        + " && f\(doublings)())"
    }
    return kinds.joined(separator: " || ")
  }

  private static func effect(_ old: String, _ new: String) throws -> EditEffect {
    let engines = try [old, new].map { condition in
      Engine(
        try Scripted.checked(
          "match /c/{id} { \(large(10)) \(roles) allow create: if \(condition); }"))
    }
    return RulesComparison(from: engines[0], to: engines[1]).effect()
  }

  /// But what costs too much by itself does so for its kind.
  @Test(.long, arguments: [(5, "f9() && f9()"), (10, "true")])
  func whatIsTooMuchForOneKindIsADifference(_ doublings: Int, _ first: String) throws {
    let conditions = [
      Self.kinds(if: first, doublings: doublings), Self.kinds(if: "true", doublings: 2),
    ]
    for (old, new) in [(0, 1), (1, 0)] {
      let effect = try Self.effect(conditions[old], conditions[new])
      if case .nothing = effect { Issue.record("a limit is left out") }
    }
  }

  /// A statement without a condition costs one expression, and is denied, too, if that is too much.
  @Test func aStatementWithoutAConditionTakesPartInTheLimit() throws {
    let blocks = "match /c/{id} { \(Self.large(10)) allow get: if !f10(); allow get; }"
    let asked = try Asked(
      blocks,
      #"{"name": "c", "path": "/c/{id}", "methods": ["get"], "alwaysIf": "true"}"#)
    #expect(asked.verdicts[0].word == "violated")
  }

  /// Blocks for documents of different collections are not tried for the same request, however many there
  /// are.
  @Test func blocksOfOtherCollectionsCostNothing() throws {
    let lookup = "exists(/databases/$(database)/documents/u/$(request.auth.uid))"
    func blocks(_ condition: String) -> String {
      let others = (0..<14).map { number in
        "match /a/{x}/c\(number)/{y} { allow get: if f6() && \(lookup)"
          + " && exists(/databases/$(database)/documents/v/d\(number)); }"
      }
      return Self.large(6) + others.joined()
        + "match /a/{x}/{c}/meta { allow get: if \(condition); }"
    }
    let asked = try Asked(
      blocks("request.auth != null"),
      #"""
      {"path": "/a/{x}/{c}/meta", "methods": "get", "alwaysIf": "request.auth != null"},
      {"path": "/a/{x}/{c}/meta", "methods": "get", "alwaysIf": "true"}
      """#)
    #expect(asked.verdicts.map { $0.word } == ["proved", "violated"])
    let engines = try ["request.auth != null", "!(request.auth == null)"].map {
      Engine(try Scripted.checked(blocks($0)))
    }
    guard case .nothing = RulesComparison(from: engines[0], to: engines[1]).effect() else {
      Issue.record("limits are thought to tell them apart")
      return
    }
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
