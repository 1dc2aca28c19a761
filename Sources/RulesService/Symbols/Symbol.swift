package import RulesLang

/// A symbol that a name in rules refers to.
package enum Symbol: Hashable, Sendable {
  /// A function of the rules.
  case function(FunctionID)
  /// A parameter of a function, by its index.
  case parameter(FunctionID, Int)
  /// A `let` of a function, by its index.
  case variable(FunctionID, Int)
  /// A capture of a match block, by the offset of its name.
  case capture(MatchID, UInt32)
  /// `request` or `resource`.
  case record(Text)
  /// A built-in function.
  case builtin(Builtin)
  /// A method of any type with this name.
  case method(Text)
  /// A member of the receiver.
  case member(Text)

  /// True if the rules declare it, so that it can be renamed.
  package var isDeclared: Bool {
    switch self {
    case .function, .parameter, .variable, .capture: true
    case .record, .builtin, .method, .member: false
    }
  }
}

/// An occurrence of a name.
package struct Occurrence: Hashable, Sendable {
  /// The name.
  package var range: SourceRange
  /// The symbol that it refers to.
  package var symbol: Symbol
  /// True if it is declared here.
  package var isDeclaration = false
  /// The expression that uses it; nil for a declaration.
  package var expression: ExprID?
}

/// Every occurrence of a name in a rules text, by place.
struct SymbolIndex: Sendable {
  /// The meaning of the names.
  let names: NameTable
  /// The names in the order of the text.
  private(set) var occurrences: [Occurrence] = []

  /// The syntax.
  var rules: Ruleset { names.ruleset }

  /// Finds the names of rules.
  init(_ names: NameTable) {
    self.names = names
    for index in rules.functions.indices { addFunction(FunctionID(index)) }
    for (index, match) in rules.matches.enumerated() {
      for part in match.pattern {
        guard let name = part.binding else { continue }
        declare(.capture(MatchID(index), name.range.start), at: name.range)
      }
    }
    for allow in rules.allows {
      guard let condition = allow.condition else { continue }
      add(condition, of: nil, in: .match(allow.match))
    }
    occurrences.sort { ($0.range.start, $0.range.end) < ($1.range.start, $1.range.end) }
  }

  /// Returns the name at an offset, or directly before it.
  func occurrence(at offset: Int) -> Occurrence? {
    var (low, high) = (0, occurrences.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(occurrences[middle].range.start) <= offset { low = middle + 1 } else { high = middle }
    }
    // Between two adjacent names, the later one is chosen.
    for place in stride(from: low - 1, through: max(0, low - 2), by: -1) where place >= 0 {
      if Int(occurrences[place].range.end) >= offset { return occurrences[place] }
    }
    return nil
  }

  /// Returns all occurrences of a symbol, in order.
  func places(of symbol: Symbol) -> [Occurrence] { occurrences.filter { $0.symbol == symbol } }

  /// Returns the declaration of a symbol; nil if the rules do not declare it.
  func declaration(of symbol: Symbol) -> SourceRange? {
    switch symbol {
    case .function(let id): rules[id].name.range
    case .parameter(let id, let place): rules[id].parameters[place].range
    case .variable(let id, let place): rules[id].lets[place].name.range
    case .capture(let match, let start):
      rules[match].pattern.compactMap { $0.binding }.first { $0.range.start == start }?.range
    case .record, .builtin, .method, .member: nil
    }
  }

  // MARK: Finding them

  private mutating func declare(_ symbol: Symbol, at range: SourceRange) {
    occurrences.append(Occurrence(range: range, symbol: symbol, isDeclaration: true))
  }

  private mutating func addFunction(_ id: FunctionID) {
    let function = rules[id]
    declare(.function(id), at: function.name.range)
    for (place, parameter) in function.parameters.enumerated() {
      declare(.parameter(id, place), at: parameter.range)
    }
    for (place, binding) in function.lets.enumerated() {
      declare(.variable(id, place), at: binding.name.range)
      add(binding.value, of: id, in: function.owner)
    }
    add(function.result, of: id, in: function.owner)
  }

  private mutating func add(_ body: Body, of function: FunctionID?, in owner: ScopeOwner) {
    for id in body.nodes {
      switch rules[id].kind {
      case .variable(let name):
        use(symbol(names.binding(id), of: function, in: owner), at: name.range, id)
      case .call(.plain(let name), _): use(symbol(names.binding(id)), at: name.range, id)
      case .call(.namespaced(let space, let name), _):
        use(symbol(names.binding(id)), at: name.range, id)
        use(symbol(names.binding(id)), at: space.range, id)
      case .method(_, let name, _): use(.method(name.text), at: name.range, id)
      case .member(_, let name): use(.member(name.text), at: name.range, id)
      case .literal, .list, .map, .path, .parenthesized, .not, .negate, .binary, .isType,
        .conditional, .index, .slice, .invalid:
        break
      }
    }
  }

  private mutating func use(_ symbol: Symbol?, at range: SourceRange, _ id: ExprID) {
    guard let symbol else { return }
    occurrences.append(Occurrence(range: range, symbol: symbol, expression: id))
  }

  private func symbol(_ binding: Binding) -> Symbol? {
    switch binding {
    case .function(let id): .function(id)
    case .builtin(let builtin): .builtin(builtin)
    case .none, .local, .capture, .request, .resource, .unknownVariable, .unknownFunction: nil
    }
  }

  private func symbol(
    _ binding: Binding, of function: FunctionID?, in owner: ScopeOwner
  ) -> Symbol? {
    switch binding {
    case .local(let slot):
      guard let function else { return nil }
      let parameters = rules[function].parameters.count
      return Int(slot) < parameters
        ? .parameter(function, Int(slot)) : .variable(function, Int(slot) - parameters)
    case .capture(let slot): return capture(Int(slot), in: owner)
    case .request: return .record("request")
    case .resource: return .record("resource")
    case .none, .unknownVariable, .function, .builtin, .unknownFunction: return nil
    }
  }

  /// Returns the capture in a slot of the blocks around a scope.
  private func capture(_ slot: Int, in owner: ScopeOwner) -> Symbol? {
    guard case .match(var match) = owner, slot < names.matches[match.index].captures.count else {
      return nil
    }
    let start = names.matches[match.index].captures[slot].range.start
    while true {
      if rules[match].pattern.contains(where: { $0.binding?.range.start == start }) {
        return .capture(match, start)
      }
      guard let parent = rules[match].parent else { return nil }
      match = parent
    }
  }
}
