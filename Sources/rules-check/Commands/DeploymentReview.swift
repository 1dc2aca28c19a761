import RulesHost
import RulesLang
import RulesReport

/// Holds what a run of suites has tested against what the project deploys.
struct DeploymentReview {
  private let options: TestOptions
  private let deployed: DeployedRules
  /// Reasons why the run cannot say what it was asked.
  private(set) var refusals: [UsageProblem] = []

  /// Finds out what the project deploys.
  init(_ options: TestOptions) {
    self.options = options
    deployed = DeployedRules(around: options.paths, of: options.configuration)
  }

  /// Adds to a report what is deployed and untested, tested and not deployed, named and empty.
  mutating func look(at report: inout TestReport, found: FoundFiles) {
    let isMeasured = report.coverage != nil
    // What is deployed cannot be covered if nobody knows it.
    if isMeasured { refusals += deployed.problems }
    lookForEmpty(&report, found)
    for suite in report.suites {
      guard !isEmbedded(suite.rulesPath), let project = deployed.stranger(suite.rulesPath)
      else { continue }
      report.notices.append(
        ProjectNotice(
          .suiteOfUndeployed(
            rules: suite.rulesPath, project: project.path, deployed: project.files.map(\.path)),
          about: suite.source.name))
    }
    // Who runs one suite does not ask for the others.
    let isOfProject = options.paths.allSatisfy { FileSystem.kind(of: $0) == .folder }
    guard isMeasured || isOfProject else { return }
    for file in deployed.files { look(at: file, in: &report) }
  }

  private mutating func lookForEmpty(_ report: inout TestReport, _ found: FoundFiles) {
    // Of a run in which there is nothing at all that is said anyway.
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

  /// Notes something empty. Named by the user it could not be run; found in a folder it is a notice.
  private mutating func note(
    _ kind: ProjectNotice.Kind, about file: String, isRefused: Bool, _ report: inout TestReport
  ) {
    let notice = ProjectNotice(kind, about: file)
    guard isRefused else { return report.notices.append(notice) }
    var problem = UsageProblem(
      notice.message, help: "give \(TestOptions.allowEmpty.name) if that is meant", code: .suite)
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
      if report.coverage != nil {
        var problem = UsageProblem(error)
        problem.help = "\(file.project) deploys it"
        refusals.append(problem)
      } else {
        report.notices.append(ProjectNotice(.untested(databases: file.databases), about: file.path))
      }
      return
    }
    let isTested = report.suites.contains { suite in
      suite.tally.tests > 0 && suite.rules.ruleset.source.bytes == text.bytes
        && isNamed(by: suite.rulesPath)
    }
    let isComplaint = report.coverage?.required != nil
    if !isTested, !isComplaint {
      report.notices.append(ProjectNotice(.untested(databases: file.databases), about: file.path))
    }
    guard report.coverage != nil else { return }
    let outcome = Checker.checkFirestore(text, profile: options.suites.profile)
    guard let rules = outcome.checked else {
      refusals.append(
        UsageProblem("\(file.path) does not compile", outcome.diagnostics, in: text))
      return
    }
    report.coverage?.deploy(file.path, rules, to: file.databases) { isNamed(by: $0) }
  }

  /// True if the text of the rules stands in the suite itself, under a name that leads to no file.
  private func isEmbedded(_ path: String) -> Bool { FileSystem.kind(of: path) == .missing }
}
