import RulesEval
import RulesLang
import RulesSolver
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesTesting

/// What comparisons of versions of one file learn from each other changes none of their answers.
@Suite struct SharedTrialTests {
  private static let blocks = """
    function signedIn() { return request.auth != null; }
    function owns(id) { return signedIn() && request.auth.uid == id; }
    function role() {
      let user = get(/databases/$(database)/documents/users/$(request.auth.uid)).data;
      return user.role is string ? user.role : 'none';
    }
    function isStaff() { return signedIn() && (role() == 'staff' || role() == 'admin'); }
    function isShort(data) { return data.keys().size() <= 3 && data.size() < 5; }
    match /{path=**}/notes/{id} { allow list: if isStaff() || resource.data.open == true; }
    match /{all=**} { allow read: if isStaff() && role() == 'admin'; }
    match /users/{id} {
      allow get: if owns(id) || isStaff();
      allow update: if owns(id) && request.resource.data.role == resource.data.role
        && isShort(request.resource.data) && request.resource.data.name is string
        && request.resource.data.name.size() > 0;
      allow update: if isStaff() && role() == 'admin' && signedIn();
      match /notes/{note} {
        allow read: if owns(id);
        allow create: if owns(id) && request.resource.data.keys().hasOnly(['a', 'b'])
          && (request.resource.data.a == 1 || !('b' in request.resource.data));
      }
    }
    match /{kind}/{id} {
      allow get: if (kind == 'rooms' || kind.matches('team.')) && isStaff() && resource.data.a == 1;
      allow update: if kind != 'users' && (owns(id) || isStaff());
    }
    match /teams/{id} {
      allow read: if signedIn() && request.auth.uid in resource.data.members;
      allow write: if isStaff() && isStaff() && isStaff() && isStaff() && isStaff() && isStaff();
      allow delete: if true && isStaff();
    }
    """

  /// Conditions that look at what other writes of a commit leave behind, beside some that do not.
  private static let aheadBlocks = """
    function signedIn() { return request.auth != null; }
    function owns(id) { return signedIn() && request.auth.uid == id; }
    function after(kind, id) { return getAfter(/databases/$(database)/documents/$(kind)/$(id)); }
    match /users/{id} {
      allow get: if owns(id) || signedIn() && resource.data.open == true;
      allow create: if owns(id) && after('names', id).data.owner == request.auth.uid
        && existsAfter(/databases/$(database)/documents/names/$(id)) && signedIn();
      allow update: if owns(id) && request.resource.data.n == after('counts', id).data.n;
    }
    match /names/{id} {
      allow create: if owns(id) && request.resource.data.owner == request.auth.uid;
      allow delete: if signedIn() && !existsAfter(/databases/$(database)/documents/users/$(id));
    }
    match /counts/{id} {
      allow create: if signedIn() && request.resource.data.n == 0 && owns(id);
      allow update: if owns(id) && request.resource.data.n == resource.data.n + 1;
    }
    match /{kind}/{id} { allow update: if kind == 'rooms' && signedIn() && owns(id); }
    """

  /// All that can be taken out in effect.
  static func removals(_ search: RedundancySearch) -> [Removal] {
    search.bodies.flatMap { body in
      body.chains.flatMap { chain in
        chain.operands.indices.map { Removal.operand(chain: chain.id, index: $0) }
      } + body.conditionals.map { .branch($0, keepsFirst: true) }
    } + search.rules.grantingStatements.map { .statement($0) }
  }

  /// One of the removals, and some others that are made before it.
  static func drawn(
    from all: [Removal], _ random: inout SplitMix
  ) -> (others: [Removal], removal: Removal) {
    let drawn = (0...Int(random.next() % 4)).map { _ in all[Int(random.next() % UInt64(all.count))]
    }
    return (Array(drawn.dropLast()), drawn[drawn.count - 1])
  }

