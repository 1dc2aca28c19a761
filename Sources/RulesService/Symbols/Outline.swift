package import RulesLang

/// An entry in the outline of a text: a service, match block, statement, function or test.
package struct OutlineItem: Sendable {
  /// The kind of an entry.
  package enum Kind: Sendable {
    case service, match, allow, function, suite, group, test, claim
  }

  /// The kind.
  package var kind: Kind
  /// The name in the list.
  package var name: String
  /// The detail beside the name.
  package var detail = ""
  /// The range of the whole entry.
  package var range: SourceRange
  /// The range of its name, inside of `range`.
  package var nameRange: SourceRange
  /// The entries inside, in order.
  package var children: [OutlineItem] = []
}

extension OutlineItem {
  /// Returns the outline of rules.
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

  /// Returns the entry of a match block. Recurses as deeply as match blocks nest, which the parser limits.
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
  /// The entries sorted by place.
  fileprivate var inOrder: [OutlineItem] { sorted { $0.range.start < $1.range.start } }
}
