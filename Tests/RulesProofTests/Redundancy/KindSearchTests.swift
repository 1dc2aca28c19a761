import Testing

@testable import RulesEncoding
@testable import RulesEval
@testable import RulesLang
@testable import RulesProof
@testable import RulesSolver
@testable import RulesTesting

/// What versions ask as assumptions of one search, beside a search for each.
@Suite struct KindSearchTests {
  private static let blocks = """
    function signedIn() { return request.auth != null; }
    function isOwner(id) { return signedIn() && request.auth.uid == id; }
    match /users/{id} {
      allow get: if isOwner(id) || resource.data.open == true;
      allow get: if signedIn() && resource.data.get('level', 0) < 3 && resource.data.open == true;
      allow update: if isOwner(id) && request.resource.data.size() < 9 && resource.data.a == 1;
      allow update: if request.auth.token.admin == true && request.resource.data.a is int;
    }
    """

  private static let scenarios = [RulesLang.Method.get, .update].map {
    Scenario(method: $0, access: .document, path: ["users", nil])
  }

  /// In any order of versions, with errors and without, and in both directions.
  @Test(arguments: 0..<8)
  func assumptionsAreAnsweredAsByThemselves(_ seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let rules = try Scripted.checked(Self.blocks)
    let search = RedundancySearch(Engine(rules))
    let all = SharedTrialTests.removals(search)
    var structures = Structures(sharing: SharedComparison(rules))
    let shared = try #require(structures.shared)
    var counts: [Search.Result: Int] = [:]
    for _ in 0..<60 {
      let (others, removal) = SharedTrialTests.drawn(from: all, &random)
      let old = search.text.inEffect(others).overlay
      let new = search.text.inEffect(others + [removal]).overlay
      let scenario = Self.scenarios[Int(random.next() % 2)]
      let withErrors = random.next() % 3 == 0
      let pair = SharedComparison.Pair(
        old: shared.met(old, by: scenario, except: []),
        new: shared.met(new, by: scenario, except: []))
      let diff = DiffGoal(
        from: try #require(rules.changed(by: old)), to: try #require(rules.changed(by: new)),
        in: scenario, except: [],
        structures: &structures, withErrors: withErrors, meeting: pair)
      if diff.isSameProgram { continue }
      let common = try #require(diff.common)
      var questions = [true, false].map { isLoosened in
        (diff.assumptions(isLoosened: isLoosened), diff.roots(isLoosened: isLoosened))
      }
      if withErrors {
        let roots = diff.row + [!diff.old.fails, diff.new.fails]
        questions.append((roots, roots))
      }
      for (assumptions, roots) in questions {
        let found = common.search(
          for: assumptions, of: diff.goal.compiler.problem, isWhole: true, conflicts: 1000)
        let known = try #require(found).result
        let alone = diff.goal.search(for: roots, within: SearchBudget()).result
        #expect(known == alone, "\(others) \(removal)")
        counts[known, default: 0] += 1
      }
    }
    #expect(counts[.satisfiable, default: 0] > 10 && counts[.unsatisfiable, default: 0] > 10)
  }

  /// The numbers of another problem mean something else.
  @Test func onlyCopiesAreAsked() throws {
    let rules = try Scripted.checked(Self.blocks)
    let shared = SharedComparison(rules)
    let scenario = Self.scenarios[0]
    let kind = shared.met(.none, by: scenario, except: []).kind
    let common = try #require(shared.search(of: kind))
    var problem = Problem()
    let scene = ScenarioTerms(of: scenario, in: &problem)
    let stranger = Compiler(rules, in: scene, keys: shared.names(for: scenario), problem: problem)
    let grants = stranger.statements().map { stranger.grants($0) }
    #expect(common.search(for: grants, of: stranger.problem, isWhole: true, conflicts: 9) == nil)
  }

  // MARK: Problems

  /// What is taken over from another copy is the same proposition, and what only that one has is refused.
  @Test(arguments: 0..<UInt64(Wanted.cases(5, of: 20)))
  func copiesTakePropositionsFromEachOther(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    var first = Problem()
    func atom(_ number: Int, in problem: inout Problem) -> Ref {
      let term = problem.terms.variable(.unknown(number), types: .int)
      return problem.graph.atom(.atMost(term, .int, 0))
    }
    var refs = (0..<6).map { atom($0, in: &first) }
    func grow(_ problem: inout Problem, _ refs: inout [Ref]) {
      for _ in 0..<20 {
        let parts = (0..<3).map { _ in
          let ref = refs[Int(random.next() % UInt64(refs.count))]
          return random.next() % 2 == 0 ? ref : !ref
        }
        refs.append(random.next() % 2 == 0 ? problem.graph.and(parts) : problem.graph.or(parts))
      }
    }
    grow(&first, &refs)
    first.freeze()
    var other = first
    var others = refs
    // What one has and the other one has not.
    grow(&first, &refs)
    grow(&other, &others)
    for place in others.indices {
      let roots = [others[place], !others[others.count - 1 - place]]
      guard let taken = first.adopt(roots, of: other) else {
        Issue.record("\(place) was not taken")
        continue
      }
      // The same again is the same proposition here.
      for number in 0..<64 {
        func holds(_ ref: Ref, in graph: Graph) -> Bool {
          var values = [true]
          for node in 1..<graph.count {
            switch graph.atoms[node] {
            case .atMost(let term, _, _)?:
              guard case .variable(.unknown(let which)) = first.terms[term] else { return false }
              values.append(number >> which & 1 == 1)
            default:
              values.append(
                graph.children(of: node).allSatisfy { values[Int($0.node)] != $0.isNegated })
            }
          }
          return values[Int(ref.node)] != ref.isNegated
        }
        let wanted = roots.allSatisfy { holds($0, in: other.graph) }
        #expect(taken.allSatisfy { holds($0, in: first.graph) } == wanted)
      }
    }
    #expect(first.adopt([atom(7, in: &other)], of: other) == nil)
    #expect(first.adopt([refs[0]], of: Problem()) == nil)
  }
}
