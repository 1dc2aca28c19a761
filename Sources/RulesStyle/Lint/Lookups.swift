import RulesLang

/// Which expressions are documents that were looked up: calls of `get()` and `getAfter()`, lets that are
/// one, and calls of functions that give one.
struct Lookups {
  /// These expressions.
  private(set) var names: Set<ExprID> = []
  private let checked: Checked
  private var known: [FunctionID: Bool] = [:]

  /// Goes through all rules.
  init(_ checked: Checked) {
    self.checked = checked
    for index in checked.ruleset.functions.indices { _ = gives(FunctionID(index)) }
    for allow in checked.ruleset.allows {
      if let condition = allow.condition { visit(condition, lets: []) }
    }
  }

  /// Whether a function gives a document; what is inside is gone through once. No function calls itself,
  /// not even by others: that would not compile.
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
