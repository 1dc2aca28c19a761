import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesTesting

/// A change that is made in the tree is the one that its text makes.
@Suite struct MutantTreeTests {
  /// Chains in which another operator joins other operands, and names that mean something else.
  private static let chains = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{db}/documents {
        function f(a, b) {
          let c = a && b || a && !b;
          let d = a || b && c || (a || b) && c && a;
          return c && d || a && (b || c && d) ? a || b && c : !(a && b || c);
        }
        function g(x) { return x is int && -1 < x && x + 1 <= 5 || x in [1, 2, -3]; }
        match /a/{id} {
          allow read, write: if request.auth.uid == id && f(true, false) || g(3) && !g(4);
          allow get, list: if resource == null || resource.data.a[0] == request.resource.data.a[0:2];
          allow create: if request.resource.data.keys().hasOnly(['a', 'b', "c"]) && true;
          allow update, delete;
          allow write: if exists(/databases/$(db)/documents/a/$(resource.data.b || id)) && id != 'x';
          allow delete: if {'a': resource.data.a && true}.a.diff(resource.data).affectedKeys().hasAny(['b', 'c']);
        }
        match /b/{request} {
          allow read: if request == 'x' && resource.data.a >= 1 && resource.data.b > 2;
        }
      }
    }
    """

  private static func texts() -> [String] {
    var texts = [chains, chains.replacing("{request}", with: "{other}")]
    for seed in UInt64(1)...40 {
      var maker = PairMaker(seed: seed)
      let pair = maker.pair()
      texts += [pair.old, pair.new]
    }
    return texts
  }

  @Test(.long) func theTreeIsThatOfTheText() throws {
    var inTree: [Mutator: Int] = [:]
    for text in Self.texts() {
      let rules = try #require(Checker.check(SourceText(name: "a.rules", text)).checked, "\(text)")
      for edit in rules.ruleset.mutants() {
        let read = Checker.check(edit.applied(to: rules.ruleset.source)).checked
        let changed = try #require(
          rules.changed(by: Overlay([edit.edit])), "\(edit.summary)\n\(text)")
        inTree[edit.mutator, default: 0] += 1
        let written = try #require(read, "\(edit.summary)\n\(text)")
        Self.expectAlike(changed, written, "\(edit.summary)\n\(text)")
        Self.expectInOrder(changed, "\(edit.summary)\n\(text)")
      }
    }
    for mutator in Mutator.allCases {
      #expect(inTree[mutator, default: 0] > 3, "\(mutator.rawValue)")
    }
  }

  /// Expects that two files have the same statements and functions, built alike.
  private static func expectAlike(_ tree: Checked, _ text: Checked, _ what: String) {
    var structures = Structures()
    func number(_ body: Body?, _ rules: Checked, _ side: DiffSide) -> Int? {
      body.map { structures.number(of: $0.root, in: rules, side: side) }
    }
    #expect(tree.methods == text.methods, "\(what)")
    #expect(tree.ruleset.allows.count == text.ruleset.allows.count)
    for (one, other) in zip(tree.ruleset.allows, text.ruleset.allows) {
      let pair = (number(one.condition, tree, .old), number(other.condition, text, .new))
      #expect(pair.0 == pair.1, "\(what)")
    }
    for (one, other) in zip(tree.ruleset.functions, text.ruleset.functions) {
      for (left, right) in zip(one.bodies, other.bodies) {
        #expect(number(left, tree, .old) == number(right, text, .new), "\(what)")
      }
    }
  }

  /// Expects that bodies are of their own nodes, operands before what uses them.
  private static func expectInOrder(_ rules: Checked, _ what: String) {
    let bodies =
      rules.ruleset.allows.compactMap { $0.condition }
      + rules.ruleset.functions.flatMap { $0.bodies }
    for body in bodies {
      for id in body.nodes {
        for operand in rules.ruleset[id].operands {
          #expect(body.first <= operand && operand < id, "\(what)")
        }
      }
    }
    let tables = [rules.bindings.count, rules.types.count]
    #expect(tables.allSatisfy { $0 == rules.ruleset.expressions.count })
  }

  /// A version that is nested too deeply is none, as its text would not compile.
  @Test func whatIsNestedTooDeeplyIsNoVersion() throws {
    let chain = (0..<60).map { "id == '\($0)'" }.joined(separator: " && ")
    let rules = try Scripted.checked("match /a/{id} { allow read: if \(chain) || \(chain); }")
    let judge = EditJudge(Engine(rules))
    var deep = 0
    for mutation in rules.ruleset.mutants() {
      let read = rules.checkAgain(mutation.applied(to: rules.ruleset.source)).checked
      #expect((judge.applying(mutation) == nil) == (read == nil), "\(mutation.summary)")
      if read == nil { deep += 1 }
    }
    #expect(deep == 1)
  }

  /// Blocks that overlap, and requests that meet several.
  private static let overlapping = """
    function signedIn() { return request.auth != null; }
    match /t/{id} {
      allow get, list: if request.auth.uid == 'a' || resource.data.x == 1;
      allow create: if signedIn() && request.resource.data.x > 1;
    }
    match /{c}/{id} { allow create, update: if c == 'u' && request.auth.uid == 'b'; }
    match /u/{id} {
      allow read: if id == request.auth.uid;
      match /t/{x} { allow read, delete: if exists(/databases/$(database)/documents/t/$(x)); }
    }
    match /{p=**}/t/{id} { allow list: if signedIn() && !(request.auth.uid == 'b'); }
    """
  private static let operations = [
    #""get": "/t/a""#, #""get": "/u/a""#, #""get": "/v/a""#, #""get": "/u/a/t/b""#,
    #""list": "/t""#, #""list": "/t", "query": {"where": [["x", "==", 1]]}"#, #""list": "/u/a/t""#,
    #""list": "/t", "collectionGroup": true"#, #""create": "/t/b", "data": {"x": 1}"#,
    #""create": "/t/b", "data": {"x": 2}"#, #""create": "/u/b", "data": {}"#,
    #""update": "/t/a", "data": {"x": 5}"#, #""delete": "/u/a/t/b""#,
    #""batch": [{"create": "/t/b", "data": {"x": 2}}, {"create": "/u/b", "data": {}}]"#,
    #""batch": [{"create": "/u/b", "data": {}}, {"create": "/t/b", "data": {"x": 2}}]"#,
    #""batch": [{"delete": "/u/a/t/b"}, {"create": "/t/b", "data": {"x": 0}}]"#,
  ]

  /// A change in blocks that had no part in a decision changes nothing about it.
  @Test func whatHadNoPartDoesNotMatter() throws {
    let requests = [#"null"#, #"{"uid": "a"}"#, #"{"uid": "b"}"#].flatMap { user in
      Self.operations.map { #"{"as": \#(user), \#($0), "expect": "allow"}"# }
    }
    let text =
      #"{"documents": {"/t/a": {"x": 1}}, "tests": ["# + requests.joined(separator: ",") + "]}"
    let suite = try #require(SuiteReader.read(SourceText(name: "s", text)).suite)
    #expect(suite.tests.count == 3 * Self.operations.count)
    let engine = Engine(try Scripted.checked(Self.overlapping))
    let judge = EditJudge(engine)
    func run(_ test: RulesEval.Test, by engine: Engine) -> Decision? {
      engine.run(test, documents: suite.documents, now: .epoch, isRemarking: false).decision
    }
    let before = try suite.tests.map { try #require(run($0, by: engine)) }
    let blocks = before.map { judge.blocks(of: [$0]) }
    var (without, changes) = (0, 0)
    for edit in engine.rules.ruleset.mutants() {
      guard let changed = judge.applying(edit) else { continue }
      let written = try #require(engine.reading(edit))
      for (place, test) in suite.tests.enumerated() {
        let after = [run(test, by: changed.engine), run(test, by: written)].map { $0?.isAllowed }
        #expect(after[0] == after[1], "\(edit.summary): \(requests[place])")
        if after[0] != before[place].isAllowed { changes += 1 }
        guard !changed.mayMatter(to: blocks[place]) else { continue }
        without += 1
        #expect(after[0] == before[place].isAllowed, "\(edit.summary): \(requests[place])")
      }
    }
    #expect(without > 500 && changes > 100, "\(without), \(changes)")
  }
}