  @Test(arguments: 0..<Wanted.cases(1, of: 6), [blocks, aheadBlocks])
  func versionsAreToldApartAsByThemselves(_ seed: Int, _ blocks: String) throws {
    var random = SplitMix(seed: UInt64(seed))
    let search = RedundancySearch(Engine(try Scripted.checked(blocks)))
    let all = Self.removals(search)
    var decided = 0
    for _ in 0..<20 {
      let (others, removal) = Self.drawn(from: all, &random)
      let (from, to) = (search.text.inEffect(others), search.text.inEffect(others + [removal]))
      let shared = search.trial.effect(from: from, to: to)
      var comparison = RulesComparison(
        from: try #require(search.trial.engine(from.overlay)),
        to: try #require(search.trial.engine(to.overlay)))
      comparison.shrinks = false
      switch (shared, comparison.effect()) {
      case (.nothing, .nothing), (.something, .something): decided += 1
      case (.nothing, .something), (.something, .nothing):
        Issue.record("\(others), \(removal): \(shared)")
      default: break
      }
    }
    #expect(decided >= 16)
  }

  /// What is taken over from other versions is what would have been compiled, also of the other writes of a
  /// commit.
  @Test(arguments: 0..<Wanted.cases(1, of: 4), [blocks, aheadBlocks])
  func partsThatAreTakenOverAreTheSame(_ seed: Int, _ blocks: String) throws {
    var random = SplitMix(seed: UInt64(seed))
    let rules = try Scripted.checked(blocks)
    let search = RedundancySearch(Engine(rules))
    let all = Self.removals(search)
    let shared = SharedComparison(rules)
    var structures = Structures(sharing: shared)
    let paths: [[Text?]] = [["users", nil], ["users", nil, "notes", nil], ["teams", nil]]
    var compared = 0
    for _ in 0..<40 {
      let (others, removal) = Self.drawn(from: all, &random)
      let old = search.text.inEffect(others).overlay
      let new = search.text.inEffect(others + [removal]).overlay
      let trees = (try #require(rules.changed(by: old)), try #require(rules.changed(by: new)))
      for path in paths {
        let method: RulesLang.Method = [.get, .update, .create][Int(random.next() % 3)]
        let scenario = Scenario(method: method, access: .document, path: path)
        let pair = SharedComparison.Pair(
          old: shared.met(old, by: scenario, except: []),
          new: shared.met(new, by: scenario, except: []))
        let goal = DiffGoal(
          from: trees.0, to: trees.1, in: scenario, except: [],
          structures: &structures, meeting: pair)
        if goal.isSameProgram { continue }
        for half in [goal.old, goal.new] {
          let again = Compiler(half.compiler.rules, continuing: goal.new.compiler)
          #expect(half.statements.map { again.grants($0) } == half.grants, "\(others) \(removal)")
          compared += 1
        }
        for (tree, half) in zip([trees.0, trees.1], [goal.old, goal.new]) {
          let again = Compiler(tree, continuing: goal.new.compiler)
          #expect(again.otherWritesAreGranted() == half.commit, "\(others) \(removal)")
        }
      }
    }
    #expect(compared >= 10)
  }

  // MARK: What requests meet

  /// Only requests whose conditions look at other writes depend on what these meet.
  @Test func otherWritesAreMetByWhoLooksAhead() throws {
    let rules = try Scripted.checked(Self.aheadBlocks)
    let shared = SharedComparison(rules)
    func allow(_ path: Text, _ method: RulesLang.Method) throws -> AllowID {
      try #require(
        rules.grantingStatements.first {
          rules.methods[$0.index] == MethodSet(method)
            && rules.matches[rules.ruleset[$0].match.index].pattern.contains(.literal(path))
        })
    }
    let name = RulesEdit.condition(try allow("names", .create), false)
    let user = RulesEdit.condition(try allow("users", .get), false)
    func met(_ method: RulesLang.Method, _ path: [Text?]) -> SharedComparison.RelevantEdits {
      shared.met(
        Overlay([name, user]), by: Scenario(method: method, access: .document, path: path),
        except: [])
    }
    let users: [Text?] = ["users", nil]
    #expect(met(.create, users).others.contains(name) && met(.create, users).edits.isEmpty)
    #expect(met(.get, users).edits == [user] && met(.get, users).others.isEmpty)
    #expect(met(.update, ["counts", nil]).isItself)
    #expect(met(.create, ["names", nil]).edits == [name])
    #expect(met(.create, ["names", nil]).others.isEmpty)
  }

  @Test func onlyWhatIsMetTellsVersionsApart() throws {
    let rules = try Scripted.checked(Self.blocks)
    let shared = SharedComparison(rules)
    let teams = Scenario(method: .get, access: .document, path: ["teams", nil])
    let users = Scenario(method: .get, access: .document, path: ["users", nil])
    let allow = try #require(
      rules.grantingStatements.first { rules.methods[$0.index] == MethodSet(.update) })
    let silent = RulesEdit.condition(allow, false)
    #expect(shared.met(Overlay([silent]), by: teams, except: []).edits.isEmpty)
    #expect(shared.met(Overlay([silent]), by: users, except: []).edits.isEmpty)
    let update = Scenario(method: .update, access: .document, path: ["users", nil])
    #expect(shared.met(Overlay([silent]), by: update, except: []).edits == [silent])
    // Whom a statement is for may be changed for any method.
    let methods = RulesEdit.methods(allow, .read)
    #expect(shared.met(Overlay([methods]), by: users, except: []).edits == [methods])
    #expect(shared.met(Overlay([methods]), by: teams, except: []).edits.isEmpty)
  }

  /// A question that has nothing left says nothing about limits for those after it.
  @Test func whatWasNotTriedIsNotRemembered() throws {
    let shared = SharedComparison(try Scripted.checked(Self.blocks))
    let scenario = Scenario(method: .get, access: .document, path: ["teams", nil])
    let met = shared.met(.none, by: scenario, except: [])
    let spent = Budget(steps: 1)
    spent.charge(2)
    #expect(spent.isSpent)
    #expect(!shared.staysWithinLimits(met, within: spent) { false })
    #expect(shared.staysWithinLimits(met, within: Budget()) { true })
    #expect(shared.staysWithinLimits(met, within: Budget()) { false })
  }

