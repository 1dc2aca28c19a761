import RulesLang

@testable import RulesEval
@testable import RulesTesting

/// One measured expression: what it is evaluated in, and what the emulator gave.
struct ExpressionCase {
  /// A rule set with a place for the expression, and the request that evaluates it.
  struct Environment {
    var ruleset: String
    var documents: Documents
    var request: Request
  }

  private let json: JSON
  private let environment: Environment
  private let expression: String
  private let rules: String
  /// Where the expression begins in the rules.
  private let start: Int

  init(_ json: JSON, _ environments: [Text: Environment]) throws {
    guard let environment = environments[json["env"]?.text ?? ""], let expr = json["expr"]?.string
    else { throw ConformanceRequest.Unreadable(text: "expression") }
    self.json = json
    self.environment = environment
    expression = expr
    let parts = environment.ruleset.split(separator: "<", omittingEmptySubsequences: false)
    // The placeholders are <FUNCTIONS> and <EXPR>.
    let functions = parts[1].dropFirst("FUNCTIONS>".count)
    let head = parts[0] + (json["functions"]?.string ?? "") + functions
    start = head.utf8.count
    rules = head + expr + parts[2].dropFirst("EXPR>".count)
  }

  /// What differs; nil if nothing does.
  func disagreement() throws -> String? {
    let outcome = Checker.check(SourceText(name: "conformance.rules", rules))
    let expected = json["emulator"] ?? JSON(.null)
    guard let checked = outcome.checked else {
      return expected["compileError"] == nil ? describe("does not compile", outcome) : nil
    }
    if expected["compileError"] != nil { return describe("compiles", outcome) }
    return try compare(Engine(checked), expected)
  }

  /// What differs between the reference and the machine; nil if nothing does.
  func machineDisagreement() -> String? {
    guard let checked = Checker.check(SourceText(name: "conformance.rules", rules)).checked else {
      return nil
    }
    var agreement = Agreement(checked)
    return agreement.disagreement(environment.request, on: environment.documents)
      .map { "`\(expression)`\n\($0)" }
  }

  private func describe(_ what: String, _ outcome: Checker.Outcome) -> String {
    let message = outcome.diagnostics.first { $0.severity == .error }?.message ?? ""
    return "\(json["id"]?.string ?? ""): `\(expression)` \(what) \(message)"
  }

  private func compare(_ engine: Engine, _ expected: JSON) throws -> String? {
    let decision = try engine.decide(
      environment.request, on: environment.documents, tracing: true)
    let granted = json["decision"]?.string == "ALLOW"
    let condition = engine.rules.ruleset.allows[0].condition
    let root = condition.map { engine.rules.ruleset.unparenthesized($0.root) }
    let events = decision.tried.first?.trace?.events ?? []
    guard let outcome = events.last(where: { $0.expression == root && $0.activation == 0 })?.outcome
    else { return "\(json["id"]?.string ?? ""): `\(expression)` was not evaluated" }
    if decision.isAllowed == granted, isSame(outcome, expected) { return nil }
    return "\(json["id"]?.string ?? ""): `\(expression)` gives \(text(outcome)), "
      + "the emulator \(expected.kind)".prefix(300)
  }

  private func isSame(_ outcome: Outcome, _ expected: JSON) -> Bool {
    switch outcome {
    case .value(let value):
      return expected["value"].map { TypedValue.matches(value, $0) } ?? false
    case .error(let error):
      if expected["unknown"] != nil { return error.reason.message == nil }
      guard error.reason.message == expected["error"]?.string else { return false }
      guard let place = expected["at"]?.elements.first?.int else { return true }
      // Measured offsets count characters.
      let site = Int(error.site.start) - start
      let prefix = expression.utf8.prefix(max(0, site))
      return String(decoding: Array(prefix), as: UTF8.self).unicodeScalars.count == Int(place)
    }
  }

  private func text(_ outcome: Outcome) -> String {
    switch outcome {
    case .value(let value): "\(value.type.word) \(ValueText.short(value))"
    case .error(let error):
      "error \(error.reason.message ?? "unknown") at \(Int(error.site.start) - start)"
    }
  }
}
