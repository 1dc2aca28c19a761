import RulesLang

/// Finds the expressions that are documents that were looked up: calls of `get()` and `getAfter()`, lets with
/// such a value, and calls of functions that return one.
struct Lookups {
  /// The names of lets and the calls found.
  private(set) var names: Set<ExprID> = []
  private let checked: Checked
  private var known: [FunctionID: Bool] = [:]

  /// Searches all rules.
  init(_ checked: Checked) {
    self.checked = checked
    for index in checked.ruleset.functions.indices { _ = gives(FunctionID(index)) }
    for allow in checked.ruleset.allows {
      if let condition = allow.condition { visit(condition, lets: []) }
    }
  }

  /// True if a function returns a document; its body is searched once. Terminates, because functions that
  /// call themselves do not compile.
  private mutating func gives(_ function: FunctionID) -> Bool {
    if let answer = known[function] { return answer }
    known[function] = false
    let declaration = checked.ruleset[function]
    var lets: Set<UInt8> = []
    for (place, binding) in declaration.lets.enumerated() {
      visit(binding.value, lets: lets)
      if isLookup(binding.value.root) { lets.insert(UInt8(declaration.parameters.count + place)) }
    }
    visit(declaration.result, lets: lets)
    let answer = isLookup(declaration.result.root)
    known[function] = answer
    return answer
  }

  private func isLookup(_ id: ExprID) -> Bool {
    names.contains(checked.ruleset.unparenthesized(id))
  }

  private mutating func visit(_ body: Body, lets: Set<UInt8>) {
    for id in body.nodes {
      switch checked.binding(id) {
      case .builtin(let builtin) where builtin == .get || builtin == .getAfter: names.insert(id)
      case .function(let function): if gives(function) { names.insert(id) }
      case .local(let slot): if lets.contains(slot) { names.insert(id) }
      case .none, .capture, .request, .resource, .unknownVariable, .builtin, .unknownFunction:
        continue
      }
    }
  }
}
