/// What the names of rules refer to, whether the rules compile or not: what editors ask while somebody is
/// typing.
///
/// Of rules that compile it says what `Checked` says. Of others it is as good as what the parser has
/// understood: names in text that it has passed over are missing.
package struct NameTable: Sendable {
  /// The syntax.
  package let ruleset: Ruleset
  /// What each expression refers to, by `ExprID`.
  package let bindings: [Binding]
  /// The patterns and captures of match blocks, by `MatchID`.
  package let matches: [MatchFacts]
  /// What is known about the type of each expression, by `ExprID`.
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

  /// What an expression refers to.
  package func binding(_ id: ExprID) -> Binding { bindings[id.index] }

  /// The function of the rules that a name means inside a scope.
  package func function(_ name: Text, in owner: ScopeOwner) -> FunctionID? {
    scopes.function(name, in: owner)
  }

  /// The functions of the rules that can be called from a scope, those further in first; one that
  /// another of the same name hides is left out.
  package func functions(in owner: ScopeOwner) -> [FunctionID] {
    ruleset.functions.indices.map { FunctionID($0) }.filter {
      scopes.function(ruleset[$0].name.text, in: owner) == $0
    }
  }

  /// The captures that a scope sees, outermost first; hidden ones are left out.
  package func captures(in owner: ScopeOwner) -> [Name] {
    guard case .match(let match) = owner else { return [] }
    let captures = matches[match.index].captures
    return captures.indices.filter { index in
      !captures[(index + 1)...].contains { $0.text == captures[index].text }
    }.map { captures[$0] }
  }

  /// The record that an expression is, by how it is written: `request.auth`, `resource`, …
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
