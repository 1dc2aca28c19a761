import RulesEval
import RulesHost
import RulesLang
import RulesReport

/// The work of `check`: files to findings, by the settings of the command line and the project.
struct Check {
  private let invocation: Invocation
  private let configuration: Configuration
  private let linter: Linter
  private let profile: Profile
  private let failOn: FailureLevel
  private let deep: DeepCheck?

  /// Takes the settings; what the command line says outweighs the configuration file.
  init(_ invocation: Invocation) throws(UsageProblem) {
    self.invocation = invocation
    configuration = try Configuration.find()
    var levels = configuration.levels
    for setting in invocation.all("--level") {
      let (code, level) = try Self.level(setting)
      levels[code] = level
    }
    linter = Linter(levels: levels)
    profile = configuration.applied(to: invocation).profile
    failOn =
      invocation["--fail-on"].flatMap { FailureLevel(rawValue: $0) }
      ?? configuration.failOn ?? .error
    let isDeep = invocation.has("--deep") || invocation.has("--fix")
    let limits = try DeepCheck.limits(invocation)
    deep = isDeep ? DeepCheck(linter, profile, limits: limits) : nil
  }

  /// The files to check.
  func files() throws(UsageProblem) -> [String] {
    try RulesSearch.files(invocation.operands, configuration)
  }

  /// Everything there is to say about files.
  func report(on files: [String]) throws(UsageProblem) -> CheckReport {
    var rules = RulesFiles(profile: profile)
    var report = CheckReport(files: [])
    for path in files {
      do throws(FileProblem) {
        let outcome = try rules.load(path)
        report.files.append(file(path, outcome))
      } catch {
        throw UsageProblem(error)
      }
    }
    return report
  }

  private func file(_ path: String, _ outcome: Checker.Outcome) -> CheckReport.File {
    var file = CheckReport.File(
      path: path, source: outcome.ruleset.source, compiles: outcome.checked != nil,
      diagnostics: outcome.diagnostics)
    guard let checked = outcome.checked else { return file }
    guard let deep else {
      file.diagnostics = linter.run(checked)
      return file
    }
    let result = deep.run(checked, isFixing: invocation.has("--fix"))
    DefectFolder.tell(missed: result.missed)
    file.source = result.rules.ruleset.source
    file.diagnostics = result.diagnostics
    file.deep = result.counts
    file.removed = result.removed
    return file
  }

  /// Writes the files from which something was taken out.
  func write(_ report: CheckReport) throws(UsageProblem) {
    for file in report.files where !file.removed.isEmpty {
      if file.path == "-" { throw UsageProblem("`--fix` cannot change standard input") }
      do throws(FileProblem) {
        try FileSystem.replace(file.path, with: file.source.bytes)
      } catch {
        throw UsageProblem(error)
      }
    }
  }

  /// Writes the report in each format that was asked for.
  func print(_ report: CheckReport) throws(UsageProblem) {
    try invocation.emit { format in
      switch format {
      case "json": report.json.pretty
      case "github": GitHubReport(report.annotations).text
      case "sarif": SARIFReport(report.annotations, rules: CheckReport.kinds).text
      default: CheckText(invocation.palette, isQuiet: invocation.isQuiet).render(report)
      }
    }
    try StepSummary.write(as: invocation) { report.annotations }
  }

  /// How a run with this report ends.
  func status(of report: CheckReport) -> ExitStatus {
    if report.files.contains(where: { !$0.compiles }) { return .unusable }
    let isFailure = report.files.contains { file in
      file.diagnostics.contains { failOn.isFailure($0.severity) }
    }
    if isFailure { return .failure }
    let isOpen = report.files.contains { ($0.deep?.open ?? 0) > 0 }
    return isOpen ? .undecided : .success
  }

  /// A `--level CODE=LEVEL`.
  private static func level(_ setting: String) throws(UsageProblem) -> (Code, LintLevel) {
    let parts = setting.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    let codes = Lints.all.map(\.code) + Code.all
    guard let code = codes.first(where: { $0.name == Lints.presentName(parts[0]) }) else {
      let nearest = Spelling.nearest(to: parts[0], among: codes.map(\.name))
      throw UsageProblem(
        "there is no code `\(parts[0])`", help: nearest.map { "did you mean `\($0)`?" })
    }
    guard parts.count == 2, let level = LintLevel.named(parts[1]) else {
      throw UsageProblem(
        "`--level` needs CODE=LEVEL", help: "LEVEL is \(LintLevel.words.joined(separator: ", "))")
    }
    return (code, level)
  }
}
