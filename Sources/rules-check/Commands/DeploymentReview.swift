import RulesHost
import RulesLang
import RulesProofReport
import RulesReport

/// Compares what a run of suites has tested with what the project deploys.
struct DeploymentReview {
  private let options: TestOptions
  private let deployed: DeployedRules
  /// Reasons why the run is incomplete.
  private(set) var refusals: [UsageProblem] = []

  /// Determines what the project deploys.
  init(_ options: TestOptions) {
    self.options = options
    deployed = DeployedRules(around: options.paths, of: options.configuration)
  }

  /// Adds notices to a report: about rules that are deployed and untested, or tested and not deployed, and
  /// about empty suites and folders.
  mutating func look(at report: inout TestReport, found: FoundFiles) {
    let isMeasured = report.coverage != nil
    // A run of one suite says nothing about the others.
    let isOfProject = options.paths.allSatisfy { FileSystem.kind(of: $0) == .folder }
    // Unknown deployed rules cannot be tested.
    if isMeasured || isOfProject { refusals += deployed.problems }
    lookForEmpty(&report, found)
    if report.coverage?.required != nil,
      let suite = report.suites.first(where: { $0.leftOut > 0 })
    {
      let leftOut = report.suites.reduce(0) { $0 + $1.leftOut }
      let total = leftOut + report.testCount + report.claims.count
      report.notices.append(
        ProjectNotice(.filtered(count: leftOut, total: total), about: suite.source.name))
    }
    for suite in report.suites {
      guard !isEmbedded(suite.rulesPath) else { continue }
      let project = deployed.stranger(suite.rulesPath)
      let idle = deployed.projects.isEmpty ? deployed.idle.first : nil
      guard let path = project?.path ?? idle else { continue }
      report.notices.append(
        ProjectNotice(
          .suiteOfUndeployed(
            rules: suite.rulesPath, project: path, deployed: project?.files.map(\.path) ?? []),
          about: suite.source.name))
    }
    guard isMeasured || isOfProject else { return }
    for file in deployed.files { look(at: file, in: &report) }
  }

  private mutating func lookForEmpty(_ report: inout TestReport, _ found: FoundFiles) {
    // An empty run has a message of its own.
    let isNothing = report.testCount == 0 && report.claims.isEmpty
    let isRefused = !isNothing && !options.allowsEmpty
    let named = (options.paths.isEmpty ? options.configuration.suites : options.paths).filter {
      FileSystem.kind(of: $0) == .file
    }
    for folder in found.empty where !isNothing || options.allowsEmpty {
      note(.noSuite, about: folder, isRefused: isRefused, &report)
    }
    for suite in report.suites where suite.isEmpty {
      let isNamed = named.contains { FileSystem.isSame($0, suite.source.name) }
      note(.emptySuite, about: suite.source.name, isRefused: isNamed && isRefused, &report)
    }
  }

  /// Reports something empty: as an error if the user named it, as a notice if it was found in a folder.
  private mutating func note(
    _ kind: ProjectNotice.Kind, about file: String, isRefused: Bool, _ report: inout TestReport
  ) {
    let notice = ProjectNotice(kind, about: file)
    guard isRefused else { return report.notices.append(notice) }
    var problem = UsageProblem(
      notice.message, help: "add \(TestOptions.allowEmpty.name) if that is intended", code: .suite)
    problem.file = file
    refusals.append(problem)
  }

  private mutating func look(at file: DeployedRules.File, in report: inout TestReport) {
    func isNamed(by path: String) -> Bool {
      FileSystem.isSame(path, file.path) || isEmbedded(path)
    }
    let text: SourceText
    do throws(FileProblem) {
      text = SourceText(name: file.path, bytes: try FileSystem.read(file.path))
    } catch {
      var problem = UsageProblem(error)
      problem.help = "\(file.project) deploys it"
      return refusals.append(problem)
    }
    let suites = report.suites.filter { suite in
      suite.rules.ruleset.source.bytes == text.bytes && isNamed(by: suite.rulesPath)
    }
    let tested = suites.filter { $0.tally.tests > 0 }
    let outcome = Checker.checkFirestore(text, profile: options.suites.profile)
    var untested = tested.isEmpty ? file.databases : []
    // If decisions depend on the database, tests of one say nothing of the others.
    let isForAll = options.suites.databases.chosen == nil
    if !tested.isEmpty, isForAll, outcome.checked?.dependsOnDatabase == true {
      untested = file.databases.filter { name in
        !tested.contains { String($0.rules.database.text) == name }
      }
    }
    let hasClaims = tested.isEmpty && suites.contains { !$0.claims.isEmpty }
    let isComplaint = report.coverage?.required != nil
    // The tests of other suites, or those that the filter left out, may be about the file.
    let isPartial =
      options.suites.rulesPath != nil || suites.contains { $0.leftOut > 0 }
    if tested.isEmpty || !untested.isEmpty, !isComplaint, !isPartial {
      report.notices.append(
        ProjectNotice(
          .untested(databases: untested, hasClaims: hasClaims), about: file.path))
    }
    guard report.coverage != nil else { return }
    guard let rules = outcome.checked else {
      refusals.append(
        UsageProblem("\(file.path) does not compile", outcome.diagnostics, in: text))
      return
    }
    report.coverage?.deploy(
      file.path, rules, to: file.databases, untested: untested, hasClaims: hasClaims
    ) { isNamed(by: $0) }
  }

  /// True if the text of the rules is in the suite itself, under a name that leads to no file.
  private func isEmbedded(_ path: String) -> Bool { FileSystem.kind(of: path) == .missing }
}
