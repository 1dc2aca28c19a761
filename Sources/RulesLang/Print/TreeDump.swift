/// Prints a syntax tree as an indented list, for tests and for people who debug the parser.
public struct TreeDump {
  private let ruleset: Ruleset
  private var lines: [String] = []

  /// The tree of a ruleset, one declaration or expression a line.
  public static func dump(_ ruleset: Ruleset) -> String {
    var dump = TreeDump(ruleset: ruleset)
    dump.add("ruleset version \(ruleset.version.rawValue)", at: 0)
    for id in ruleset.fileFunctions { dump.function(id, at: 1) }
    for service in ruleset.services {
      dump.add("service \(String(service.name.text))", at: 1)
      for id in service.functions { dump.function(id, at: 2) }
      for id in service.matches { dump.match(id, at: 2) }
    }
    return dump.lines.joined(separator: "\n") + "\n"
  }

  private init(ruleset: Ruleset) { self.ruleset = ruleset }

  private mutating func add(_ text: String, at depth: Int) {
    lines.append(String(repeating: "  ", count: depth) + text)
  }

  private mutating func match(_ id: MatchID, at depth: Int) {
    let match = ruleset[id]
    add("match " + Self.pattern(match.pattern), at: depth)
    for id in match.functions { function(id, at: depth + 1) }
    for id in match.allows {
      let words = ruleset[id].operations.map { String($0.text) }
      add("allow " + words.joined(separator: ", "), at: depth + 1)
      if let condition = ruleset[id].condition { expression(condition.root, at: depth + 2) }
    }
    for id in match.matches { self.match(id, at: depth + 1) }
  }

  private mutating func function(_ id: FunctionID, at depth: Int) {
    let function = ruleset[id]
    let parameters = function.parameters.map { String($0.text) }
    add(
      "function \(String(function.name.text))(\(parameters.joined(separator: ", ")))", at: depth)
    for binding in function.lets {
      add("let \(String(binding.name.text))", at: depth + 1)
      expression(binding.value.root, at: depth + 2)
    }
    add("return", at: depth + 1)
    expression(function.result.root, at: depth + 2)
  }

  /// A path pattern as it could be written.
  static func pattern(_ parts: [PathPart]) -> String {
    parts.reduce("") { text, part in
      switch part.kind {
      case .literal(let segment): text + "/" + String(segment)
      case .capture(let name): text + "/{" + String(name.text) + "}"
      case .glob(let name): text + "/{" + String(name.text) + "=**}"
      case .interpolation: text + "/$(…)"
      }
    }
  }

  private mutating func expression(_ id: ExprID, at depth: Int) {
    add(Self.label(ruleset[id].kind), at: depth)
    for operand in ruleset[id].operands { expression(operand, at: depth + 1) }
  }

  private static func label(_ kind: Expression.Kind) -> String {
    switch kind {
    case .literal(let literal): "literal " + label(literal)
    case .variable(let name): "variable " + String(name.text)
    case .list: "list"
    case .map: "map"
    case .path(let parts): "path " + pattern(parts)
    case .parenthesized: "parenthesized"
    case .not: "not"
    case .negate: "negate"
    case .binary(let op, _, _): "binary " + op.symbol
    case .isType(_, let word): "is " + word.spelling
    case .conditional: "conditional"
    case .member(_, let name): "member " + String(name.text)
    case .index: "index"
    case .slice(_, let from, let to):
      "slice" + (from == nil ? "" : " from") + (to == nil ? "" : " to")
    case .call(.plain(let name), _): "call " + String(name.text)
    case .call(.namespaced(let space, let name), _):
      "call " + String(space.text) + "." + String(name.text)
    case .method(_, let name, _): "method " + String(name.text)
    case .invalid: "invalid"
    }
  }

  private static func label(_ literal: Literal) -> String {
    switch literal {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .string(let text): "'" + String(text) + "'"
    case .bytes(let octets): "bytes of \(octets.count)"
    }
  }
}
