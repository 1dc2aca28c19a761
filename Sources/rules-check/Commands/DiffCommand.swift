import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesReport

/// `rules-check diff`: what became allowed, what became denied.
enum DiffCommand {
  static let command = Command(
    name: "diff", operands: "OLD NEW", operandCount: 0...2,
    summary: "what became allowed, what became denied",
    details: """
      Compares two rules files over all requests: for each path pattern and method LOOSENED,
      TIGHTENED, CHANGED (both), EQUIVALENT or UNDECIDED. Each difference is a sentence with a
      request that both rule sets have decided. With --base the older version comes from git:
      `diff --base main firestore.rules`; without a file, the rules of the project, as `check` finds
      them. Exits 1 if something was loosened, 4 if something is undecided.
      """,
    run: DiffCommand.run)

  private static func run(_ options: DiffOptions) throws(UsageProblem) -> ExitStatus {
    let sources = try sources(options)
    if sources.isEmpty {
      if options.allowsEmpty { return .success }
      throw UsageProblem("there are no rules here, and git knows no *.rules file of Firestore")
    }
    var pairs: [DiffReport.Pair] = []
    var status = ExitStatus.success
    for (old, new) in sources {
      if let pair = compare(old, new, options) {
        pairs.append(pair)
      } else {
        status = .unusable
      }
    }
    if pairs.isEmpty { return status }
    let report = DiffReport(pairs: pairs, failOn: options.failOn)
    try emit(report, options)
    try DefectFolder.write(
      pairs.compactMap { DefectBundle($0, profile: options.profile) }, to: options.defectFolder)
    DefectFolder.tell(missed: pairs.reduce(0) { $0 + $1.missed.count })
    return status.and(ExitStatus(report.conclusion))
  }

  private static func emit(
    _ report: DiffReport, _ options: DiffOptions
  ) throws(UsageProblem) {
    let named = report.naming(Repository().path)
    try options.reporting.emit { format in
      switch format {
      case .json: named.json.pretty
      case .markdown: DiffMarkdown(named).text
      case .github: GitHubReport(named.annotations).text
      case .sarif: SARIFReport(named.annotations, rules: DiffReport.kinds).text
      case .pretty:
        DiffText(options.reporting.palette, isQuiet: options.reporting.isQuiet).render(report)
      }
    }
    if options.reporting.isAsked(for: { $0 == .github }) {
      try StepSummary.write(named.annotations)
    }
  }

  // MARK: Comparing

  /// Compares two texts; nil, once that is said, if one does not compile.
  private static func compare(
    _ old: SourceText, _ new: SourceText, _ options: DiffOptions
  ) -> DiffReport.Pair? {
    let complaints = Complaints(options.reporting.terminal)
    var engines: [Engine] = []
    for source in [old, new] {
      let outcome = Checker.checkFirestore(source, profile: options.profile)
      if let checked = outcome.checked {
        engines.append(Engine(checked, profile: options.profile))
      } else {
        complaints.print(outcome.diagnostics, in: outcome.ruleset.source)
      }
    }
    guard engines.count == 2 else { return nil }
    let start = Clock.nanoseconds
    let comparison = RulesComparison(
      from: engines[0], to: engines[1], within: options.limits.report(), steps: options.limits.steps
    )
    let paths = comparison.run()
    return DiffReport.Pair(
      old: engines[0].rules.ruleset, new: engines[1].rules.ruleset, paths: paths,
      nanoseconds: Clock.nanoseconds - start)
  }

  // MARK: Sources

  private static func sources(
    _ options: DiffOptions
  ) throws(UsageProblem) -> [(old: SourceText, new: SourceText)] {
    let operands = options.paths
    guard let revision = options.base else {
      guard operands.count == 2 else {
        throw UsageProblem(
          "`diff` needs OLD NEW",
          help: "usage: rules-check diff OLD NEW, or \(DiffOptions.base.name) REV FILE")
      }
      return [(try read(operands[0]), try read(operands[1]))]
    }
    guard operands.count < 2 else {
      throw UsageProblem("`\(DiffOptions.base.name)` stands for OLD, so only one file can be given")
    }
    let history = try GitHistory(revision)
    var pairs: [(old: SourceText, new: SourceText)] = []
    for file in operands.isEmpty ? try projectFiles() : operands {
      pairs.append((history.read(file) ?? Self.nothing, try read(file)))
    }
    return pairs
  }

  /// The rules files of the project; if nothing says which those are, all that git knows which are about
  /// Firestore: other programs have `*.rules`, too.
  private static func projectFiles() throws(UsageProblem) -> [String] {
    let found = try RulesSearch.projectFiles(of: Configuration.find())
    if !found.isEmpty { return found }
    var files: [String] = []
    for file in GitHistory.rulesFiles {
      let text = String(decoding: try read(file).bytes, as: UTF8.self)
      if text.contains("cloud.firestore") { files.append(file) }
    }
    return files
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
