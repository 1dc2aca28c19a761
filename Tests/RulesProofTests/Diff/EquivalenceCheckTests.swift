import RulesEval
import RulesLang
import RulesSolver
import RulesVerify
import Testing

@testable import RulesProof
@testable import RulesTesting

/// Checks by the proof checker that two versions of rules decide requests alike.
@Suite struct EquivalenceCheckTests {
  /// Returns the steps of the search against both directions.
  private static func refutation(_ shared: VersionQuestion, _ kind: RequestKind) -> [String] {
    let budget = Budget(steps: 20_000_000)
    var refutation = CellRefutation(shared.question)
    for direction in VersionQuestion.Direction.allCases {
      _ = refutation.refute(shared.difference(direction), within: budget)
    }
    return refutation.lines(within: budget)
  }

  /// Returns the reason why the checker does not confirm that two versions are alike; nil if it does.
  private static func objection(
    _ old: Checked, _ new: Checked, _ path: String = "/t/{id}",
    _ methods: MethodSet = [MethodSet.read, MethodSet.write], profile: Profile = .emulator,
    by prove: (VersionQuestion, RequestKind) -> [String] = refutation
  ) throws -> Unconfirmed? {
    let path = try #require(ClaimPath(Text(path)))
    let claim = Claim(name: "", path: path, methods: methods, obligation: .never)
    do throws(Unconfirmed) {
      let confirmed = try ProofChecker.confirmAlike(
        claim, from: old, to: new, profile: profile, by: prove)
      #expect(methods.methods.allSatisfy { confirmed.contains($0) } == confirmed.reasons.isEmpty)
      return methods.methods.compactMap { confirmed.reasons[$0] }.first
    } catch {
      return error
    }
  }

  private static func rules(_ condition: String, at pattern: String = "/t/{id}") throws -> Checked {
    try Scripted.checked("match \(pattern) { allow read, write: if \(condition); }")
  }

  @Test(arguments: [
    ("request.auth != null", "!(request.auth == null)"),
    ("request.auth.uid == id", "id == request.auth.uid && request.auth != null"),
    ("resource.data.a in ['x', 'y']", "resource.data.a == 'x' || resource.data.a == 'y'"),
    (
      "request.resource.data.keys().hasOnly(['a']) && request.resource.data.a is string",
      "request.resource.data.a is string && request.resource.data.keys().hasOnly(['a'])"
    ),
    (
      "resource.data.n > 3 && resource.data.n is int",
      "resource.data.n is int && resource.data.n >= 4"
    ),
    (
      "getAfter(/databases/$(database)/documents/t/$(id)).data.a == 1",
      "1 == getAfter(/databases/$(database)/documents/t/$(id)).data.a"
    ),
  ])
  func equivalentConditionsAreConfirmed(_ one: String, _ other: String) throws {
    let (old, new) = (try Self.rules(one), try Self.rules(other))
    let methods: MethodSet = [MethodSet(.get), MethodSet.write]
    for (first, second) in [(old, new), (new, old)] {
      let objection = try Self.objection(first, second, "/t/{id}", methods)
      #expect(objection == nil, "\(String(describing: objection))")
    }
  }

  /// A version that grants more is not confirmed in either order, with or without steps.
  @Test(arguments: [
    ("request.auth != null", "true"), ("request.auth.uid == id", "request.auth != null"),
    ("resource.data.n > 3", "resource.data.n > 4"),
    ("'a' in resource.data", "'b' in resource.data"),
    ("request.query.limit < 5", "request.query.limit < 6"), ("false", "resource == null"),
  ])
  func differentConditionsAreNotConfirmed(_ one: String, _ other: String) throws {
    let (old, new) = (try Self.rules(one), try Self.rules(other))
    for (first, second) in [(old, new), (new, old)] {
      for objection in [
        try Self.objection(first, second), try Self.objection(first, second) { _, _ in [] },
      ] {
        guard case .unproved = objection else {
          Issue.record("\(String(describing: objection))")
          continue
        }
      }
    }
  }

