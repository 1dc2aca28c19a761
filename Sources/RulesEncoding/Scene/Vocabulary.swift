package import RulesLang

/// The names that can be keys of documents in some conditions: every string that is written out and
/// every member that is read.
///
/// A claim's own names must be among them, else it would speak of a key that counts as unnamed.
package struct Vocabulary {
  private let rules: Checked
  private var names: Set<Text> = []
  private var seen: Set<FunctionID> = []
  /// Whether a document is looked up in its state after a commit.
  private var looksAfter = false

  /// Starts with no names.
  package init(_ rules: Checked) { self.rules = rules }

  /// The names, sorted.
  package var sorted: [Text] { names.sorted(by: Text.precedesByCodePoint) }

  /// Adds a name.
  package mutating func add(_ name: Text) { names.insert(name) }

  /// Adds the names in the conditions for a method, and in those for all writes if the other writes of
  /// a commit matter.
  package mutating func addConditions(for method: Method) {
    add(conditionsFor: MethodSet(method))
    if looksAfter, method.isWrite { add(conditionsFor: .write) }
  }

  /// Adds the names in the conditions that requests of a kind can meet, and in those for all writes, of
  /// whatever document, if the other writes of a commit matter.
  ///
  /// Sound: what a statement says that cannot apply is never asked, so its names may as well be unnamed.
  package mutating func addConditions(for scenario: Scenario) {
    add(conditionsFor: MethodSet(scenario.method)) { [rules] allow in
      let facts = rules.matches[rules.ruleset[allow].match.index]
      return facts.isReachable && scenario.mayFit(facts.pattern)
    }
    if looksAfter, scenario.method.isWrite { add(conditionsFor: .write) }
  }

  private mutating func add(
    conditionsFor methods: MethodSet, where mayApply: (AllowID) -> Bool = { _ in true }
  ) {
    for (index, allow) in rules.ruleset.allows.enumerated()
    where !rules.methods[index].isDisjoint(with: methods) && mayApply(AllowID(index)) {
      if let condition = allow.condition { add(condition) }
    }
  }

  /// Adds the names in a body and in the functions that it calls.
  package mutating func add(_ body: Body) {
    for id in body.nodes {
      switch rules.ruleset[id].kind {
      case .literal(.string(let text)): names.insert(text)
      case .member(let base, let name) where !isRecord(base): names.insert(name.text)
      case .call:
        switch rules.binding(id) {
        case .function(let function): add(function)
        case .builtin(.getAfter), .builtin(.existsAfter): looksAfter = true
        default: break
        }
      default: break
      }
    }
  }

  /// Whether an expression is one of the maps that every request has, whose keys are no fields.
  private func isRecord(_ id: ExprID) -> Bool {
    let id = rules.ruleset.unparenthesized(id)
    switch (rules.bindings[id.index], rules.ruleset[id].kind) {
    case (.request, _), (.resource, _): return true
    case (_, .member(let base, let name)):
      return isRecord(base) && (name.text == "auth" || name.text == "resource")
    default: return false
    }
  }

  /// Adds the names in a function and in those that it calls.
  package mutating func add(_ function: FunctionID) {
    guard seen.insert(function).inserted else { return }
    for body in rules.ruleset[function].bodies { add(body) }
  }
}
