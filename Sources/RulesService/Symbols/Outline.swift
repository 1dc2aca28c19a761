package import RulesLang

/// A part of a text that editors list: a service, a match block, a statement, a function, a test.
package struct OutlineItem: Sendable {
  /// What it is.
  package enum Kind: Sendable {
    case service, match, allow, function, suite, group, test, claim
  }

  /// What it is.
  package var kind: Kind
  /// How it is listed.
  package var name: String
  /// What is shown beside the name.
  package var detail = ""
  /// All of it.
  package var range: SourceRange
  /// What stands for it, inside of `range`.
  package var nameRange: SourceRange
  /// The parts in it, in order.
  package var children: [OutlineItem] = []
}

extension OutlineItem {
  /// The parts of rules.
  static func all(in rules: Ruleset) -> [OutlineItem] {
    let services = rules.services.map { service in
      OutlineItem(
        kind: .service, name: String(service.name.text), range: service.range,
        nameRange: service.name.range,
        children: (service.matches.map { item($0, in: rules) }
          + service.functions.map { item($0, in: rules) }).inOrder)
    }
    return (services + rules.fileFunctions.map { item($0, in: rules) }).inOrder
  }

  private static func item(_ id: FunctionID, in rules: Ruleset) -> OutlineItem {
    let function = rules[id]
    let parameters = function.parameters.map { String($0.text) }.joined(separator: ", ")
    return OutlineItem(
      kind: .function, name: String(function.name.text), detail: "(\(parameters))",
      range: function.range.union(function.name.range), nameRange: function.name.range)
  }

  /// Recurses as deeply as match blocks nest, which the parser limits.
  private static func item(_ id: MatchID, in rules: Ruleset) -> OutlineItem {
    let match = rules[id]
    let children =
      match.matches.map { item($0, in: rules) } + match.functions.map { item($0, in: rules) }
      + match.allows.map { item($0, in: rules) }
    return OutlineItem(
      kind: .match, name: rules.source.string(match.patternRange),
      range: match.range.union(match.patternRange), nameRange: match.patternRange,
      children: children.inOrder)
  }

  private static func item(_ id: AllowID, in rules: Ruleset) -> OutlineItem {
    let allow = rules[id]
    let words = allow.operations.map { String($0.text) }.joined(separator: ", ")
    return OutlineItem(
      kind: .allow, name: "allow \(words)", range: allow.range.union(allow.operationsRange),
      nameRange: allow.operationsRange)
  }
}

extension [OutlineItem] {
  /// By place.
  fileprivate var inOrder: [OutlineItem] { sorted { $0.range.start < $1.range.start } }
}
