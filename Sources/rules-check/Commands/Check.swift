import RulesEval
import RulesHost
import RulesLang
import RulesProofReport
import RulesReport
import RulesService

/// The work of `check`: finds the diagnostics of files, by the settings of the command line and the project.
struct Check {
  private let options: CheckOptions
  private let deep: DeepCheck?

  /// Creates a check with the settings.
  init(_ options: CheckOptions) {
    self.options = options
    let settings = options.analysis
    deep = options.deepLimits.map {
      DeepCheck(settings.linter, profile: settings.profile, steps: $0.steps)
    }
  }

  /// Returns the report about the files. Texts in the cache are not analysed again. If there are no files,
  /// writes reports with that error before throwing it.
  func report(keeping cache: inout AnalysisCache) throws(UsageProblem) -> CheckReport {
    let found: FoundFiles
    do throws(UsageProblem) {
      found = try RulesSearch.search(options.operands, of: options.configuration)
    } catch {
      try Self.print(CheckReport(files: [], refusals: [Annotation](error)), to: options.reporting)
      throw error
    }
    let complaints = Complaints(options.reporting.terminal)
    complaints.printPassedOver(by: found)
    for problem in found.problems { complaints.print(problem.message) }
    var report = CheckReport(files: [], refusals: found.problems.map { Annotation($0) })
    let deployed = DeployedRules(around: options.operands, of: options.configuration)
    report.notices = NamedRules.notices(of: options.operands, deployed)
    if options.operands.isEmpty {
      report.notices += try NamedRules.leftOut(of: found.files, deployed, read: "checked")
    }
    let named = options.operands.isEmpty ? options.configuration.rules : options.operands
    for path in found.files {
      do throws(FileProblem) {
        let source = SourceText(name: path, bytes: try FileSystem.read(path))
        if let service = NamedRules.skipped(source, among: named, deployed) {
          report.notices.append(ProjectNotice(.foreignService(name: service), about: path))
          continue
        }
        let file = file(path, cache.rules(source))
        if let reason = refusal(of: file) {
          complaints.print(reason.message)
          report.refusals.append(reason)
        }
        report.files.append(file)
      } catch {
        complaints.print(error.message)
        report.refusals.append(Annotation(error))
      }
    }
    guard !report.files.isEmpty || !report.refusals.isEmpty else {
      let problem = UsageProblem("there is no rules file of Firestore")
      report.refusals = [Annotation](problem)
      try Self.print(report, to: options.reporting)
      throw problem
    }
    do throws(UsageProblem) {
      try noteSilences(in: &report)
    } catch {
      report.refusals += [Annotation](error)
      try Self.print(report, to: options.reporting)
      throw error
    }
    return report
  }

  /// Adds the silences that are new since the requested revision.
  private func noteSilences(in report: inout CheckReport) throws(UsageProblem) {
    guard let base = options.base else { return }
    let range = try GitHistory.range(base)
    guard range.new == nil else {
      throw UsageProblem(
        "`check` looks at the files as they are, and `\(base)` ends in another version",
        help: "check that one out, or name only the older one", code: .git)
    }
    let (history, newer) = (range.old, NewerFiles(history: nil))
    let silences = SilenceHistory(base, history, options.configuration.levels)
    for file in report.files where file.path != "-" {
      var old = try history.read(file.path)
      if old == nil { old = try FormerFile.find(file.source, at: history, newer)?.text }
      report.silences += silences.comments(of: file.source, since: old)
    }
    report.silences += try silences.settings(of: options.configuration)
    report.notices += try SuiteHistory.notices(
      since: base, history, now: options.configuration)
  }

