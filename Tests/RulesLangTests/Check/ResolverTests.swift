import Testing

@testable import RulesLang

/// What names mean: slots of frames and of match blocks, and who hides whom.
@Suite struct ResolverTests {
  private func source(_ blocks: String, file: String = "") -> SourceText {
    SourceText(
      name: "test.rules",
      "rules_version = '2'; \(file) service cloud.firestore { "
        + "match /databases/{database}/documents { \(blocks) } }")
  }

  private func checked(_ source: SourceText) throws -> Checked {
    let outcome = Checker.check(source)
    return try #require(outcome.checked, "\(outcome.diagnostics.map { $0.message })")
  }

  /// What each use of a variable means, in the order of the source.
  private func variables(_ name: Text, in blocks: String) throws -> [Binding] {
    uses(in: try checked(source(blocks))) { kind in
      if case .variable(let found) = kind { found.text == name } else { false }
    }
  }

  /// The line on which the function stands that each plain call of a name means; nil if none does.
  private func callees(_ name: Text, in source: SourceText) throws -> [Int?] {
    let checked = try checked(source)
    let uses = uses(in: checked) { kind in
      if case .call(.plain(let found), _) = kind { found.text == name } else { false }
    }
    return uses.map { binding in
      guard case .function(let id) = binding else { return nil }
      return source.position(of: checked.ruleset[id].name.range.start).line
    }
  }

  private func uses(in checked: Checked, where isWanted: (Expression.Kind) -> Bool) -> [Binding] {
    let expressions = checked.ruleset.expressions
    return expressions.indices.filter { isWanted(expressions[$0].kind) }
      .sorted { expressions[$0].range.start < expressions[$1].range.start }
      .map { checked.bindings[$0] }
  }

  @Test func capturesHaveSlotsFromTheOutermostBlockInwards() throws {
    let rules = "match /a/{x} { match /b/{y}/{z=**} { allow read: if x == y && z != database; } }"
    #expect(try variables("database", in: rules) == [.capture(0)])
    #expect(try variables("x", in: rules) == [.capture(1)])
    #expect(try variables("y", in: rules) == [.capture(2)])
    #expect(try variables("z", in: rules) == [.capture(3)])
  }

  @Test func blocksSideBySideHaveTheSameSlots() throws {
    let rules = "match /a/{x} { allow get: if x == ''; } match /b/{y} { allow get: if y == ''; }"
    #expect(try variables("x", in: rules) == [.capture(1)])
    #expect(try variables("y", in: rules) == [.capture(1)])
  }

  @Test func aCaptureHidesOneOfItsNameFurtherOut() throws {
    let rules =
      "match /a/{x} { allow get: if x == ''; match /b/{x} { allow get: if x == ''; } }"
    #expect(try variables("x", in: rules) == [.capture(1), .capture(2)])
    let facts = try checked(source(rules)).matches
    let inner = try #require(facts.first { $0.captures.count == 3 })
    #expect(inner.hiddenCapture(by: 2) == 1)
    #expect(inner.hiddenCapture(by: 1) == nil)
  }

  @Test func parametersAndLetsHaveSlotsInOrderAndHideCaptures() throws {
    let rules = """
      match /a/{x} {
        function f(y, x) { let z = x; let w = z + y; return w == x; }
        allow get: if f(x, 'k');
      }
      """
    #expect(try variables("x", in: rules) == [.local(1), .local(1), .capture(1)])
    #expect(try variables("y", in: rules) == [.local(0)])
    #expect(try variables("z", in: rules) == [.local(2)])
    #expect(try variables("w", in: rules) == [.local(3)])
  }

  @Test func aLetDoesNotSeeItselfNorWhatComesAfterIt() throws {
    let rules = """
      match /a/{x} {
        function f() { let b = c; let c = c; return b == c; }
        allow get: if f();
      }
      """
    #expect(
      try variables("c", in: rules) == [.unknownVariable, .unknownVariable, .local(1)])
  }

  @Test func aFunctionSeesTheCapturesAroundItsOwnDeclarationOnly() throws {
    let rules = """
      function f() { return inner == database; }
      match /a/{outer} {
        function g() { return outer == inner; }
        match /b/{inner} { allow get: if f() && g(); }
      }
      """
    #expect(try variables("inner", in: rules) == [.unknownVariable, .unknownVariable])
    #expect(try variables("outer", in: rules) == [.capture(1)])
    let said = Checker.check(source(rules)).diagnostics.filter { $0.code == .unknownVariable }
    #expect(said.map { $0.message } == .init(repeating: "Invalid variable name: inner.", count: 2))
  }

  @Test func anInnerFunctionHidesAnOuterOneWhateverItsParameters() throws {
    let source = source(
      """

      function f() { return true; }
      match /a/{x} {
        function f(y) { return y == x; }
        allow get: if f();
      }
      match /b/{x} { allow get: if f(); }
      """)
    #expect(try callees("f", in: source) == [4, 2])
    let said = Checker.check(source).diagnostics.filter { $0.code == .argumentCount }
    #expect(said.map { source.position(of: $0.range?.start ?? 0).line } == [5])
  }

  @Test func aFunctionOfTheFileIsHiddenByOneOfTheServiceAndHidesABuiltIn() throws {
    let file = "function exists(p) { return p == 1; }\nfunction f() { return false; }\n"
    let source = source(
      "\nfunction f() { return true; }\nmatch /a/{x} { allow get: if f() && exists(1); }",
      file: file)
    #expect(try callees("f", in: source) == [4])
    #expect(try callees("exists", in: source) == [1])
  }

  @Test func functionsAndVariablesAreTwoNameSpaces() throws {
    let rules =
      "match /a/{f} { function f(request) { return request == f; } allow get: if f(f); }"
    #expect(try variables("f", in: rules) == [.capture(1), .capture(1)])
    #expect(try variables("request", in: rules) == [.local(0)])
    #expect(try callees("f", in: source(rules)) == [1])
  }

  @Test(arguments: [
    ("function f() { return f(); }", "Recursive call is not allowed."),
    (
      "function f() { return g(); } function g() { return h(); } function h() { return f(); }",
      "Detected a call cycle between [f,g,h] functions."
    ),
    // Called by nobody, and through an inner function of the same name as an outer one.
    (
      "function g() { return true; } match /b/{y} { function g() { return f(); } "
        + "function f() { return g(); } allow get: if true; }",
      "Detected a call cycle between [g,f] functions."
    ),
  ])
  func recursionIsRefused(_ functions: String, _ message: String) {
    let outcome = Checker.check(
      source(functions + " match /a/{x} { allow get: if true; }"))
    #expect(outcome.checked == nil)
    let errors = outcome.diagnostics.filter { $0.severity == .error }
    #expect(errors.map { $0.message } == [message])
    #expect(errors.allSatisfy { $0.code == .recursion })
  }

  @Test func aNameMeansTheNearestFunctionEvenInsideOfThatFunction() throws {
    let inner = """
      function f() { return true; }
      match /a/{x} { function f() { return f(); } allow get: if f(); }
      """
    #expect(Checker.check(source(inner)).checked == nil)
    // Here the call stands outside of the block that has the inner one.
    let outer = """
      function f() { return true; }
      function g() { return f(); }
      match /a/{x} { function f() { return g(); }
      allow get: if f(); }
      """
    #expect(try callees("f", in: source(outer)) == [1, 3])
  }
}
