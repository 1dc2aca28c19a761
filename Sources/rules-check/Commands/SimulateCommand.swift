import RulesEval
import RulesHost
import RulesLang
import RulesReport

/// `rules-check simulate`: one request, like the Rules Playground.
enum SimulateCommand {
  static let command = Command(
    name: "simulate", operands: "[RULES] METHOD PATH", operandCount: 2...3,
    summary: "one request, like the Rules Playground",
    details: """
      Decides one request and explains the decision. METHOD is get, list, create, set, update or
      delete. The first line is ALLOW or DENY, and the exit code 0 or 1. A value that begins with @
      is read from a file. Without RULES it uses the rules of the project, as `check` finds them, if
      they are one file.

      --where takes FIELD OP VALUE, as in --where 'members array-contains bob' or
      --where 'owner == "alice"', or JSON. If you repeat it, all conditions must hold.
      """,
    run: SimulateCommand.run)

  private static func run(_ options: SimulateOptions) throws(UsageProblem) -> ExitStatus {
    let found: SimulationReport?
    do throws(UsageProblem) {
      found = try simulate(options)
    } catch {
      try options.reporting.refuse([Annotation](error), as: "simulate")
      throw error
    }
    guard let report = found else { return .unusable }
    let text = SimulationText(
      options.reporting.palette, isQuiet: options.reporting.isQuiet,
      explainsAll: options.explainsAll)
    try options.reporting.emit { $0 == .json ? report.json.pretty : text.render(report) }
    return report.decision.isAllowed ? .success : .failure
  }

  /// Decides the request; nil, with the errors printed, if the rules do not compile.
  private static func simulate(
    _ options: SimulateOptions
  ) throws(UsageProblem) -> SimulationReport? {
    var rules = RulesFiles(profile: options.profile)
    let outcome: Checker.Outcome
    do throws(FileProblem) {
      outcome = try rules.load(options.rulesPath)
    } catch {
      throw UsageProblem(error)
    }
    let database = try options.databases.one(of: options.rulesPath, outcome.checked)
    guard let checked = outcome.checked?.deployed(to: database) else {
      let source = outcome.ruleset.source
      Complaints(options.reporting.terminal).print(outcome.diagnostics, in: source)
      try options.reporting.refuse([Annotation](outcome.diagnostics, in: source), as: "simulate")
      return nil
    }
    let scripted = try SimulatedRequest(options, to: database).suite()
    let engine = Engine(checked, profile: options.profile)
    let result = engine.run(
      scripted.test, documents: scripted.suite.documents, now: Clock.now, tracing: true)
    guard var decision = result.decision else {
      throw UsageProblem(result.failures.joined(separator: "; "))
    }
    // The options have no lines to warn on.
    let warnings = scripted.suite.warnings.filter { $0.code != .missingAsker }
    if options.uid == "null" {
      decision.notes.append(
        "`\(SimulateOptions.uid.name) null` is a user whose ID is \"null\"; "
          + "`\(SimulateOptions.signedOut.name)` is nobody")
    }
    decision.notes += warnings.map(\.message) + (warnings.first?.notes ?? [])
    return SimulationReport(test: scripted.test, decision: decision, rules: checked)
  }
}
