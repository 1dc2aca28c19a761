import RulesEval
import RulesLang
import RulesSolver
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesTesting

/// What changes of one file ask of a search that they have in common, beside comparisons of two files.
@Suite struct MutantSearchTests {
  private static let files = [
    """
    function signedIn() { return request.auth != null; }
    function owns(id) { let uid = request.auth.uid; return signedIn() && uid == id; }
    match /users/{id} {
      allow get: if owns(id) || resource.data.open == true && signedIn();
      allow list: if signedIn() && resource.data.level < 3;
      allow create: if owns(id) && request.resource.data.keys().hasOnly(['name', 'age'])
        && request.resource.data.name is string && request.resource.data.name.size() > 0
        && (request.resource.data.age is int ? request.resource.data.age >= 0 : true);
      allow update: if owns(id) && signedIn() && request.resource.data.kind in ['a', 'b']
        && request.resource.data.count == resource.data.count + 1;
      allow update, delete: if request.auth.token.role == 'admin';
    }
    match /{kind}/{id} { allow delete: if kind == 'rooms' && (owns(id) || kind.matches('r.*')); }
    """,
    """
    function after(id) { return getAfter(/databases/$(database)/documents/names/$(id)).data; }
    match /users/{id} {
      allow create: if request.auth.uid == id && after(id).owner == id && id != 'root';
      allow get: if request.auth.uid == id || id == 'public' && request.auth != null;
    }
    match /names/{id} { allow create: if request.auth.uid == id && id != 'root' && request.auth != null; }
    match /{all=**} { allow get: if request.auth.token.admin == true; }
    """,
  ]

  /// What was compiled, found out and learned for other changes alters no answer.
  @Test(arguments: zip(files, [3, 1]))
  func changesDoWhatFilesWithThemDo(_ blocks: String, _ idle: Int) throws {
    let engine = Engine(try Scripted.checked(blocks))
    let judge = EditJudge(engine)
    var counts = (nothing: 0, something: 0)
    for edit in engine.rules.ruleset.mutants() {
      let changed = try #require(judge.applying(edit))
      let alone = RulesComparison(from: engine, to: changed.engine).effect()
      switch (judge.effect(of: changed), alone) {
      case (.nothing, .nothing): counts.nothing += 1
      case (.something(let one, let isLoosened), .something(let other, let wasLoosened)):
        counts.something += 1
        #expect(isLoosened == wasLoosened && one.verb == other.verb, "\(edit.summary)")
        #expect(String(describing: one.request) == String(describing: other.request))
      case (let one, let other): Issue.record("\(edit.summary): \(one), alone \(other)")
      }
    }
    #expect(counts.nothing >= idle && counts.something > 15, "\(counts)")
  }

  /// Keys that are not told apart from others would say less, so what is shared must have all names.
  @Test(arguments: files)
  func changesBringNoNames(_ blocks: String) throws {
    let engine = Engine(try Scripted.checked(blocks))
    let shared = SharedComparison(engine.rules)
    var count = 0
    for edit in engine.rules.ruleset.mutants() {
      let overlay = Overlay([edit.edit])
      if shared.edits(overlay).own.widens { continue }
      let version = try #require(engine.rules.changed(by: overlay))
      for method in RulesLang.Method.allCases {
        let scenario = Scenario(method: method, access: .document, path: ["users", nil])
        var vocabulary = Vocabulary(version)
        vocabulary.addConditions(for: scenario)
        let names = Set(shared.names(for: scenario))
        #expect(names.isSuperset(of: vocabulary.sorted), "\(edit.summary)")
        count += 1
      }
    }
    #expect(count > 60)
  }

  /// What is found out once is paid by the file, so that a budget for it ends that.
  @Test func whatIsSharedIsPaidFor() throws {
    let engine = Engine(try Scripted.checked(Self.files[0]))
    let whole = Budget(steps: 40_000)
    let judge = EditJudge(engine, within: whole)
    for edit in engine.rules.ruleset.mutants().prefix(10) {
      switch judge.effect(of: edit) {
      case .nothing, .something: break
      case .invalid, .unknown: Issue.record("\(edit.summary) has a budget of its own")
      }
    }
    #expect(whole.isSpent)
  }
}
