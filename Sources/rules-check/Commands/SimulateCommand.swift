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
      Decides one request and says why. METHOD is get, list, create, set, update or delete. The
      first line is ALLOW or DENY, and the exit code 0 or 1. A value that begins with @ is read from
      a file. Without RULES: the rules of the project, as `check` finds them, if they are one file.

      --where takes FIELD OP VALUE, as in --where 'members array-contains bob' or
      --where 'owner == "alice"', or JSON; several of them must all hold.
      """,
    run: SimulateCommand.run)

  private static func run(_ options: SimulateOptions) throws(UsageProblem) -> ExitStatus {
    let complaints = Complaints(options.reporting.terminal)
    var rules = RulesFiles(profile: options.profile)
    let outcome: Checker.Outcome
    do throws(FileProblem) {
      outcome = try rules.load(options.rulesPath)
    } catch {
      throw UsageProblem(error)
    }
    guard let checked = outcome.checked else {
      complaints.print(outcome.diagnostics, in: outcome.ruleset.source)
      return .unusable
    }
    let scripted = try SimulatedRequest(options).suite()
    let engine = Engine(checked, profile: options.profile)
    let result = engine.run(
      scripted.test, documents: scripted.suite.documents, now: Clock.now, tracing: true)
    guard var decision = result.decision else {
      throw UsageProblem(result.failures.joined(separator: "; "))
    }
    // The options have no lines to warn on.
    let warnings = scripted.suite.warnings
    if options.uid == "null" {
      decision.notes.append(
        "`\(SimulateOptions.uid.name) null` is a user whose ID is \"null\"; "
          + "`\(SimulateOptions.signedOut.name)` is nobody")
    }
    decision.notes += warnings.map(\.message) + (warnings.first?.notes ?? [])
    let report = SimulationReport(test: scripted.test, decision: decision, rules: checked)
    let text = SimulationText(
      options.reporting.palette, isQuiet: options.reporting.isQuiet,
      explainsAll: options.explainsAll)
    try options.reporting.emit { $0 == .json ? report.json.pretty : text.render(report) }
    return decision.isAllowed ? .success : .failure
  }
}
