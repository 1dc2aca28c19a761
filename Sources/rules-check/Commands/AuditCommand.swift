import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport
import RulesSolver
import RulesStyle

/// `rules-check audit`: the access matrix of a rules file.
enum AuditCommand {
  static let command = Command(
    name: "audit", operands: "[RULES]", operandCount: 0...1,
    summary: "who can do what to which field: the access matrix",
    details: """
      Answers always, never, only if, or undecided for each path of the rules, each kind of client
      and each operation. Always and never are proved for all requests. Only if comes with a request
      that is allowed and one that is denied. --format html writes one page for an auditor.

      Without a file it audits the rules of the project, as `check` finds them, for all databases.
      Findings are alarms, cautions and notes; warnings of `check` are cautions. Exits 1 if there is
      an alarm that a request shows (--fail-on), 4 if an answer is undecided.
      """,
    run: AuditCommand.run)

  private static func run(_ options: AuditOptions) throws(UsageProblem) -> ExitStatus {
    var files = RulesFiles(profile: options.profile)
    var reports: [AuditReport] = []
    var refusals: [Annotation] = []
    let whole = options.limits.whole()
    let paths = try rulesPaths(options)
    for path in paths {
      do throws(UsageProblem) {
        switch try audit(path, in: &files, options, within: whole) {
        case .success(let found): reports += found
        case .failure(let refused): refusals += refused.reasons
        }
      } catch {
        refusals += [Annotation](error)
        guard paths.count > 1 else {
          try emit(AuditReports(reports, refusals: refusals), to: options.reporting)
          throw error
        }
        Complaints(options.reporting.terminal).print(error)
      }
    }
    let configuration = try Configuration.find(isRemarking: false)
    let names = DatabaseNames(options.operands, of: configuration)
    try emit(
      AuditReports(
        reports, refusals: refusals, notices: notices(paths, options, of: configuration)),
      for: reports.map { report in
        // Databases that are decided differently have a report each.
        let isAlone = reports.count { $0.rulesPath == report.rulesPath } > 1
        return isAlone ? [String(report.database.text)] : names.names(of: report.rulesPath)
      }, to: options.reporting)
    DefectFolder.tell(missed: reports.reduce(0) { $0 + $1.matrix.missed })
    let isOpen = reports.contains { $0.matrix.count(.undecided) > 0 }
    let isFailure = reports.contains { $0.isFailure(options.failOn) }
    return (refusals.isEmpty ? ExitStatus.success : .unusable)
      .and(isOpen ? .undecided : .success).and(isFailure ? .failure : .success)
  }

  /// Returns the rules files. If there are none, writes reports with that error before throwing it.
  private static func rulesPaths(_ options: AuditOptions) throws(UsageProblem) -> [String] {
    do throws(UsageProblem) {
      return try RulesSearch.files(options.operands)
    } catch {
      try emit(AuditReports([], refusals: [Annotation](error)), to: options.reporting)
      throw error
    }
  }

  /// Returns notices about rules that are deployed and not audited, or audited and not deployed.
  private static func notices(
    _ paths: [String], _ options: AuditOptions, of configuration: Configuration
  ) throws(UsageProblem) -> [ProjectNotice] {
    let deployed = DeployedRules(around: options.operands, of: configuration)
    let leftOut =
      options.operands.isEmpty
      ? try NamedRules.leftOut(of: paths, deployed, read: "audited") : []
    return NamedRules.notices(of: options.operands, deployed) + leftOut
  }

  /// The errors because of which a file has no audit.
  private struct Refused: Error { var reasons: [Annotation] }

  /// Audits one file; prints the errors in its text.
  private static func audit(
    _ path: String, in files: inout RulesFiles, _ options: AuditOptions, within whole: Budget
  ) throws(UsageProblem) -> Result<[AuditReport], Refused> {
    let outcome: Checker.Outcome
    do throws(FileProblem) {
      outcome = try files.load(path)
    } catch {
      throw UsageProblem(error)
    }
    let source = outcome.ruleset.source
    guard let rules = outcome.checked else {
      Complaints(options.reporting.terminal).print(outcome.diagnostics, in: source)
      return .failure(Refused(reasons: [Annotation](outcome.diagnostics, in: source)))
    }
    var reports: [AuditReport] = []
    for database in try options.databases.distinct(of: path, rules) {
      reports.append(
        try audit(rules.deployed(to: database), of: path, options, within: whole))
    }
    return .success(reports)
  }

  /// Audits rules as they are deployed to one database.
  private static func audit(
    _ rules: Checked, of path: String, _ options: AuditOptions, within whole: Budget
  ) throws(UsageProblem) -> AuditReport {
    // Text reports show the requests of findings, other formats the request of each answer.
    let showsAll = options.reporting.isAsked { $0 == .json || $0 == .html }
    let auditor = Auditor(
      rules, profile: options.profile, examples: showsAll ? .all : .ofFindings,
      at: options.time ?? Clock.now, about: options.field.map { Text($0) }
    ) { options.limits.question(of: whole) }
    let matrix = Progress.during("auditing \(path)", isWanted: !options.reporting.isQuiet) {
      auditor.matrix()
    }
    if matrix.paths.isEmpty, let field = options.field {
      var problem = UsageProblem(
        "no rule of `\(path)` names the field `\(field)`",
        help: "no client can write it; give the name of a top-level field")
      problem.file = path
      throw problem
    }
    if matrix.cells.isEmpty {
      let database = String(rules.database.text)
      var problem = UsageProblem(
        "no statement of `\(path)` applies to a document of the database `\(database)`",
        help: "every request is denied; there is nothing to audit")
      problem.file = path
      throw problem
    }
    let source = rules.ruleset.source
    let review = review(options, about: rules)
    var report = AuditReport(
      rulesPath: path, rules: rules.ruleset,
      hash: String(Base16.text(of: SHA256.hash(source.bytes))).lowercased(),
      date: options.date ?? today, profile: options.profile, database: rules.database,
      matrix: matrix, field: options.field, warnings: review.told)
    report.silenced = review.silenced
    return report
  }

  /// Returns the warnings of `check` and the silenced ones; none with --field.
  private static func review(
    _ options: AuditOptions, about rules: Checked
  ) -> (told: [Diagnostic], silenced: [Diagnostic]) {
    if options.field != nil { return ([], []) }
    let review = Linter(levels: options.levels, heedsComments: options.heedsComments)
      .review(rules)
    return (
      review.told.filter { $0.severity >= .warning },
      review.silenced.filter { $0.severity >= .warning }
    )
  }

  /// Writes the reports. The errors of files that could not be audited have been printed already.
  static func emit(
    _ reports: AuditReports, for databases: [[String]] = [],
    to reporting: Reporting<AuditOptions.Format>
  ) throws(UsageProblem) {
    let named = reports.naming(Repository().path)
    try reporting.emit { format in
      switch format {
      case .markdown: named.markdown
      case .json:
        (named.reports.count == 1 && named.refusals.isEmpty
          ? named.json.naming(databases.first ?? []) : named.json.naming(databases, in: "audits"))
          .pretty
      case .html: named.page
      case .pretty where reports.reports.isEmpty: nil
      case .pretty:
        reports.reports.enumerated().map { place, report in
          AuditText(reporting.palette, isQuiet: reporting.isQuiet).render(
            report, for: databases.isEmpty ? [] : databases[place])
        }.joined(separator: "\n")
          + reports.noticeText(reporting.palette, isQuiet: reporting.isQuiet)
      }
    }
  }

  /// The current day in UTC.
  private static var today: String { String(Clock.now.description.prefix { $0 != "T" }) }
}
