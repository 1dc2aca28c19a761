import RulesEval
import RulesLang
import RulesVerify
import Testing

@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesSolver
@testable import RulesTesting

/// Checks of proved claims by the proof checker.
@Suite struct ProofCheckTests {
  private static let blocks = """
    match /users/{uid} {
      allow read: if request.auth != null;
      allow update: if request.auth.uid == uid && request.resource.data.age >= 18;
    }
    """
  private static let claim =
    #"{"path": "/users/{uid}", "methods": "update", "onlyIf": "request.auth.uid == uid"}"#

  /// Returns the check of the only claim.
  private static func check(_ blocks: String, _ claim: String) throws -> ProofCheck {
    guard case .proved(let proof) = try Asked(blocks, claim).verdicts[0] else {
      throw Unproved(claim: claim)
    }
    return proof.check
  }

  private struct Unproved: Error {
    var claim: String
  }

  @Test func aProvedClaimIsChecked() throws {
    let asked = try Asked(Self.blocks, Self.claim)
    guard case .proved(let proof) = asked.verdicts[0],
      case .checked(let own, nil) = proof.check
    else {
      Issue.record("not checked")
      return
    }
    #expect(own.claim.name == asked.claims.claims[0].claim.name)
    #expect(own.effort > 0 && !own.steps.isEmpty)
    #expect(own.refusal(about: asked.rules) == nil)
  }

  @Test func thatNothingIsGrantedIsCheckedToo() throws {
    let blocks = "match /users/{uid} { allow update: if false; }"
    let asked = try Asked(blocks, Self.claim)
    guard case .proved(let proof) = asked.verdicts[0],
      case .checked(_, let nothing?) = proof.check
    else {
      Issue.record("not checked")
      return
    }
    #expect(proof.grantsNothing)
    if case .never = nothing.claim.obligation {} else { Issue.record("another claim") }
    #expect(nothing.refusal(about: asked.rules) == nil)
  }

  /// The other claims of a set are no part of a claim's question.
  @Test func aClaimIsCheckedOnItsOwn() throws {
    let other = #"{"path": "/users/{uid}", "methods": "get", "onlyIf": "resource.data.zzz != 'q'"}"#
    let alone = try Self.check(Self.blocks, Self.claim)
    let asked = try Asked(Self.blocks, Self.claim + ", " + other)
    guard case .proved(let proof) = asked.verdicts[0],
      case .checked(let beside, _) = proof.check, case .checked(let own, _) = alone
    else {
      Issue.record("not checked")
      return
    }
    #expect(beside.steps == own.steps)
  }

  @Test func aClaimOverSeveralRequestsIsNotChecked() throws {
    let claim =
      #"{"path": "/users/{uid}", "methods": "update", "onlyIf": "request.auth.uid == uid", "#
      + #""through": "any"}"#
    guard case .unchecked(.severalRequests) = try Self.check(Self.blocks, claim) else {
      Issue.record("checked")
      return
    }
  }

  /// A verdict is the same without budget for its check, and says so.
  @Test func aSpentBudgetLeavesAProofUnchecked() throws {
    let asked = try Asked(Self.blocks, Self.claim)
    var (unchecked, checked) = (0, 0)
    for steps in stride(from: 1_000, through: 80_000, by: 1_000) {
      let budget = Budget(steps: steps)
      guard case .proved(let proof) = Prover(asked.claims, within: budget).decide(0) else {
        #expect(unchecked + checked == 0, "a larger budget proves less")
        continue
      }
      switch proof.check {
      case .checked: checked += 1
      case .unchecked(.spent): unchecked += 1
      case .unchecked(let reason): Issue.record("\(reason.sentence)")
      }
    }
    #expect(unchecked > 0 && checked > 0)
  }

  /// Claims that share encodings have the steps that each has alone, which `verify-proof` accepts.
  @Test func sharedEncodingsChangeNoStep() throws {
    let blocks = Self.blocks + "match /posts/{id} { allow write: if request.auth.uid == id; }"
    let claims = [
      Self.claim,
      #"{"path": "/users/{uid}", "methods": "update", "onlyIf": "request.auth != null"}"#,
      #"{"path": "/users/{uid}", "methods": "update", "onlyIf": "'other' != uid || 'a' in ['a']"}"#,
      #"{"path": "/users/{uid}", "methods": "create", "never": true}"#,
      #"{"path": "/posts/{id}", "methods": "write", "onlyIf": "request.auth.uid == id"}"#,
      #"{"path": "/posts/{id}", "methods": "get", "given": "id == 'x'", "never": true}"#,
    ]
    let asked = try Asked(blocks, claims[0])
    let shared = CheckedEncodings()
    for text in claims + claims.reversed() {
      let claim = try Asked(blocks, text).claims.claims[0].claim
      func steps(_ encodings: CheckedEncodings) throws -> ConfirmedClaim {
        try ProofChecker.confirm(
          claim, about: asked.rules, profile: .emulator, sharing: encodings, within: Budget())
      }
      let (own, other) = (try steps(CheckedEncodings()), try steps(shared))
      #expect(own.steps == other.steps, "\(text)")
      #expect(other.refusal(about: asked.rules) == nil, "\(text)")
    }
  }

