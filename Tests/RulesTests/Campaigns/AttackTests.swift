import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import rules_check_dev
@testable import RulesTesting

/// Conclusions that a compiler and a search draw wrongly are refuted by requests. Here the search is
/// taken out: every question looks as if no request answered it, whatever mistake would be the reason.
@Suite struct AttackTests {
  private static let blind = ValidationPolicy(attacks: true, searches: false)

  private func engine(_ statements: String) throws -> Engine {
    let text = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents { match /c/{id} {
      \(statements)
      } } }
      """
    return Engine(try #require(Checker.check(SourceText(name: "r", text)).checked))
  }

  private func verdict(
    _ statements: String, _ methods: Method, _ obligation: Claim.Obligation
  ) throws -> Verdict {
    let path = try #require(ClaimPath("/c/{id}"))
    let claim = Claim(name: "c", path: path, methods: MethodSet(methods), obligation: obligation)
    let set = try ClaimSet([claim], about: try engine(statements).rules)
    return Prover(set, validation: Self.blind).decide(0)
  }

  /// Rules whose second statement was once taken for one that never grants, or always fails.
  private static let grants: [(String, Method)] = [
    ("allow get: if -resource.data.size() < 0;", .get),
    ("allow get: if -resource.data.keys().size() < 0;", .get),
    ("allow get: if -resource.data.size() * 2 < 0;", .get),
    ("allow get: if (resource.data.a == 1 ? resource.data.size() : 7) > 1;", .get),
    (
      "allow update: if -request.resource.data.diff(resource.data).affectedKeys().size() < 0;",
      .update
    ),
  ]

  @Test(arguments: grants)
  func findsWhatIsGranted(_ statement: String, _ methods: Method) throws {
    let verdict = try verdict(
      "allow read, write: if request.auth != null;\n" + statement, methods,
      .onlyIf(Claim.Condition("request.auth != null")))
    guard case .violated(let found) = verdict else {
      Issue.record("\(statement): \(verdict.word)")
      return
    }
    #expect(found.missed != nil)
    #expect(found.request.principal == nil)
  }

  /// Conditions that end in an error which was once not seen, with what was believed of them.
  private static let errors: [(String, Method, String)] = [
    ("resource.data.keys().hasOnly(['a'].toSet())", .get, "resource.data.keys().hasOnly(['a'])"),
    ("resource.data.keys().hasAny(['a'].toSet())", .get, "resource.data.keys().hasAny(['a'])"),
    (
      "request.resource.data.diff(resource.data).affectedKeys().difference(['a', 'b']).size() == 0",
      .update, "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['a', 'b'])"
    ),
    (
      "request.resource.data.keys().toSet().union(['a']).size() > 0", .create,
      "request.resource.data.size() > 0"
    ),
    (
      "resource.data.l.hasAny(['x'].toSet())", .get,
      "resource.data.l is list && 'x' in resource.data.l"
    ),
    ("{'a': resource.data.zz, 'a': 2}.a == 2", .get, "resource != null"),
  ]

  @Test(arguments: errors)
  func findsWhatFails(_ condition: String, _ methods: Method, _ believed: String) throws {
    let word = methods.word
    let always = try verdict(
      "allow \(word): if \(condition);", methods, .alwaysIf(Claim.Condition(Text(believed))))
    guard case .violated = always else {
      Issue.record("always if: \(condition): \(always.word)")
      return
    }
    let clean = try verdict("allow \(word): if \(condition);", methods, .noErrors)
    guard case .violated = clean else {
      Issue.record("no errors: \(condition): \(clean.word)")
      return
    }
  }

  // MARK: Other questions

  private static let hidden = """
    allow read: if request.auth != null;
    allow get: if -resource.data.size() < 0;
    """

  @Test func findsDifferences() throws {
    let old = try engine(Self.hidden)
    let new = try engine("allow read: if request.auth != null;")
    let paths = RulesComparison(from: old, to: new, validation: Self.blind).run()
    let get = try #require(paths.first?.methods.first { $0.method == .get })
    #expect(get.verdict == .tightened && get.isPartial)
    // A search that is known to have missed something says nothing about the other direction.
    #expect(get.mayBeLoosened)
    #expect(paths.first?.differences.first?.witnesses.first?.missed != nil)
    let again = RulesComparison(from: new, to: old, validation: Self.blind).run()
    #expect(again.first?.methods.first { $0.method == .get }?.verdict == .loosened)
  }

  @Test func doubtsCells() throws {
    let rules = try engine(Self.hidden).rules
    let matrix = Auditor(rules, validation: Self.blind).matrix()
    let path = try #require(matrix.paths.first)
    let column = try #require(path.clients.firstIndex(of: .signedOut))
    let row = try #require(path.rows.first { $0.operation == .get })
    #expect(row.cells[column].answer == .undecided)
    #expect(row.cells[column].openReasons.contains { $0.replay != nil })
  }

  @Test func takesNothingOutThatDecides() throws {
    let engine = try engine(Self.hidden)
    var search = RedundancySearch(engine, validation: Self.blind)
    let report = search.run()
    let source = engine.rules.ruleset.source
    let texts = report.findings.map { source.string($0.range) }
    #expect(texts.isEmpty)
    #expect(!report.missed.isEmpty)
    var repair = RedundancyRepair(engine, validation: Self.blind)
    #expect(repair.remove(report.findings).isEmpty)
  }

  @Test func killsMutants() throws {
    let engine = try engine(Self.hidden)
    let judge = EditJudge(engine, validation: Self.blind)
    var equivalent: [String] = []
    for edit in engine.rules.ruleset.mutants() {
      if case .nothing = judge.effect(of: edit) { equivalent.append(edit.summary) }
    }
    #expect(equivalent.isEmpty, "\(equivalent)")
  }

  // MARK: Claims that are false by construction

  @Test func provesNoFalsehood() {
    var campaign = FalsehoodCampaign(seed: 1, validation: ValidationPolicy())
    campaign.run(0..<Wanted.cases(20, of: 120))
    print(campaign.summary)
    #expect(campaign.isGood, "\(campaign.failures.prefix(3).joined(separator: "\n"))")
  }

  /// How sharp the attack is by itself: nobody can find all, but most it must.
  @Test func refutesMostFalsehoodsByItself() {
    var campaign = FalsehoodCampaign(seed: 1, validation: Self.blind)
    campaign.run(0..<Wanted.cases(40, of: 200), only: [.claim])
    let count = campaign.counts[.claim] ?? FalsehoodCampaign.Count()
    #expect(count.asked > Wanted.cases(15, of: 75))
    #expect(count.shown * 100 > count.asked * 60, "\(campaign.summary)")
  }

  // MARK: Deciding

  /// Conditions that ask for every part of a request that lies in the machine.
  private static let asked = [
    "resource.data.a == 1 && request.query.limit != 0",
    "resource == null || resource.data.b in ['x', 'y'] || request.auth.uid == id",
    "request.path == /databases/$(database)/documents/c && request.query.kind == 'c'",
    "request.path[4] == id && request.method in ['get', 'list', 'create', 'update', 'delete']",
    "request.query.offset == 0 && request.query.orderBy.size() == 0 && !request.query.distinct",
    "request.query.parent == null && request.time < timestamp.date(2100, 1, 1)",
    "request.resource.data.a is int && request.resource.__name__[4] == id && request.writeFields != 3",
    "resource.data.a > 0 && resource.data.a < 10 && resource.id == id",
    "exists(/databases/$(database)/documents/c/u1) || resource.data.a == 'z'",
    "get(/databases/$(database)/documents/c/$(id)).data.a == 1 || request.auth.token.admin == true",
    "getAfter(/databases/$(database)/documents/c/$(id)).data.diff(get(/databases/$(database)/documents/c/$(id)).data).affectedKeys().hasOnly(['a'])",
    "existsAfter(/databases/$(database)/documents/c/$(id)) != exists(/databases/$(database)/documents/c/$(id)) || getAfter(/databases/$(database)/documents/c/$(id)).data.b == 'x'",
    "get(/databases/$(database)/documents/c/$(id)) == resource && getAfter(/databases/$(database)/documents/c/$(id)).id == id",
    "request.auth.token.admin == true && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['a'])",
  ]

  /// What a machine says of a request put together from cells is what an engine says of the request.
  @Test(arguments: asked)
  func shotsAreDecidedAsTheEngineDecides(_ condition: String) throws {
    #expect(try expectShotsAsDecided(by: try engine("allow read, write: if \(condition);")) == 0)
  }

  /// The same where most requests evaluate more than they may, before a statement that grants everything.
  @Test(arguments: Wanted.sample(of: asked))
  func shotsBeyondTheLimitAreDecidedAsTheEngineDecides(_ condition: String) throws {
    let list = (0..<85).map { "'\($0)'" }.joined(separator: ", ")
    let dear = "allow read, write: if request.auth.uid in [\(list)] && \(condition);\n"
    let statements = String(repeating: dear, count: 11)
    let last = "allow read, write: if \(condition); allow read, write: if true;"
    #expect(try expectShotsAsDecided(by: try engine(statements + last)) > 0)
  }

  /// How many of the requests evaluate too much.
  private func expectShotsAsDecided(by engine: Engine) throws -> Int {
    var stopped = 0
    let path = try #require(ClaimPath("/c/{id}"))
    let claim = Claim(name: "c", path: path, methods: [.read, .write], obligation: .never)
    let set = try ClaimSet([claim], about: engine.rules)
    var accesses: Set<Scenario.Access> = []
    for scenario in set.scenarios(of: set.claims[0]) {
      accesses.insert(scenario.access)
      let seeds = RequestSeeds([set.rules], at: scenario.path, with: [])
      let pool = RequestPool(
        for: scenario, from: MutationTable(seeds, for: scenario, number: 0), number: 0)
      let evaluator = AttackEvaluator(set.engine)
      let places = pool.first(60, by: evaluator)
      #expect(places.count > 20)
      for place in places {
        let request = pool.requests[place]
        let candidate = pool.candidate(of: request)
        let decision = try set.engine.decide(candidate.request, on: candidate.documents)
        let isSame =
          request.isAllowed == decision.isAllowed
          && request.fails == decision.tried.contains { $0.isError }
        if decision.isStoppedByLimit { stopped += 1 }
        if !isSame {
          let test = SuiteWriter.test(
            name: "", candidate.request, on: candidate.documents,
            expect: request.isAllowed ? .allow : .deny
          )
          Issue.record("the machine says \(request.isAllowed): \(JSONText(test).compact)")
        }
      }
    }
    #expect(accesses.isSuperset(of: [.document, .query, .namedQuery]))
    return stopped
  }

  /// What the machine of a version says of a request is what an engine of the version says.
  @Test(arguments: Wanted.sample(of: asked))
  func versionsAreDecidedAsTheEngineDecides(_ condition: String) throws {
    let engine = try engine(
      """
      function isIt(n) { return resource.data.a == n || request.resource.data.a == n; }
      allow read: if \(condition);
      allow get, write: if isIt(1) && (request.auth.token.admin == true || \(condition));
      """)
    let rules = engine.rules
    var edits = rules.ruleset.allows.indices.flatMap { index in
      [.condition(AllowID(index), false), .methods(AllowID(index), .write)] as [RulesEdit]
    }
    for node in rules.ruleset.expressions {
      guard case .binary(let op, let left, let right) = node.kind, op == .and || op == .or else {
        continue
      }
      edits += [.constant(left, op == .and), .constant(right, op == .and)]
    }
    let path = try #require(ClaimPath("/c/{id}"))
    let claim = Claim(name: "c", path: path, methods: [.read, .write], obligation: .never)
    let set = try ClaimSet([claim], about: rules)
    var differences = 0
    for scenario in set.scenarios(of: set.claims[0]) {
      let seeds = RequestSeeds([rules], at: scenario.path, with: [])
      let pool = RequestPool(
        for: scenario, from: MutationTable(seeds, for: scenario, number: 0), number: 0)
      let home = AttackEvaluator(engine)
      let places = pool.first(40, by: home)
      let kind = AttackEvaluator.Kind(path: scenario.path, isWrite: scenario.method.isWrite)
      for edit in edits {
        let changed = try #require(rules.changed(by: Overlay([edit])))
        let version = Engine(changed, profile: engine.profile)
        let evaluator = AttackEvaluator(version, for: kind, like: home)
        let rulings = places.map { evaluator.ruling(on: pool.requests[$0], of: pool) }
        for (place, ruling) in zip(places, rulings) {
          let request = pool.requests[place]
          let candidate = pool.candidate(of: request)
          let decision = try version.decide(candidate.request, on: candidate.documents)
          #expect(ruling?.isAllowed == decision.isAllowed, "\(edit)")
          #expect(ruling?.fails == decision.tried.contains { $0.isError }, "\(edit)")
          if request.isAllowed != decision.isAllowed { differences += 1 }
        }
      }
    }
    #expect(differences > 10)
  }

  /// Conditions of claims that look up what the request is about, or read it.
  private static let conditions = [
    "resource.data.a == 1 || request.auth.token.admin == true",
    "get(/databases/$(database)/documents/c/$(id)).data.a == 1",
    "getAfter(/databases/$(database)/documents/c/$(id)).data.b == 'x'",
    "existsAfter(/databases/$(database)/documents/c/$(id)) && get(/databases/$(database)/documents/c/$(id)).data.b != 'x'",
  ]

  /// What a machine says of a condition and a request is what the evaluator says.
  @Test(arguments: conditions)
  func conditionsAreDecidedAsTheEvaluatorDecides(_ condition: String) throws {
    let engine = try engine(
      "allow read, write: if resource.data.a == 1 || request.resource.data.b == 'x';")
    let path = try #require(ClaimPath("/c/{id}"))
    let claim = Claim(
      name: "c", path: path, methods: [.read, .write],
      obligation: .onlyIf(Claim.Condition(Text(condition))))
    let set = try ClaimSet([claim], about: engine.rules)
    let compiled = set.claims[0]
    let obligation = try #require(compiled.obligation)
    var met = (0, 0)
    for scenario in set.scenarios(of: compiled) {
      let seeds = RequestSeeds([set.rules], at: scenario.path, with: [obligation])
      let pool = RequestPool(
        for: scenario, from: MutationTable(seeds, for: scenario, number: 0), number: 0)
      let evaluator = AttackEvaluator(set.engine, conditions: [obligation])
      let places = pool.first(60, by: evaluator)
      let conditions = evaluator.conditions(
        limits: [], obligation: obligation, of: compiled, in: pool)
      for place in places {
        let request = pool.requests[place]
        let candidate = pool.candidate(of: request)
        let prepared = try PreparedRequest(
          candidate.request, on: candidate.documents, in: set.rules.database,
          profile: set.engine.profile)
        var scope = try ConditionScope(set.engine, for: candidate.path, in: prepared)
        let isMet = scope.holds(obligation, with: path.arguments(for: candidate))
        #expect(evaluator.holds(conditions, for: request, of: pool) == (true, isMet))
        if isMet { met.0 += 1 } else { met.1 += 1 }
      }
    }
    #expect(met.0 > 10 && met.1 > 10, "\(met)")
  }

  @Test func theSameRequestsEveryTime() throws {
    let engine = try engine(Self.hidden)
    let scenario = Scenario(method: .update, access: .document, path: ["c", nil])
    func texts() -> [String] {
      Attack(engine).candidates(for: scenario).map { candidate in
        JSONText(
          SuiteWriter.test(name: "", candidate.request, on: candidate.documents, expect: .allow)
        ).compact
      }
    }
    #expect(texts() == texts())
    #expect(texts().count > 20)
  }
}
