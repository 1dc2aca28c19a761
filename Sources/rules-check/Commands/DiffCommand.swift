import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesReport
import RulesSolver

/// `rules-check diff`: what became allowed, what became denied.
enum DiffCommand {
  static let command = Command(
    name: "diff", operands: "OLD NEW", operandCount: 0...2,
    summary: "what became allowed, what became denied",
    details: """
      Compares two rules files over all requests: for each path pattern and method LOOSENED,
      TIGHTENED, CHANGED (both), EQUIVALENT or UNDECIDED. Each difference is a sentence with a
      request that both rule sets have decided. With --base the older version comes from git:
      `diff --base main firestore.rules`; without a file, all rules files that git knows. Exits 1 if
      something was loosened, 4 if something is undecided.
      """,
    options: [
      Option(
        name: "--base", value: "REV",
        summary: "compare with the version of a git revision instead of OLD"),
      Option(
        name: "--fail-on", value: "WHAT", choices: DiffReport.Failure.allCases.map(\.rawValue),
        summary: "which differences make the exit code 1: loosened (default), any or none"),
      Option(
        name: "--timeout", value: "SECONDS",
        summary: "the time for all of one pair (120 s by default)"),
      QuestionLimits.stepsOption(inAll: Budget.questionsInAll),
      Option(
        name: "--profile", value: "PROFILE", choices: Profile.allCases.map(\.rawValue),
        summary: "whose behaviour to follow: emulator, testapi or strict"),
      DefectFolder.option,
      Option(name: "--allow-empty", value: nil, summary: "no rules file at all is no problem"),
    ],
    formats: ["pretty", "json", "markdown", "github", "sarif"],
    run: { invocation throws(UsageProblem) in try run(invocation) })

  private static func run(_ invocation: Invocation) throws(UsageProblem) -> ExitStatus {
    let limits = try QuestionLimits(invocation, seconds: 120)
    let sources = try sources(invocation)
    if sources.isEmpty {
      if invocation.has("--allow-empty") { return .success }
      throw UsageProblem("git knows no *.rules file here")
    }
    var pairs: [DiffReport.Pair] = []
    var status = ExitStatus.success
    for (old, new) in sources {
      if let pair = compare(old, new, invocation, limits) {
        pairs.append(pair)
      } else {
        status = .unusable
      }
    }
    if pairs.isEmpty { return status }
    let failure = invocation["--fail-on"].flatMap { DiffReport.Failure(rawValue: $0) } ?? .loosened
    let report = DiffReport(pairs: pairs, failOn: failure)
    try emit(report, invocation)
    try DefectFolder.write(
      pairs.compactMap { DefectBundle($0, profile: invocation.profile) }, as: invocation)
    DefectFolder.tell(missed: pairs.reduce(0) { $0 + $1.missed.count })
    return status.and(ExitStatus(report.conclusion))
  }

  private static func emit(
    _ report: DiffReport, _ invocation: Invocation
  ) throws(UsageProblem) {
    try invocation.emit { format in
      switch format {
      case "json": report.json.pretty
      case "markdown": DiffMarkdown(report).text
      case "github": GitHubReport(report.annotations).text
      case "sarif": SARIFReport(report.annotations, rules: DiffReport.kinds).text
      default: DiffText(invocation.palette, isQuiet: invocation.isQuiet).render(report)
      }
    }
    try StepSummary.write(as: invocation) { report.annotations }
  }

  // MARK: Comparing

  /// Compares two texts; nil, once that is said, if one does not compile.
  private static func compare(
    _ old: SourceText, _ new: SourceText, _ invocation: Invocation, _ limits: QuestionLimits
  ) -> DiffReport.Pair? {
    let complaints = Complaints(invocation.terminal)
    var engines: [Engine] = []
    for source in [old, new] {
      let outcome = Checker.checkFirestore(source, profile: invocation.profile)
      if let checked = outcome.checked {
        engines.append(Engine(checked, profile: invocation.profile))
      } else {
        complaints.print(outcome.diagnostics, in: outcome.ruleset.source)
      }
    }
    guard engines.count == 2 else { return nil }
    let start = Clock.nanoseconds
    let comparison = RulesComparison(
      from: engines[0], to: engines[1], within: limits.report(), steps: limits.steps)
    let paths = comparison.run()
    return DiffReport.Pair(
      old: engines[0].rules.ruleset, new: engines[1].rules.ruleset, paths: paths,
      nanoseconds: Clock.nanoseconds - start)
  }

  // MARK: Sources

  private static func sources(
    _ invocation: Invocation
  ) throws(UsageProblem) -> [(old: SourceText, new: SourceText)] {
    let operands = invocation.operands
    guard let revision = invocation["--base"] else {
      guard operands.count == 2 else {
        throw UsageProblem(
          "`diff` needs OLD NEW", help: "usage: rules-check diff OLD NEW, or --base REV FILE")
      }
      return [(try read(operands[0]), try read(operands[1]))]
    }
    guard operands.count < 2 else {
      throw UsageProblem("`--base` stands for OLD, so only one file can be given")
    }
    let history = try GitHistory(revision)
    var pairs: [(old: SourceText, new: SourceText)] = []
    for file in operands.isEmpty ? GitHistory.rulesFiles : operands {
      pairs.append((history.read(file) ?? Self.nothing, try read(file)))
    }
    return pairs
  }

  private static func read(_ path: String) throws(UsageProblem) -> SourceText {
    do throws(FileProblem) {
      return SourceText(name: path, bytes: try FileSystem.read(path))
    } catch {
      throw UsageProblem(error)
    }
  }

  /// The rules before there were any: they deny everything.
  private static let nothing = SourceText(
    name: "nothing", "rules_version = '2'; function nothing() { return false; }")
}
