import Testing

@testable import RulesLang

/// Versions of rules that are made by edits.
@Suite struct OverlayTests {
  private let rules: Checked
  private let allow = AllowID(0)

  init() throws {
    let text = """
      rules_version = '2';
      service cloud.firestore { match /databases/{d}/documents {
        function f(resource) { return resource == 1 || resource == 2; }
        match /a/{id} { allow read: if id == 'a' && (id == 'b' || f(3)); allow write; }
      } }
      """
    rules = try #require(Checker.check(SourceText(name: "a.rules", text)).checked)
  }

  private func nodes(where isMeant: (Expression.Kind) -> Bool) -> [ExprID] {
    rules.ruleset.expressions.indices.map { ExprID($0) }.filter { isMeant(rules.ruleset[$0].kind) }
  }

  private var disjunctions: [ExprID] {
    nodes { if case .binary(.or, _, _) = $0 { true } else { false } }
  }

  @Test func editsInsideReplacedPartsAreDropped() throws {
    let inner = try #require(disjunctions.last)
    guard case .binary(_, let left, let right) = rules.ruleset[inner].kind else { return }
    let part = RulesEdit.constant(left, true)
    let beside = RulesEdit.constant(right, false)
    let disabled = RulesEdit.condition(allow, false)
    #expect(Overlay([part, disabled], of: rules.ruleset).edits == [disabled])
    #expect(Overlay([.constant(inner, true), part], of: rules.ruleset).edits.count == 1)
    #expect(Overlay([part, beside], of: rules.ruleset).edits == [part, beside])
    let granting = Overlay([.condition(allow, true)])
    #expect(Overlay([disabled]).with(granting, of: rules.ruleset).edits == [disabled])
  }

  @Test func otherExpressionsKeepTheirNumbers() throws {
    for id in disjunctions {
      let version = try #require(rules.changed(by: Overlay([.rewritten(id, .strict)])))
      let place = try #require(rules.ruleset.place(of: id))
      let body = version.ruleset.body(at: place)
      #expect(body.first.index == rules.ruleset.expressions.count)
      for index in rules.ruleset.expressions.indices
      where rules.ruleset.place(of: ExprID(index)) != place {
        #expect(version.ruleset.expressions[index].range == rules.ruleset.expressions[index].range)
        #expect(version.bindings[index] == rules.bindings[index])
      }
    }
  }

  /// A parameter named `resource` hides the variable, so `request.resource` becomes the parameter.
  @Test func namesMeanWhatTheyMeanInTheirScope() throws {
    let uses = nodes { if case .variable(let name) = $0 { name.text == "resource" } else { false } }
    #expect(uses.count == 2)
    let use = try #require(uses.first)
    let place = try #require(rules.ruleset.place(of: use))
    #expect(rules.meaning(of: "resource", at: place) == .local(0))
    #expect(rules.meaning(of: "request", at: place) == .request)
    #expect(rules.meaning(of: "resource", at: .condition(allow)) == .resource)
    #expect(rules.meaning(of: "id", at: .condition(allow)) == .capture(1))
  }
}
