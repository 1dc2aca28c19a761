/// Checks of Google's compiler while it builds the tree, before it resolves names: globs in the wrong place,
/// namespaces used as names, expressions that are nested too deeply.
///
/// After one of these errors it does not reach the checks of `Resolver`, `LimitCheck` and `CallGraph`, so
/// neither do we (Docs/Language.md §10).
enum FormCheck {
  /// Returns every such mistake; with `known`, only those in the functions added to these rules.
  static func run(_ ruleset: Ruleset, extending known: Checked? = nil) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for match in known == nil ? ruleset.matches : [] {
      diagnostics += globs(in: match.pattern, ruleset.version)
      for part in match.pattern { check(part.binding, into: &diagnostics) }
    }
    for function in ruleset.functions.dropFirst(known?.ruleset.functions.count ?? 0) {
      for parameter in function.parameters { check(parameter, into: &diagnostics) }
      for binding in function.lets { check(binding.name, into: &diagnostics) }
    }
    return diagnostics + NestingCheck.run(ruleset, after: known?.ruleset.expressions.count ?? 0)
  }

  private static func globs(in pattern: [PathPart], _ version: RulesVersion) -> [Diagnostic] {
    let own = pattern.filter { $0.isGlob }
    switch version {
    case .one:
      return own.filter { $0.range != pattern.last?.range }.map { .globNotLast(at: $0.range) }
    case .two:
      return own.dropFirst().map { .secondGlob(at: $0.range) }
    }
  }

  private static func check(_ name: Name?, into diagnostics: inout [Diagnostic]) {
    guard let name, Builtins.namespaces.contains(name.text) else { return }
    diagnostics.append(.namespaceAsVariable(name))
  }
}

extension PathPart {
  /// True if the part is `{name=**}`.
  public var isGlob: Bool {
    if case .glob = kind { return true }
    return false
  }
}
