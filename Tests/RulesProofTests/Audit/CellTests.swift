import RulesEval
import RulesLang
import RulesSolver
import Testing

@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesTesting

/// Single answers of a matrix: what a question must not conclude from how it is put, and what is said where
/// not all can be related.
@Suite struct CellTests {
  /// "Always" without a condition claims something of every request: its question is not refuted by itself.
  @Test func aCellThatIsAskedAnewIsRefutedByARequest() throws {
    let asked = try Asked(
      "match /a/{x} { allow get: if request.auth.uid == x; }",
      #"{"path": "/a/{x}", "methods": "get", "never": true}"#)
    let always = asked.claims.claims[0].narrowed(
      to: nil, method: .get, .alwaysIf(Claim.Condition("true")))
    let scenario = try #require(asked.claims.scenarios(of: always).first)
    let goal = Goal(always, in: asked.claims, for: scenario)
    #expect(!goal.roots.contains(.no))
    guard case .found = Prover(asked.claims).decide(goal, of: always) else {
      return #expect(Bool(false), "no request is denied")
    }
  }

  /// A query of a collection group below a document has no filters on fields, so what they would promise lets
  /// nobody in; who is signed in needs none. A query that names the document reads its fields.
  @Test func aGroupBelowADocumentPromisesNothing() throws {
    let rules = try Asked(
      "match /s/{d=**} { allow read: if request.auth != null || resource.data.public == true; }", ""
    ).rules
    let path = try #require(Auditor(rules).matrix().paths.first)
    let row = try #require(path.rows.first { $0.operation == .listGroup })
    #expect(row.cells.map { $0.answer } == [.onlyIf, .onlyIf])
    #expect(row.cells[0].alternatives.map { $0.reach } == [.namedQueries])
    #expect(row.cells[1].alternatives.map { $0.reach }.contains(.namedOrBelowDocuments))
    let list = try #require(path.rows.first { $0.operation == .list })
    #expect(list.cells.map { $0.answer } == [.onlyIf, .always])
  }

  /// Statements of the collection's own block grant queries of the group that name their document. Where
  /// nobody is granted others, there is no row for the group.
  @Test func aQueryOfTheGroupThatNamesItsDocumentIsInTheRowOfTheGroup() throws {
    let own = "match /posts/{id} { allow list: if id == 'alice' || request.auth.token.admin; }"
    let group = "match /{path=**}/posts/{id} { allow list: if request.auth.token.admin; }"
    let matrix = try AuditedRules.matrix(own + group)
    let path = try #require(matrix.paths.first)
    let row = try #require(path.rows.first { $0.operation == .listGroup })
    #expect(row.cells.map { $0.answer } == [.onlyIf, .onlyIf, .always])
    #expect(row.cells[0].alternatives.map { $0.reach } == [.namedQueries])
    guard case .list(let query)? = row.cells[0].allowed?.request.operation else {
      Issue.record("no query shows it")
      return
    }
    #expect(query.isCollectionGroup)
    let alone = try AuditedRules.matrix(own)
    #expect(alone.paths.count == 1)
    #expect(!alone.paths.contains { $0.rows.contains { $0.operation == .listGroup } })
  }

  /// What a model says of one cell answers others, too: of statements with owners and fields of their own
  /// each grants in each column but those of other owners, and each in each row.
  @Test(.long) func statementsWithFieldsOfTheirOwnGrantInAllRows() throws {
    let statements = (0..<14).map {
      "allow update: if request.auth.uid == resource.data.o\($0) && request.resource.data.f\($0) == \($0);"
    }
    // It grants nothing that the one before does not grant.
    let covered =
      "allow update: if request.auth.uid == resource.data.o13 "
      + "&& request.resource.data.f13 == 13 && request.resource.data.g == 1;"
    let rules = try Asked(
      "match /a/{x} { \((statements + [covered]).joined(separator: "\n")) }", ""
    ).rules
    let path = try #require(Auditor(rules).matrix().paths.first)
    let rows = path.rows.filter { $0.operation.method == .update }
    #expect(rows.count > 25)
    let stranger = try #require(path.clients.firstIndex { $0 == .stranger })
    let owner = try #require(path.columns.labels.firstIndex { $0.hasPrefix("owner by o0, not") })
    for row in rows {
      #expect(!row.cells.contains { $0.answer == .undecided }, "\(row.operation.label)")
      #expect(row.cells[0].answer == .never)
      // Three owners have columns, which strangers are not in.
      #expect(row.cells[stranger].alternatives.count == 11, "\(row.operation.label)")
      #expect(row.cells[owner].answer == .onlyIf)
      #expect(!row.cells[owner].alternatives.contains { $0.allow.index == 14 })
    }
  }

  /// Two maps whose `deliveryDate` is `==` although `diff()` says that it has changed: an int is rounded.
  @Test(.long) func anIntThatIsRoundedChangesAFieldThatMustStay() throws {
    let rules = try Asked(
      """
      function user() { return get(/databases/$(database)/documents/users/$(request.auth.uid)).data; }
      function isSuper() { return request.auth != null && user().role == 'super'; }
      function company(c) { return get(/databases/$(database)/documents/companies/$(c)).data; }
      function kept(name) { return request.resource.data[name] == resource.data[name]; }
      match /companies/{c}/receipts/{r} {
        allow update: if (isSuper() || user().company == c && company(c).active == true)
          && kept('at') && kept('by')
          && (isSuper() || company(c).until == null || resource.data.at > company(c).until);
      }
      """, ""
    ).rules
    let path = try #require(Auditor(rules).matrix().paths.first)
    let row = try #require(path.rows.first { $0.operation == .update("at") })
    #expect(row.cells.map { $0.answer }.contains(.onlyIf))
    #expect(!row.cells.map { $0.answer }.contains(.undecided))
  }

  /// Who is a member is looked up by `exists`, which means something else in this block: no column says so.
  @Test func aHiddenFunctionTellsNobodyApart() throws {
    let rules = try Asked(
      "function isMember() { return exists(/databases/$(database)/documents/m/$(request.auth.uid)); }"
        + " match /m/{u} { allow read; } match /x/{id} {"
        + " function exists(p) { return request.auth.uid != 'bob'; }"
        + " allow read: if request.auth.uid != 'bob' && !isMember(); }", ""
    ).rules
    let path = try #require(Auditor(rules).matrix().paths.first { $0.path.text == "/x/{id}" })
    #expect(path.columns.labels.allSatisfy { !$0.contains("member") })
    let get = try #require(path.rows.first { $0.operation.method == .get })
    #expect(get.cells.map { $0.answer } == [.never, .onlyIf])
  }

  /// Maps that may be nearly the same, in six statements for one path: more than can be related.
  private static let wide =
    "match /c/{x} {"
    + (0..<6).map { n in
      let fields = (0..<5).map { "'f\(n)\($0)'" }.joined(separator: ", ")
      let (new, old) = ("request.resource.data", "resource.data")
      return """
        allow update: if request.auth != null && resource.data.kind == \(n)
          && \(new).m\(n).diff(\(old).m\(n)).affectedKeys().hasOnly([\(fields)])
          && \(new).f\(n)0 == \(old).f\(n)0;
        """
    }.joined(separator: "\n") + "}"

  @Test(.long) func whatIsTooMuchToRelateIsDecidedAsFarAsItGoes() throws {
    let rules = try Asked(Self.wide, "").rules
    let matrix = Auditor(rules) { Budget(steps: 3_000_000) }.matrix()
    let path = try #require(matrix.paths.first { $0.path.text == "/c/{x}" })
    let updates = path.rows.filter { $0.operation.method == .update }
    #expect(updates.count > 6)
    for row in updates {
      #expect(row.cells.map { $0.answer } == [.never, .onlyIf], "\(row.operation.label)")
      // What is granted was decided by the evaluator, and the conditions are those of the file.
      #expect(row.cells[1].allowed != nil && row.cells[1].denied != nil)
      #expect(row.cells[1].alternatives.allSatisfy { $0.residual.text.contains("affectedKeys") })
    }
  }
}