  /// Unknowns are parts of the request in both versions: what one version calls by a wildcard, a lookup or a
  /// value of its own is the same in the other one, and nothing else is.
  @Test func versionsShareTheUnknownsOfTheRequest() throws {
    func rules(_ blocks: String) throws -> Checked { try Scripted.checked(blocks) }
    let one = try rules("match /{a=**} { allow list: if a == /t/x || request.auth.uid == 'u'; }")
    let renamed = try rules(
      "match /{b=**} { allow list: if b == /t/x || 'u' == request.auth.uid; }")
    #expect(try Self.objection(one, renamed, "/t/{id}", MethodSet(.list)) == nil)
    let other = try rules("match /{a=**} { allow list: if a == /t/y || request.auth.uid == 'u'; }")
    #expect(try Self.objection(one, other, "/t/{id}", MethodSet(.list)) != nil)
    // Which of two wildcards a condition reads is not given by its number.
    let first = try rules("match /{c}/{d} { allow get: if c == 't' && d == 'x'; }")
    let second = try rules("match /{d}/{c} { allow get: if d == 't' && c == 'x'; }")
    let swapped = try rules("match /{d}/{c} { allow get: if c == 't' && d == 'x'; }")
    #expect(try Self.objection(first, second, "/t/{id}", MethodSet(.get)) == nil)
    #expect(try Self.objection(first, swapped, "/t/{id}", MethodSet(.get)) != nil)
    // Functions of the same number in both versions.
    let calls = try rules(
      "function f() { return request.auth != null; } match /t/{id} { allow get: if f(); }")
    let denies = try rules(
      "function f() { return request.auth == null; } match /t/{id} { allow get: if f(); }")
    #expect(try Self.objection(calls, denies, "/t/{id}", MethodSet(.get)) != nil)
    #expect(try Self.objection(calls, calls, "/t/{id}", MethodSet(.get)) == nil)
    // A key that only one version names.
    let keys = try rules(
      "match /t/{id} { allow create: if request.resource.data.keys().hasOnly([]); }")
    let named = try rules(
      "match /t/{id} { allow create: if request.resource.data.keys().hasOnly(['k']); }")
    #expect(try Self.objection(keys, named, "/t/{id}", MethodSet(.create)) != nil)
  }

  /// The paths of a claim have each length that a pattern of either version distinguishes.
  @Test func longPatternsOfBothVersionsCount() throws {
    let short = try Scripted.checked("match /{all=**} { allow get: if false; }")
    let long = try Scripted.checked(
      """
      match /{all=**} { allow get: if false; }
      match /a/{b}/c/{d}/e/{f}/g/{h}/i/{j} { allow get; }
      """)
    for (old, new) in [(short, long), (long, short)] {
      #expect(try Self.objection(old, new, "/{x=**}", MethodSet(.get)) != nil)
    }
    #expect(try Self.objection(short, short, "/{x=**}", MethodSet(.get)) == nil)
  }

  /// Versions of different databases or profiles, and conditions that a limit may stop, are not compared.
  @Test func someVersionsAreNotStated() throws {
    let rules = try Self.rules("request.auth != null")
    let elsewhere = rules.deployed(to: DatabaseName("other"))
    let long = try Scripted.checked(
      "match /t/{id} { \(String(repeating: "allow get: if request.auth != null; ", count: 600)) }")
    for objection in [
      try Self.objection(rules, elsewhere), try Self.objection(rules, rules, profile: .strict),
      try Self.objection(rules, long),
    ] {
      guard case .unstated = objection else {
        Issue.record("\(String(describing: objection))")
        continue
      }
    }
  }

  @Test func aForgedStepIsRefused() throws {
    let (old, new) = (
      try Self.rules("resource.data.n > 3 && resource.data.n is int"),
      try Self.rules("resource.data.n is int && resource.data.n >= 4")
    )
    for forged in [["learn"], ["rule bool 1"], ["atom same 1 1"], ["nonsense"]] {
      guard case .refused = try Self.objection(old, new, by: { _, _ in forged }) else {
        Issue.record("\(forged) is not refused")
        continue
      }
    }
  }

  /// Pairs at random: no pair is confirmed that a request tells apart, and most of the others are.
  @Test func noRandomPairThatARequestTellsApartIsConfirmed() throws {
    let count = Wanted.number("RULES_CHECK_PAIRS", usually: 40, sample: 6)
    let first = Wanted.seed("RULES_CHECK_SEED")
    let world = TinyWorld()
    var (confirmed, refuted) = (0, 0)
    for seed in first..<(first + UInt64(count)) {
      var maker = PairMaker(seed: seed)
      let (oldText, newText) = maker.pair()
      let old = try #require(Checker.check(SourceText(name: "old", oldText)).checked)
      let new = try #require(Checker.check(SourceText(name: "new", newText)).checked)
      let tried = world.compare(Engine(old), Engine(new))
      for method in RulesLang.Method.allCases {
        let objection = try Self.objection(old, new, "/{c}/{id}", MethodSet(method))
        if case .refused(_, let problem) = objection { Issue.record("\(problem.message)") }
        let differs = tried[method].map { $0.isLoosened || $0.isTightened } ?? false
        if differs { refuted += 1 }
        if objection == nil {
          confirmed += 1
          #expect(!differs, "seed \(seed), \(method.word):\n\(oldText)\n\(newText)")
        }
      }
    }
    print("versions: \(confirmed) confirmed, \(refuted) told apart")
    #expect(confirmed > count && refuted > 0)
  }

  /// A comparison has the check of each proved method, whose verdict does not depend on it.
  @Test func comparisonsAreChecked() throws {
    let (old, new) = (
      try Scripted.checked("match /t/{id} { allow get: if request.auth != null; allow list; }"),
      try Scripted.checked(
        "match /t/{id} { allow get: if !(request.auth == null); allow list: if false; }")
    )
    let paths = RulesComparison(from: Engine(old), to: Engine(new)).run()
    let methods = paths.flatMap { $0.methods }
    #expect(methods.first { $0.method == .get }?.unchecked == nil)
    #expect(methods.first { $0.method == .get }?.verdict == .equivalent)
    #expect(methods.first { $0.method == .list }?.unchecked == .notAsked)
  }
}
