import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesReport
import RulesSolver

/// `rules-check mutate`: whether the tests notice when the rules change.
enum MutateCommand {
  static let command = Command(
    name: "mutate", operands: "RULES|SUITE…", operandCount: 1...Int.max,
    summary: "whether the tests notice when the rules change",
    details: """
      Changes the rules in small ways and runs the suites on each change. A change that no test
      notices survives, and is shown with a test that would notice it. Changes that are proved to
      change no decision do not count, so a score of 100 % can be reached. A folder is searched for
      *.suite.json; for a rules file those beside it that name it are run. Exits 1 if the score is
      below --break.
      """,
    options: [
      Option(
        name: "--break", value: "PERCENT",
        summary: "the score below which the exit code is 1 (0 by default)"),
      Option(name: "--low", value: "PERCENT", summary: "a score below it is bad (60 by default)"),
      Option(
        name: "--high", value: "PERCENT", summary: "a score from it on is good (80 by default)"),
      Option(
        name: "--timeout", value: "SECONDS",
        summary: "the time to prove that a change does nothing (20 s by default)"),
      QuestionLimits.totalOption("the time for all changes of one rules file (600 s by default)"),
      QuestionLimits.stepsOption(inAll: Budget.questionsOfMany),
      Option(
        name: "--profile", value: "PROFILE", choices: Profile.allCases.map(\.rawValue),
        summary: "whose behaviour to follow: emulator, testapi or strict"),
    ],
    formats: ["pretty", "json", "stryker"],
    run: { invocation throws(UsageProblem) in try run(invocation) })

  private static func run(_ invocation: Invocation) throws(UsageProblem) -> ExitStatus {
    let thresholds = MutationReport.Thresholds(
      high: try percent(invocation, "--high") ?? 80, low: try percent(invocation, "--low") ?? 60,
      breaking: try percent(invocation, "--break") ?? 0)
    let collection = try MutationSuites(invocation)
    if collection.status == .unusable { return .unusable }
    guard !collection.groups.isEmpty else {
      throw UsageProblem("there is no suite to run", help: "a suite names its rules: *.suite.json")
    }
    let runner = MutationRun(
      limits: try QuestionLimits(
        invocation, seconds: 20, total: 600, questions: Budget.questionsOfMany),
      profile: invocation.profile)
    let files = collection.groups.map { runner.run($0) }
    let report = MutationReport(files: files, thresholds: thresholds)
    try invocation.emit { format in
      switch format {
      case "json": report.json.pretty
      case "stryker": report.stryker.pretty
      default: MutationText(invocation.palette, isQuiet: invocation.isQuiet).render(report)
      }
    }
    DefectFolder.tell(missed: files.reduce(0) { $0 + $1.mutants.count { $0.isMissed } })
    return ExitStatus(report.conclusion)
  }

  private static func percent(
    _ invocation: Invocation, _ option: String
  ) throws(UsageProblem) -> Double? {
    guard let text = invocation[option] else { return nil }
    guard let percent = Double(text), (0...100).contains(percent) else {
      throw UsageProblem("`\(option) \(text)` is no percentage", help: "a number from 0 to 100")
    }
    return percent
  }
}

/// The suites that a command line names, by the rules that they are about.
struct MutationSuites {
  /// One rules file with its suites.
  struct Group {
    var path: String
    var rules: Checked
    var suites: [Suite]
  }

  private(set) var groups: [Group] = []
  /// `unusable` once a file could not be used.
  private(set) var status = ExitStatus.success
  private let complaints: Complaints
  private var files: RulesFiles

  init(_ invocation: Invocation) throws(UsageProblem) {
    complaints = Complaints(invocation.terminal)
    files = RulesFiles(profile: invocation.profile)
    let rules = invocation.operands.filter { $0.hasSuffix(".rules") }
    var paths: [String] = []
    do throws(FileProblem) {
      for operand in invocation.operands where !rules.contains(operand) {
        switch FileSystem.kind(of: operand) {
        case .folder: paths += try FileSystem.files(below: operand, suffix: ".suite.json")
        case .file: paths.append(operand)
        case .missing: throw FileProblem(path: operand, reason: "no such file or folder")
        }
      }
      let isGiven = !paths.isEmpty
      for file in rules where !isGiven {
        let folder = FilePath.folder(of: file)
        paths += try FileSystem.files(
          below: folder.isEmpty ? "." : folder, suffix: ".suite.json")
      }
      for path in paths { try add(path, only: rules, isGiven: isGiven) }
    } catch {
      throw UsageProblem(error)
    }
  }

  private mutating func add(
    _ path: String, only rules: [String], isGiven: Bool
  ) throws(FileProblem) {
    let source = SourceText(name: path, bytes: try FileSystem.read(path))
    let (suite, diagnostics) = SuiteReader.read(source)
    guard let suite else {
      // What was not asked for may be anything.
      guard isGiven else { return }
      return refuse(diagnostics, in: source)
    }
    let named = suite.rulesPath.map { FilePath.join(FilePath.folder(of: path), with: String($0)) }
    guard let file = isGiven && rules.count == 1 ? rules[0] : named,
      rules.isEmpty || rules.contains(file)
    else { return }
    let outcome = try files.load(file)
    guard let checked = outcome.checked else {
      return refuse(outcome.diagnostics, in: outcome.ruleset.source)
    }
    if let known = groups.firstIndex(where: { $0.path == file }) {
      groups[known].suites.append(suite)
    } else {
      groups.append(Group(path: file, rules: checked, suites: [suite]))
    }
  }

  private mutating func refuse(_ diagnostics: [Diagnostic], in source: SourceText) {
    complaints.print(diagnostics, in: source)
    status = .unusable
  }
}