  /// The checker, asked before the search, confirms the kinds of requests of a claim in order, up to the
  /// first one that it does not.
  @Test func theCheckerIsAskedFirst() throws {
    let asked = try Asked(Self.blocks, Self.claim)
    let set = asked.claims
    let prover = Prover(set)
    let check = ClaimCheck(set.claims[0].claim, by: prover)
    let scenarios = set.scenarios(of: set.claims[0])
    #expect(check.confirmedKinds(among: scenarios) == scenarios.count)
    #expect(check.answer(grantsNothing: false).isChecked)
    #expect(!check.confirmsNothingGranted)
    let never = try Asked(
      Self.blocks, #"{"path": "/users/{uid}", "methods": ["get", "update"], "onlyIf": "false"}"#)
    let refused = ClaimCheck(never.claims.claims[0].claim, by: Prover(never.claims))
    #expect(refused.confirmedKinds(among: never.claims.scenarios(of: never.claims.claims[0])) == 0)
    #expect(!refused.answer(grantsNothing: false).isChecked)
  }

  // MARK: Forged checks

  /// Steps that confirm a claim confirm no other one, and nothing about other rules.
  @Test func stepsOfAnotherProofConfirmNothing() throws {
    let asked = try Asked(Self.blocks, Self.claim)
    guard case .proved(let proof) = asked.verdicts[0],
      case .checked(let own, _) = proof.check
    else {
      Issue.record("not checked")
      return
    }
    func isConfirmed(
      _ claim: String, _ blocks: String, profile: Profile = .emulator, in stated: Profile? = nil
    ) throws -> Bool {
      let other = try Asked(blocks, claim, profile: profile)
      let confirmed = try? ProofChecker.confirm(
        other.claims.claims[0].claim, about: other.rules, profile: stated ?? profile
      ) { _, _ in
        own.steps
      }
      return confirmed != nil
    }
    #expect(try isConfirmed(Self.claim, Self.blocks))
    let weaker = Self.blocks.replacing("request.auth.uid == uid && ", with: "")
    #expect(try !isConfirmed(Self.claim, weaker))
    #expect(try !isConfirmed(Self.claim.replacing("uid == uid", with: "uid == 'u'"), Self.blocks))
    #expect(try !isConfirmed(Self.claim.replacing("update", with: "get"), Self.blocks))
    #expect(
      try !isConfirmed(
        Self.claim.replacing("\"update\"", with: #"["get", "update"]"#), Self.blocks))
    #expect(try !isConfirmed(Self.claim.replacing("/users/{uid}", with: "/{c}/{uid}"), Self.blocks))
    // Rules of one profile are not asked about in another one.
    #expect(try !isConfirmed(Self.claim, Self.blocks, profile: .emulator, in: .strict))
  }

  /// Steps about the rules of one database are none about those of another.
  @Test func stepsForAnotherDatabaseConfirmNothing() throws {
    let text = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents { match /c/{id} {
        allow get: if database == 'private' && request.auth != null || request.auth.uid == id;
      } } }
      """
    let claim = try Asked(
      Self.blocks, #"{"path": "/c/{id}", "methods": "get", "onlyIf": "request.auth.uid == id"}"#
    ).claims.claims[0].claim
    func rules(_ database: String) throws -> Checked {
      try #require(
        Checker.check(
          SourceText(name: "test.rules", text), database: DatabaseName(Text(database))
        ).checked)
    }
    let own = try ProofChecker.confirm(
      claim, about: try rules("public"), profile: .emulator, within: Budget())
    #expect(own.database == DatabaseName("public"))
    let other = try rules("private")
    #expect(throws: Unconfirmed.self) {
      try ProofChecker.confirm(claim, about: other, profile: .emulator) { _, _ in own.steps }
    }
    #expect(own.refusal(about: other)?.contains("database") == true)
  }

  /// The steps of each kind of request are checked by themselves.
  @Test func noStepsOrTooManyConfirmNothing() throws {
    let asked = try Asked(Self.blocks, Self.claim)
    let claim = asked.claims.claims[0].claim
    let forged: [[String]] = [
      [], ["learn"], ["question update document /users/*"],
      ["question get document /users/*", "learn"],
    ]
    for steps in forged {
      #expect(throws: Unconfirmed.self) {
        try ProofChecker.confirm(claim, about: asked.rules, profile: .emulator) { _, _ in steps }
      }
    }
    let false_ = try Asked(Self.blocks, Self.claim.replacing("uid == uid", with: "uid == 'u'"))
    #expect(throws: Unconfirmed.self) {
      try ProofChecker.confirm(
        false_.claims.claims[0].claim, about: false_.rules, profile: .emulator
      ) { _, _ in
        ["question update document /users/*", "learn"]
      }
    }
    #expect(throws: Unconfirmed.self) {
      try ProofChecker.confirm(claim, about: asked.rules, profile: .emulator) { question, kind in
        Refutation(of: question, kind: kind, within: Budget())
          .flatMap { $0.lines(within: Budget()) }.map { $0 + $0 }
      }
    }
  }

  /// Steps that the checker refuses are a defect, which the reason says.
  @Test func aRefusalIsNamedADefect() {
    let reason = ProofCheck.Reason.refused("update document /c/*: no")
    #expect(reason.isDefect)
    #expect(reason.sentence.contains("defect of rules-check"))
    #expect(!ProofCheck.Reason.severalRequests.isDefect)
  }
}
