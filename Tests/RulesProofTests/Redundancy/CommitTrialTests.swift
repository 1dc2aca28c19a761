import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesProof

/// A trial that leaves statements out for one document does not leave them out for the other writes of
/// its commit: conditions see the state after it, which the other statements make possible.
@Suite struct CommitTrialTests {
  private static let documents = "/databases/$(database)/documents"
  /// Whoever makes a user takes a name in the same commit.
  private static let signUp = """
    match /users/{id} {
      allow create: if request.auth.uid == id
        && existsAfter(\(documents)/names/$(id)) && !exists(\(documents)/names/$(id));
    }
    """
  private static let names = "match /names/{id} { allow create: if request.auth.uid == id; }"

  private func engine(_ body: String) throws -> Engine {
    let text = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
      \(body)
      } }
      """
    let outcome = Checker.check(SourceText(name: "r", text))
    return Engine(try #require(outcome.checked, "\(outcome.diagnostics.map { $0.message })"))
  }

  private func findings(_ body: String) throws -> [RedundancyFinding] {
    var search = RedundancySearch(try engine(body))
    return search.run().findings
  }

  private func outcome(
    _ body: String, _ allow: Int, _ outcome: StatementOutcome = .granted
  ) throws -> EditEffect {
    OutcomeSearch(try engine(body)).request(for: AllowID(allow), with: outcome)
  }

  private func isNothing(_ effect: EditEffect) -> Bool {
    if case .nothing = effect { return true }
    return false
  }

  // MARK: Outcomes

  @Test func whatABatchGrantsIsFound() throws {
    let body = Self.signUp + Self.names
    let engine = try engine(body)
    guard case .something(let witness, true) = try outcome(body, 0) else {
      Issue.record("it is not found")
      return
    }
    let decision = try engine.decide(witness.request, on: witness.documents)
    #expect(decision.isAllowed && decision.accesses.count == 2)
    #expect(decision.tried.contains { $0.allow == AllowID(0) && !$0.isError })
    for outcome in StatementOutcome.allCases {
      for allow in 0..<2 {
        #expect(!isNothing(try self.outcome(body, allow, outcome)), "\(allow) \(outcome)")
      }
    }
  }

  /// What is tried in a commit that is denied is tried all the same.
  @Test func commitsThatAreDeniedTryStatements() throws {
    // Nobody may write names, so no commit is allowed in which this is more than false.
    #expect(isNothing(try outcome(Self.signUp, 0)))
    #expect(!isNothing(try outcome(Self.signUp, 0, .failed)))
    #expect(!isNothing(try outcome(Self.signUp, 0, .refused)))
  }

  // MARK: Redundant parts

  @Test func whatNeverGrantsIsStillFound() throws {
    for names in [
      "", "match /names/{id} { allow create: if request.auth.uid == 'x' && id == 'y'; }",
    ] {
      let found = try findings(Self.signUp + names)
      #expect(
        found.contains { finding in
          if case .neverGrants(AllowID(0), _) = finding.kind { return true }
          return false
        }, "\(names)")
    }
  }

  @Test func whatABatchGrantsIsNotDead() throws {
    for finding in try findings(Self.signUp + Self.names) {
      switch finding.kind {
      case .neverGrants, .isBeyondLimit, .needsAnError, .isCovered: Issue.record("\(finding.kind)")
      default: break
      }
    }
  }

  /// The condition that nobody else may take the name is one that the other statement makes.
  @Test func findingsRestOnStatementsForOtherDocuments() throws {
    let engine = try engine(Self.signUp + Self.names)
    var search = RedundancySearch(engine)
    let source = engine.rules.ruleset.source
    let finding = try #require(
      search.run().findings.first { source.string($0.range) == "request.auth.uid == id" })
    #expect(finding.core.contains { $0.isStatement }, "\(finding.core)")
  }

  /// An error that `||` ignores where another document is deleted, and no such error.
  @Test func errorsAreNotMistaken() throws {
    let there = "existsAfter(\(Self.documents)/names/$(id))"
    let found = try findings(
      """
      match /users/{id} {
        allow delete: if (!\(there) || getAfter(\(Self.documents)/x/y).data.a)
          && exists(\(Self.documents)/names/$(id));
      }
      match /names/{id} { allow delete: if request.auth.uid == id; }
      """)
    #expect(
      !found.contains { finding in
        if case .needsAnError = finding.kind { return true }
        return false
      })
  }

  // MARK: Databases

  /// The database is a constant: a statement that asks for it makes other writes possible in that one, and
  /// in no other.
  @Test func conditionsOnTheDatabaseAreDecidedForOtherWrites() throws {
    let root = "/databases/$(database)/documents"
    func body(_ asked: String) -> String {
      """
      match /a/{id} {
        allow create: if existsAfter(\(root)/b/$(id)) && !exists(\(root)/b/$(id));
      }
      match /b/{id} { allow create: if database == '\(asked)'; }
      """
    }
    #expect(!isNothing(try outcome(body("(default)"), 0)))
    // A name that only the condition of another write has is not told apart, so this may stay open.
    if case .something = try outcome(body("staging"), 0) {
      Issue.record("a request is said to be granted with a write that nothing grants")
    }
    let never = try findings(body("staging")).compactMap { finding in
      if case .neverGrants(let allow, _) = finding.kind { return allow }
      return nil
    }
    #expect(never.contains(AllowID(0)) && never.contains(AllowID(1)), "\(never)")
  }

  @Test func statementsForAnotherDatabaseGrantNothing() throws {
    let never = "match /a/{id} { allow get: if database == 'staging'; }"
    #expect(isNothing(try outcome(never, 0)))
    let covered =
      "match /a/{id} { allow get: if database == '(default)'; allow get: if id == 'x'; }"
    #expect(isNothing(try outcome(covered, 1)))
    let beside = "match /a/{id} { allow get: if database == 'staging'; allow get: if false; }"
    #expect(isNothing(try outcome(beside, 1)))
  }

  /// A statement that grants every update of this database covers the three behind it.
  @Test func statementsForThisDatabaseCoverOthers() throws {
    let found = try findings(
      """
      match /a/{id} {
        allow update: if database == '(default)';
        allow update: if request.auth.uid == id;
        allow update: if request.auth.uid == id && resource.data.a == 1;
        allow update: if request.auth.uid == id && resource.data.b == 1;
      }
      """)
    let covered = found.compactMap { finding -> AllowID? in
      if case .isCovered(let allow, _) = finding.kind { return allow }
      return nil
    }
    #expect(covered.count == 3, "\(found.map { $0.kind })")
  }
}
