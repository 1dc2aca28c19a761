import RulesEval
import RulesHost
import RulesLang
import RulesReport

/// `rules-check simulate`: one request, like the Rules Playground.
enum SimulateCommand {
  static let command = Command(
    name: "simulate", operands: "RULES METHOD PATH", operandCount: 3...3,
    summary: "one request, like the Rules Playground",
    details: """
      Decides one request and says why. METHOD is get, list, create, set, update or delete. The
      first line is ALLOW or DENY, and the exit code 0 or 1. A value that begins with @ is read from
      a file.
      """,
    options: [
      Option(name: "--as", value: "UID", summary: "who asks; without it nobody is signed in"),
      Option(
        name: "--auth", value: "JSON", summary: "who asks, as {\"uid\": …, \"token\": {…}}"),
      Option(
        name: "--claim", value: "KEY=VALUE", isRepeatable: true,
        summary: "a claim of the token; the value is JSON or text"),
      Option(
        name: "--provider", value: "NAME", summary: "the sign-in provider: password, google.com, …"),
      Option(
        name: "--before", value: "JSON", summary: "the stored document at PATH, as JSON or @FILE"),
      Option(name: "--data", value: "JSON", summary: "the data written, as JSON or @FILE"),
      Option(
        name: "--merge", value: nil, summary: "for set: keep the fields that the data does not name"
      ),
      Option(
        name: "--documents", value: "JSON", summary: "other stored documents by path, or @FILE"),
      Option(name: "--time", value: "TIME", summary: "the time of the request, in RFC 3339"),
      Option(
        name: "--where", value: "CONDITION", isRepeatable: true,
        summary: "for list: [\"field\", \"==\", value] or a list of these"),
      Option(
        name: "--order-by", value: "FIELD", isRepeatable: true, summary: "for list: the order"),
      Option(name: "--limit", value: "COUNT", summary: "for list: the limit"),
      Option(name: "--offset", value: "COUNT", summary: "for list: the offset"),
      Option(name: "--group", value: nil, summary: "for list: query the collection group"),
      Option(
        name: "--explain", value: nil,
        summary: "explain every statement tried, and the functions that it calls"),
      Option(
        name: "--profile", value: "PROFILE", choices: Profile.allCases.map(\.rawValue),
        summary: "whose behaviour to follow: emulator, testapi or strict"),
    ],
    formats: ["pretty", "json"],
    run: { invocation throws(UsageProblem) in try run(invocation) })

  private static func run(_ invocation: Invocation) throws(UsageProblem) -> ExitStatus {
    let complaints = Complaints(invocation.terminal)
    var rules = RulesFiles(profile: invocation.profile)
    let outcome: Checker.Outcome
    do throws(FileProblem) {
      outcome = try rules.load(invocation.operands[0])
    } catch {
      throw UsageProblem(error)
    }
    guard let checked = outcome.checked else {
      complaints.print(outcome.diagnostics, in: outcome.ruleset.source)
      return .unusable
    }
    let scripted = try SimulatedRequest(invocation).suite()
    let engine = Engine(checked, profile: invocation.profile)
    let result = engine.run(
      scripted.test, documents: scripted.suite.documents, now: Clock.now, tracing: true)
    guard var decision = result.decision else {
      throw UsageProblem(result.failures.joined(separator: "; "))
    }
    // The options have no lines to warn on.
    let warnings = scripted.suite.warnings
    decision.notes += warnings.map(\.message) + (warnings.first?.notes ?? [])
    let report = SimulationReport(test: scripted.test, decision: decision, rules: checked)
    let text = SimulationText(
      invocation.palette, isQuiet: invocation.isQuiet, explainsAll: invocation.has("--explain"))
    try invocation.emit { $0 == "json" ? report.json.pretty : text.render(report) }
    return decision.isAllowed ? .success : .failure
  }
}
