/// The meaning of names in rules, whether or not these compile: for editors, while somebody is typing.
///
/// For rules that compile it agrees with `Checked`. For others it covers what could be parsed: names in text
/// that the parser has skipped are missing.
package struct NameTable: Sendable {
  /// The syntax.
  package let ruleset: Ruleset
  /// The meaning of each expression's name, by `ExprID`.
  package let bindings: [Binding]
  /// The patterns and captures of match blocks, by `MatchID`.
  package let matches: [MatchFacts]
  /// The possible types of each expression, by `ExprID`.
  package let types: [TypeSet]
  private let scopes: Scopes

  /// Resolves the names of rules.
  package init(_ ruleset: Ruleset) {
    self.ruleset = ruleset
    matches = MatchFacts.collect(ruleset)
    scopes = Scopes(of: ruleset, slots: matches)
    var resolver = Resolver(ruleset, facts: matches)
    resolver.run()
    bindings = resolver.bindings
    var graph = CallGraph(
      ruleset, calls: resolver.calls, maximumDepth: Limits.of(.emulator).callDepth)
    graph.run()
    // Types are found along calls, which must end.
    types =
      graph.diagnostics.isEmpty
      ? ValueTypes.find(in: ruleset, with: bindings)
      : Array(repeating: .any, count: ruleset.expressions.count)
  }

  /// Returns the meaning of an expression's name.
  package func binding(_ id: ExprID) -> Binding { bindings[id.index] }

  /// Returns the function that a name refers to in a scope.
  package func function(_ name: Text, in owner: ScopeOwner) -> FunctionID? {
    scopes.function(name, in: owner)
  }

  /// Returns the functions that can be called from a scope, inner ones first, without hidden ones.
  package func functions(in owner: ScopeOwner) -> [FunctionID] {
    ruleset.functions.indices.map { FunctionID($0) }.filter {
      scopes.function(ruleset[$0].name.text, in: owner) == $0
    }
  }

  /// Returns the captures that are visible in a scope, outermost first, without hidden ones.
  package func captures(in owner: ScopeOwner) -> [Name] {
    guard case .match(let match) = owner else { return [] }
    let captures = matches[match.index].captures
    return captures.indices.filter { index in
      !captures[(index + 1)...].contains { $0.text == captures[index].text }
    }.map { captures[$0] }
  }

  /// Returns the record that an expression denotes, by its form: `request.auth`, `resource`, …
  package func record(_ id: ExprID) -> Record? {
    // The names of a chain, from the last one to the first.
    var names: [Text] = []
    var place = id
    while true {
      switch ruleset[place].kind {
      case .parenthesized(let inner): place = inner
      case .member(let base, let name):
        names.append(name.text)
        place = base
      case .variable:
        var record: Record?
        switch binding(place) {
        case .request: record = .request
        case .resource: record = .resource
        case .none, .local, .capture, .unknownVariable, .function, .builtin, .unknownFunction:
          return nil
        }
        for name in names.reversed() { record = record?.member(name)?.record }
        return record
      case .literal, .list, .map, .path, .not, .negate, .binary, .isType, .conditional, .index,
        .slice, .call, .method, .invalid:
        return nil
      }
    }
  }
}