  /// With more kinds of requests than are attacked, the others stay untried for later comparisons.
  @Test func whatWasPassedOverIsTriedLater() throws {
    let paths = (0..<30).map { "c\($0)" }
    let blocks = paths.map { "match /\($0)/{id} { allow read, write: if signedIn(); }" }
    let rules = try Scripted.checked(
      "function signedIn() { return request.auth != null && request.auth != null; }"
        + blocks.joined(separator: " "))
    let engine = Engine(rules)
    let search = RedundancySearch(engine)
    let chain = try #require(search.bodies.flatMap { $0.chains }.first)
    let overlay = search.text.inEffect([.operand(chain: chain.id, index: 0)]).overlay
    let changed = try #require(rules.changed(by: overlay))
    let shared = SharedComparison(rules)
    var comparison = RulesComparison(
      from: engine, to: Engine(changed), sharing: Attack(engine), within: Budget())
    comparison.shrinks = false
    comparison.shared = shared
    comparison.edits = (shared.edits(.none), shared.edits(overlay))
    guard case .nothing = comparison.effect() else {
      Issue.record("one of two equal operands decides something")
      return
    }
    var (alike, tried) = (0, 0)
    for path in paths {
      for method in RulesLang.Method.allCases where method != .list {
        let scenario = Scenario(method: method, access: .document, path: [Text(path), nil])
        let (isAlike, untried) = shared.areAlike(
          SharedComparison.Pair(
            old: shared.met(.none, by: scenario, except: []),
            new: shared.met(overlay, by: scenario, except: [])))
        if isAlike { alike += 1 }
        if isAlike, untried == nil { tried += 1 }
      }
    }
    #expect(alike == 120)
    #expect(0 < tried && tried <= Strategy.attackedKinds)
  }

  /// An attack without a hit proves nothing of versions that a search has not shown to be equivalent.
  @Test func anAttackIsNoSearch() throws {
    let shared = SharedComparison(try Scripted.checked(Self.blocks))
    let scenario = Scenario(method: .get, access: .document, path: ["teams", nil])
    let met = shared.met(.none, by: scenario, except: [])
    let pair = SharedComparison.Pair(old: met, new: met)
    shared.noteAttacked(pair)
    #expect(!shared.areAlike(pair).0)
    shared.noteSeeming(pair, isAlike: true)
    shared.noteAttacked(pair)
    #expect(!shared.areAlike(pair).0)
    shared.noteAlike(pair, untried: nil)
    shared.noteAttacked(pair)
    #expect(shared.areAlike(pair).0)
  }

  // MARK: Bodies

  /// Parts that are redundant because of each other are not all taken out.
  @Test(arguments: [
    ("signedIn() && signedIn() && signedIn()", 2),
    ("resource.data.a == 1 || resource.data.b == 1 || resource.data.a == 1", 1),
    ("signedIn() && (signedIn() || resource.data.a == 1)", 1),
    ("owns(id) && request.auth.uid == id && signedIn() && resource.data.a == 1", 2),
  ])
  func ofPartsThatCoverEachOtherOneIsLeft(_ condition: String, _ count: Int) throws {
    let blocks = """
      function signedIn() { return request.auth != null; }
      function owns(id) { return signedIn() && request.auth.uid == id; }
      match /c/{id} { allow get: if \(condition); }
      """
    var search = RedundancySearch(Engine(try Scripted.checked(blocks)))
    let report = search.run()
    let whole = try #require(search.rules.ruleset[AllowID(0)].condition).root
    let place = search.rules.ruleset[whole].range
    let statement = report.findings.filter { place.swallows($0.range) }
    #expect(statement.count == count)
    #expect(report.openCount == 0)
  }
}

extension SharedComparison {
  /// What requests meet of such a version.
  func met(_ overlay: Overlay, by scenario: Scenario, except: [[Text?]]) -> RelevantEdits {
    met(edits(overlay), by: scenario, except: except)
  }
}

/// Requests are tried on rules that were proved to decide as the older version does.
@Suite struct ProvedTrialTests {
  private func effect(likeOlder condition: String) throws -> EditEffect {
    func engine(_ condition: String) throws -> Engine {
      Engine(try Scripted.checked("match /a/{id} { allow get: if \(condition); }"))
    }
    var comparison = RulesComparison(
      from: try engine("resource.data.n > 1 && resource.data.n > 0"),
      to: try engine("resource.data.n > 1"))
    comparison.likeOlder = try engine(condition)
    return comparison.effect()
  }

  @Test func whatIsLikeTheOlderVersionChangesNothing() throws {
    guard case .nothing = try effect(likeOlder: "resource.data.n > 1 && resource.data.n is number")
    else {
      Issue.record("it is not alike")
      return
    }
  }

  /// It would be no proof then, so nothing is concluded from it.
  @Test func whatDecidesOtherwiseLeavesTheQuestionOpen() throws {
    for other in ["true", "false", "resource.data.n > 2"] {
      guard case .unknown(let openReasons) = try effect(likeOlder: other) else {
        Issue.record("\(other): it is decided")
        continue
      }
      #expect(
        openReasons.contains { $0.openReason.reason.contains("refutes an earlier answer") },
        "\(other)")
    }
  }
}
