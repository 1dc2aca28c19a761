/// Infers what types expressions can have.
struct TypeChecker {
  private let ruleset: Ruleset
  private let bindings: [Binding]
  private(set) var types: [TypeSet]
  private(set) var diagnostics: [Diagnostic] = []

  init(_ ruleset: Ruleset, _ bindings: [Binding]) {
    self.ruleset = ruleset
    self.bindings = bindings
    types = Array(repeating: .any, count: ruleset.expressions.count)
  }

  mutating func run() {}
}
