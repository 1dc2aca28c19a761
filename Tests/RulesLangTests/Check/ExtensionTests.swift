import Testing

@testable import RulesLang
@testable import RulesTesting

/// Of rules to which conditions are added only these are looked at: all names and types are those that the
/// same tree has if nothing of it is known.
@Suite struct ExtensionTests {
  private static let blocks = """
    function always() { return true; }
    function signedIn() { return request.auth != null; }
    function owner(id) { let uid = request.auth.uid; return signedIn() && uid == id; }
    function unused(a) { return nowhere.x == a && missing(a); }
    match /users/{id} {
      function hidden() { return get(/databases/$(database)/documents/users/$(id)).data.admin; }
      allow read: if owner(id) || hidden();
      allow write: if always() && request.resource.data.name.matches('[a-z]+');
      match /posts/{post} {
        function owner(x) { return id + x; }
        allow create: if owner(post) == 'ab' && hidden();
      }
    }
    match /{rest=**} { allow get: if rest == /a/b; }
    """

  @Test(
    arguments: [
      ["true"], [],
      ["owner(id) && hidden()", "resource.data.a is int", "owner('a', 1)"],
      ["nowhere == 1 && owner(nowhere.x)", "name.size() > 2", "unused(name) || always()"],
      ["exists(/databases/x/documents/a/b) && get(name).data == 1", "math.abs(name) == id"],
    ] as [[Text]])
  func whatIsAddedMeansWhatItMeansToWhoKnowsNothing(_ texts: [Text]) throws {
    let once = try compared(try Scripted.checked(Self.blocks), with: texts)
    // What was extended is extended once more.
    _ = try compared(once, with: texts.reversed() + ["signedIn()"])
  }

  @Test func rulesWithoutFunctionsAreExtendedTwice() throws {
    let rules = try Scripted.checked("match /a/{id} { allow read: if id == 'b' && nowhere; }")
    let once = try compared(rules, with: [])
    _ = try compared(once, with: ["nowhere"])
  }

  private func compared(_ rules: Checked, with texts: [Text]) throws -> Checked {
    let conditions = texts.map {
      AddedCondition(
        name: "c", parameters: ["name"], owner: .match(MatchID(rules.matches.count - 1)), text: $0)
    }
    let known = try #require(Checker.extend(rules, with: conditions).checked)
    let anew = try #require(
      Checker.check(
        Parser.Outcome(ruleset: known.ruleset, diagnostics: [], isUnderstood: true),
        for: rules.profile, of: rules.database
      ).checked)
    #expect(known.bindings == anew.bindings)
    #expect(known.types == anew.types)
    #expect(known.methods == anew.methods)
    #expect(known.blocksInOrder == anew.blocksInOrder)
    #expect(known.matches.map { $0.pattern } == anew.matches.map { $0.pattern })
    #expect(Set(known.patterns.map { $0.source }) == Set(anew.patterns.map { $0.source }))
    // Warnings of the rules' own types are theirs who have the rules.
    let own = known.ruleset.functions[rules.ruleset.functions.count...].map { $0.name.range.start }
    if let start = own.min() {
      func said(_ all: [Diagnostic]) -> [String] {
        all.filter { $0.range.map { $0.start >= start } ?? false }
          .map { "\($0.code) \($0.message) \(String(describing: $0.range))" }
      }
      #expect(said(known.warnings) == said(anew.warnings))
      #expect(!said(known.warnings).isEmpty || texts == ["true"])
    }
    return known
  }
}