  private func file(_ path: String, _ analysis: RulesAnalysis) -> CheckReport.File {
    var file = CheckReport.File(
      path: path, source: analysis.source, compiles: analysis.checked != nil,
      diagnostics: analysis.diagnostics)
    file.silenced = analysis.silenced
    file.databases = analysis.databases
    file.dependsOnDatabase = !analysis.others.isEmpty
    guard let checked = analysis.checked, let deep, let limits = options.deepLimits else {
      return file
    }
    let result = analysis.proved {
      Progress.during(
        "looking for code without effect in \(path)", isWanted: !options.reporting.isQuiet
      ) {
        deep.run(
          checked, isFixing: options.isFixing && analysis.others.isEmpty,
          within: limits.report())
      }
    }
    DefectFolder.tell(missed: result.missed)
    file.source = result.rules.ruleset.source
    file.diagnostics = result.diagnostics
    file.silenced = result.silenced
    file.deep = result.counts
    file.removed = result.removed
    for other in analysis.others {
      let more = deep.run(other, isFixing: false, within: limits.report())
      file.diagnostics = .holding(of: [file.diagnostics, more.diagnostics])
      file.deep = file.deep.map {
        CheckReport.DeepCounts(
          questions: $0.questions + more.counts.questions, open: $0.open + more.counts.open)
      }
    }
    return file
  }

  /// Returns the reason why nothing is removed from a file despite `--fix`; nil if something is.
  private func refusal(of file: CheckReport.File) -> Annotation? {
    guard options.isFixing, file.dependsOnDatabase else { return nil }
    let names = file.databases.map { String($0.text) }.joined(separator: ", ")
    return Annotation(
      about: file.path,
      message:
        "\(file.path) is not changed: it tells the databases \(names) apart, and code without "
        + "effect in one may have one in another (\(CommonOptions.database.name) NAME chooses "
        + "one)", code: .usage)
  }

  /// Writes the files from which parts were removed. For one that cannot be written, the report gets the
  /// error, and loses its removals.
  func write(_ report: inout CheckReport) {
    for place in report.files.indices where !report.files[place].removed.isEmpty {
      let file = report.files[place]
      do throws(FileProblem) {
        try FileSystem.replace(file.path, with: file.source.bytes)
      } catch {
        Complaints(options.reporting.terminal).print(error.message)
        report.refusals.append(Annotation(error))
        report.files[place].removed = []
      }
    }
  }

  /// Writes the report in each requested format. Errors of files that could not be read have been printed
  /// already.
  func print(_ report: CheckReport) throws(UsageProblem) {
    let names = DatabaseNames(options.operands, of: options.configuration)
    try Self.print(
      report, for: report.files.map { names.names(of: $0.path) }, to: options.reporting)
  }

  /// Writes a report in each requested format; also that of a run that could not begin because the settings
  /// could not be read.
  static func print(
    _ report: CheckReport, for databases: [[String]] = [],
    to reporting: Reporting<CheckOptions.Format>
  ) throws(UsageProblem) {
    let named = report.naming(Repository().path)
    let isRefused = report.files.isEmpty
    try reporting.emit { format in
      switch format {
      case .json: named.json.naming(databases, in: "files").pretty
      case .github: GitHubReport(named.annotations).text
      case .sarif: SARIFReport(named.annotations, rules: CheckReport.kinds).text
      case .codequality: CodeQualityReport(named.annotations).text
      case .pretty where isRefused: nil
      case .pretty:
        CheckText(reporting.palette, isQuiet: reporting.isQuiet).render(report, for: databases)
      }
    }
    if reporting.isAsked(for: { $0 == .github }) {
      try StepSummary.write(named.annotations)
    }
  }

  /// Returns the exit status of a run with this report.
  func status(of report: CheckReport) -> ExitStatus {
    if !report.refusals.isEmpty || report.files.contains(where: { !$0.compiles }) {
      return .unusable
    }
    if report.severities.contains(where: { options.failOn.isFailure($0) }) { return .failure }
    let isOpen = report.files.contains { ($0.deep?.open ?? 0) > 0 }
    return isOpen ? .undecided : .success
  }
}
