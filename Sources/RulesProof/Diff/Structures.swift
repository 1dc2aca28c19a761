import RulesEncoding
import RulesLang

// Two statements with equal structure, including the functions they call, are the same program:
// they agree in meaning and in cost. The names of captures, functions and parameters do not matter,
// nor does the place where functions are declared.

/// Assigns numbers to the conditions of two rules files; equal numbers mean equal structure.
struct Structures {
  private var nodes: [Node: Int] = [:]
  private var functions: [DiffSide: [FunctionID: Int]] = [:]
  private var names: [(scenario: Scenario, names: [Text])] = []

  /// The results shared by comparisons of versions of one file.
  let shared: SharedComparison?

  /// Starts without numbers.
  init(sharing shared: SharedComparison? = nil) { self.shared = shared }

  private struct Node: Hashable {
    var kind: Kind
    var parts: [Int]
  }

  private enum Kind: Hashable {
    case literal(Literal)
    case name(Binding)
    case list, map, parenthesized, not, negate, conditional, index, invalid
    case slice(hasStart: Bool, hasEnd: Bool)
    case path([PathPart.Kind?])
    case binary(BinaryOperator)
    case isType(TypeWord)
    case member(Text)
    case builtin(Binding)
    case call
    case function(parameters: Int)
    case method(Text)
  }

  /// Returns the names in conditions of either file that requests of the class can reach. The files
  /// must be the same at each call, since the names are cached by class.
  mutating func names(in old: Checked, and new: Checked, for scenario: Scenario) -> [Text] {
    if let known = names.first(where: { $0.scenario == scenario }) { return known.names }
    var all: Set<Text> = []
    for rules in [old, new] {
      var vocabulary = Vocabulary(rules)
      vocabulary.addConditions(for: scenario)
      all.formUnion(vocabulary.sorted)
    }
    names.append((scenario, all.sorted(by: Text.precedesByCodePoint)))
    return names[names.count - 1].names
  }

  private mutating func number(of kind: Kind, parts: [Int]) -> Int {
    let node = Node(kind: kind, parts: parts)
    if let known = nodes[node] { return known }
    nodes[node] = nodes.count
    return nodes.count - 1
  }

  /// Returns the structure number of an expression.
  mutating func number(of id: ExprID, in rules: Checked, side: DiffSide) -> Int {
    var parts = rules.ruleset[id].operands.map { number(of: $0, in: rules, side: side) }
    let kind: Kind
    switch rules.ruleset[id].kind {
    case .literal(let literal): kind = .literal(literal)
    case .variable: kind = .name(rules.binding(id))
    case .list: kind = .list
    case .map: kind = .map
    case .path(let written): kind = .path(written.map { $0.plainKind })
    case .parenthesized: kind = .parenthesized
    case .not: kind = .not
    case .negate: kind = .negate
    case .binary(let op, _, _): kind = .binary(op)
    case .isType(_, let word): kind = .isType(word)
    case .conditional: kind = .conditional
    case .member(_, let name): kind = .member(name.text)
    case .index: kind = .index
    case .slice(_, let start, let end): kind = .slice(hasStart: start != nil, hasEnd: end != nil)
    case .method(_, let name, _): kind = .method(name.text)
    case .invalid: kind = .invalid
    case .call:
      guard case .function(let function) = rules.binding(id) else {
        kind = .builtin(rules.binding(id))
        break
      }
      parts.append(number(of: function, in: rules, side: side))
      kind = .call
    }
    return number(of: kind, parts: parts)
  }

  private mutating func number(
    of function: FunctionID, in rules: Checked, side: DiffSide
  ) -> Int {
    if let known = functions[side]?[function] { return known }
    let declaration = rules.ruleset[function]
    let parts = declaration.bodies.map { number(of: $0.root, in: rules, side: side) }
    let result = number(of: .function(parameters: declaration.parameters.count), parts: parts)
    functions[side, default: [:]][function] = result
    return result
  }
}

extension PathPart {
  /// The kind without the positions of names; nil for an interpolation.
  fileprivate var plainKind: Kind? {
    switch kind {
    case .literal: kind
    case .capture(let name): .capture(Name(name.text, at: SourceRange(start: UInt32(0), end: 0)))
    case .glob(let name): .glob(Name(name.text, at: SourceRange(start: UInt32(0), end: 0)))
    case .interpolation: nil
    }
  }
}
