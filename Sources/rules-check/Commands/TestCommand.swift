import RulesEval
import RulesLang

/// `rules-check test`: runs suites.
enum TestCommand {
  static let command = Command(
    name: "test", operands: "[PATH…]", operandCount: 0...Int.max,
    summary: "run suites: scripted requests and what they must give",
    details: """
      Runs the suites at the paths; a folder is searched for *.suite.json. Without a path: ./rules.
      Also reads the body of Google's projects.test call. Exits 1 if a test fails, 2 if a suite or
      its rules cannot be used or if there is no test to run.
      """,
    options: [
      Option(
        name: "--rules", value: "FILE", summary: "the rules to use instead of the suite's own"),
      Option(
        name: "--filter", value: "TEXT", summary: "only tests whose name contains the text"),
      Option(
        name: "--profile", value: "PROFILE", choices: Profile.allCases.map(\.rawValue),
        summary: "whose behaviour to follow: emulator, testapi or strict"),
      Option(
        name: "--trace", value: "WHICH", choices: ["failed", "all", "none"],
        summary: "which tests to explain: failed (the default), all or none"),
      Option(
        name: "--explain", value: nil,
        summary: "explain every statement tried, and the functions that it calls"),
      Option(
        name: "--emulator", value: "HOST:PORT",
        summary: "replay the requests on a running official emulator and compare"),
      Option(name: "--allow-empty", value: nil, summary: "no test at all is no problem"),
    ],
    formats: ["pretty", "json"],
    run: { invocation throws(UsageProblem) in try run(invocation) })

  private static func run(_ invocation: Invocation) throws(UsageProblem) -> ExitStatus {
    let started = Clock.nanoseconds
    var runner = try SuiteRunner(invocation)
    for path in try suitePaths(invocation.operands) { runner.run(path) }
    let report = TestReport(
      suites: runner.reports, nanoseconds: Clock.nanoseconds - started)
    if runner.reports.isEmpty, runner.status == .unusable { return .unusable }
    try invocation.emit { format in
      switch format {
      case "json": JSONReport(report).text
      default: PrettyReport(report, invocation).text
      }
    }
    if report.testCount == 0, !invocation.has("--allow-empty"), runner.status == .success {
      throw UsageProblem(
        invocation["--filter"].map { "no test has a name with \"\($0)\"" }
          ?? "there is no test to run",
        help: "--allow-empty if that is meant")
    }
    let isFailure = report.failedCount > 0 || report.disagreementCount > 0
    return runner.status.and(isFailure ? .failure : .success)
  }

  /// The suite files that the operands name.
  private static func suitePaths(_ operands: [String]) throws(UsageProblem) -> [String] {
    var paths: [String] = []
    for operand in operands.isEmpty ? ["rules"] : operands {
      switch FileSystem.kind(of: operand) {
      case .file: paths.append(operand)
      case .missing:
        throw UsageProblem(
          "\(operand): no such file or folder",
          help: operands.isEmpty ? "name the suites to run: rules-check test PATH" : nil)
      case .folder:
        do throws(FileProblem) {
          paths += try FileSystem.files(below: operand, suffix: ".suite.json")
        } catch {
          throw UsageProblem(error)
        }
      }
    }
    return paths
  }
}
