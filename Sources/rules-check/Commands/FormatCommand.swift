import RulesEval
import RulesHost
import RulesLang
import RulesProofReport
import RulesReport
import RulesStyle

/// `rules-check fmt`: formats rules files.
enum FormatCommand {
  /// The command.
  static let command = Command(
    name: "fmt", operands: "[FILE…|-]", operandCount: 0...Int.max,
    summary: "lay out rules files in one style",
    details: """
      Rewrites rules files in one style; a folder is searched for *.rules, and - reads standard
      input and writes to standard output. Without a file: the rules of the project, as `check`
      finds them.

      Only spaces and line ends change. Tokens and comments keep their text and order, which is
      checked before a file is written: the meaning of the rules cannot change. These comments
      leave what is between them alone:
        // rules-check: fmt off
        // rules-check: fmt on

      --check writes nothing, shows what would change as a diff, and exits 1 if there is anything.
      Exits 2 if a file cannot be read or written.
      """,
    run: FormatCommand.run)

  private static func run(_ options: FormatOptions) throws(UsageProblem) -> ExitStatus {
    var report = FormatReport(isCheck: options.isCheck)
    var status = ExitStatus.success
    let files: [String]
    do throws(UsageProblem) {
      files = try RulesSearch.files(options.paths)
    } catch {
      report.refusals += [Annotation](error)
      try print(report, options)
      throw error
    }
    let configuration =
      options.paths.isEmpty ? try Configuration.find(isRemarking: false) : Configuration()
    let deployed = DeployedRules(around: options.paths, of: configuration)
    let named = options.paths.isEmpty ? configuration.rules : options.paths
    for path in files {
      do throws(FileProblem) {
        let source = SourceText(name: path, bytes: try FileSystem.read(path))
        if let service = NamedRules.skipped(source, among: named, deployed) {
          report.notices.append(ProjectNotice(.foreignService(name: service), about: path))
          continue
        }
        guard let file = layOut(source, options, &report, &status) else { continue }
        report.files.append(file)
        if !options.isCheck, path != "-", file.isChanged {
          try FileSystem.replace(path, with: file.after)
        }
      } catch {
        Complaints(options.reporting.terminal).print(error.message)
        report.files.removeAll { $0.path == path }
        report.refusals += [Annotation](error)
        status = status.and(.unusable)
      }
    }
    guard !report.files.isEmpty || !report.refusals.isEmpty else {
      let problem = UsageProblem("there is no rules file of Firestore")
      report.refusals += [Annotation](problem)
      try print(report, options)
      throw problem
    }
    try print(report, options, isFilter: !options.isCheck && files == ["-"])
    return options.isCheck && report.changed > 0 ? status.and(.failure) : status
  }

  /// Formats a file; nil, with the error printed, if it cannot be formatted.
  private static func layOut(
    _ source: SourceText, _ options: FormatOptions, _ report: inout FormatReport,
    _ status: inout ExitStatus
  ) -> FormatReport.File? {
    let complaints = Complaints(options.reporting.terminal)
    let foreign = Checker.checkFirestore(source).diagnostics.filter { $0.code == .foreignService }
    guard foreign.isEmpty else {
      complaints.print(foreign, in: source)
      report.refusals += foreign.map { Annotation($0, in: source) }
      status = status.and(.unusable)
      return nil
    }
    let reason: String
    switch RulesFormatter.format(source) {
    case .formatted(let text):
      return FormatReport.File(path: source.name, before: source.bytes, after: text)
    case .notUTF8(let place):
      reason =
        (source.isUTF16 ? "is UTF-16, and rules are UTF-8" : "is not UTF-8 from byte \(place) on")
        + "; it stays unchanged"
      status = status.and(.unusable)
    case .defect:
      reason =
        "its tokens would change, so it stays unchanged; this is a defect of rules-check, "
        + "please report it with the file"
      status = status.and(.defect)
    }
    let problem = FileProblem(path: source.name, reason: reason)
    complaints.print(problem.message)
    report.refusals.append(Annotation(problem))
    return nil
  }

  /// Writes the reports. A filter, which formats standard input, prints the text instead of a report.
  private static func print(
    _ report: FormatReport, _ options: FormatOptions, isFilter: Bool = false
  ) throws(UsageProblem) {
    if isFilter {
      do throws(FileProblem) {
        let text = report.files.first?.after
        for one in options.reporting.destinations where one.format == .pretty {
          if let text { try ReportOutput(one.file, isReport: false).write(text) }
        }
      } catch {
        throw UsageProblem(error)
      }
    }
    try print(report, to: options.reporting, isFilter: isFilter)
  }

  /// Writes the reports, except the text of a filter.
  static func print(
    _ report: FormatReport, to reporting: Reporting<FormatOptions.Format>, isFilter: Bool = false
  ) throws(UsageProblem) {
    let named = report.naming(Repository().path)
    let isSilent = isFilter || report.files.isEmpty
    try reporting.emit { format in
      switch format {
      case .json: named.json.pretty
      case .github: GitHubReport(named.annotations).text
      case .codequality: CodeQualityReport(named.annotations).text
      case .pretty where isSilent: nil
      case .pretty:
        FormatText(reporting.palette, isQuiet: reporting.isQuiet).render(report)
      }
    }
    if reporting.isAsked(for: { $0 == .github }) {
      try StepSummary.write(named.annotations)
    }
  }
}
