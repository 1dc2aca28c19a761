import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesReport
import RulesSolver

/// `rules-check audit`: the access matrix of a rules file.
enum AuditCommand {
  static let command = Command(
    name: "audit", operands: "RULES", operandCount: 1...1,
    summary: "who can do what to which field: the access matrix",
    details: """
      For each path of the rules, each kind of client and each operation: always, never, only if,
      or undecided. What is always or never so is proved for all requests; what depends is shown by
      a request that is allowed and one that is denied. --format html gives one page for an auditor.
      Exits 4 if an answer is undecided.
      """,
    options: [
      Option(
        name: "--date", value: "DATE", summary: "the date on the report (today by default)"),
      Option(
        name: "--timeout", value: "SECONDS", summary: "the time for one answer (20 s by default)"),
      QuestionLimits.totalOption("the time for all answers (300 s by default)"),
      QuestionLimits.stepsOption(inAll: Budget.questionsOfMany),
      Option(
        name: "--profile", value: "PROFILE", choices: Profile.allCases.map(\.rawValue),
        summary: "whose behaviour to follow: emulator, testapi or strict"),
    ],
    formats: ["pretty", "markdown", "json", "html"],
    run: { invocation throws(UsageProblem) in try run(invocation) })

  private static func run(_ invocation: Invocation) throws(UsageProblem) -> ExitStatus {
    var files = RulesFiles(profile: invocation.profile)
    let outcome: Checker.Outcome
    let hash: [UInt8]
    do throws(FileProblem) {
      outcome = try files.load(invocation.operands[0])
      hash = SHA256.hash(try FileSystem.read(invocation.operands[0]))
    } catch {
      throw UsageProblem(error)
    }
    guard let rules = outcome.checked else {
      Complaints(invocation.terminal).print(outcome.diagnostics, in: outcome.ruleset.source)
      return .unusable
    }
    let limits = try QuestionLimits(
      invocation, seconds: 20, total: 300, questions: Budget.questionsOfMany)
    let whole = limits.whole()
    let auditor = Auditor(rules, profile: invocation.profile) { limits.question(of: whole) }
    let matrix = auditor.matrix()
    if matrix.paths.isEmpty {
      throw UsageProblem(
        "`\(invocation.operands[0])` has no statement that a document could meet",
        help: "every request is denied; there is nothing to audit")
    }
    let report = AuditReport(
      rulesPath: invocation.operands[0], rules: rules.ruleset,
      hash: String(Base16.text(of: hash)).lowercased(), date: invocation["--date"] ?? today,
      profile: invocation.profile, matrix: matrix)
    try invocation.emit { format in
      switch format {
      case "markdown": AuditMarkdown(report).text
      case "json": report.json.pretty
      case "html": AuditPage(report).text
      default: AuditText(invocation.palette, isQuiet: invocation.isQuiet).render(report)
      }
    }
    DefectFolder.tell(missed: matrix.missed)
    return matrix.count(.undecided) == 0 ? .success : .undecided
  }

  /// The day by Greenwich time.
  private static var today: String { String(Clock.now.description.prefix { $0 != "T" }) }
}
