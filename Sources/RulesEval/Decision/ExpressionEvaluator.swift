public import RulesLang

/// Evaluates single expressions outside of a rules file.
public struct ExpressionEvaluator: Sendable {
  /// The result of evaluating an expression.
  public enum Result: Sendable {
    case value(Value)
    /// The expression ended in an error; positions are in the source text.
    case error(EvaluationError, SourceText)
    /// The expression does not compile.
    case rejected([Diagnostic], SourceText)
  }

  private let environment: Environment?
  private let profile: Profile

  private let database: DatabaseName

  /// Creates an evaluator. Without an environment, expressions that need a request are rejected, and
  /// `database` is the value of the name.
  public init(
    environment: Environment?, profile: Profile, database: DatabaseName = .standard
  ) {
    self.environment = environment
    self.profile = profile
    self.database = environment?.database ?? database
  }

  private static let databasePattern: [PathPart] = [
    PathPart(.literal("databases"), at: .none),
    PathPart(.capture(Name("database", at: .none)), at: .none),
    PathPart(.literal("documents"), at: .none),
  ]

  /// Evaluates an expression; it sees `request`, `resource` and `database`.
  public func evaluate(_ text: String) -> Result {
    let source = SourceText(name: "expression", text)
    let outcome = Checker.checkExpression(
      source, match: Self.databasePattern, profile: profile, database: database)
    guard let checked = outcome.checked, let condition = checked.ruleset.allows[0].condition else {
      return .rejected(outcome.diagnostics, source)
    }
    if environment == nil, let missing = needsRequest(checked) {
      return .rejected([missing], source)
    }
    let environment = environment ?? .empty
    var reference = Reference(
      checked, for: environment.access, with: environment.lookups,
      services: .of(profile), watch: NoObserver())
    switch reference.evaluate(condition: condition, captures: [.value(.string(database.text))]) {
    case .value(let value): return .value(value)
    case .error(let error): return .error(error, source)
    }
  }

  /// Returns what the compiler warns of in an expression, such as unknown names.
  public func warnings(about text: String) -> (diagnostics: [Diagnostic], source: SourceText) {
    let source = SourceText(name: "expression", text)
    let outcome = Checker.checkExpression(
      source, match: Self.databasePattern, profile: profile, database: database)
    return (outcome.diagnostics.filter { $0.severity == .warning }, source)
  }

  private func needsRequest(_ checked: Checked) -> Diagnostic? {
    for (index, node) in checked.ruleset.expressions.enumerated() {
      let binding = checked.bindings[index]
      guard binding == .request || binding == .resource else { continue }
      return Diagnostic(
        .suite, severity: .error,
        message: "`\(checked.ruleset.source.string(node.range))` needs a request",
        at: node.range, help: "describe one in a file and give --env FILE")
    }
    return nil
  }
}
