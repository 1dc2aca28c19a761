import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesReport

/// `rules-check mutate`: whether the tests notice when the rules change.
enum MutateCommand {
  static let command = Command(
    name: "mutate", operands: "[RULES|SUITE…]", operandCount: 0...Int.max,
    summary: "whether the tests notice when the rules change",
    details: """
      Changes the rules in small ways and runs the suites on each change. A change that no test
      notices survives, and is shown with a test that would notice it. Changes that are proved to
      change no decision do not count, so a score of 100 % can be reached. A folder is searched for
      *.suite.json; for a rules file those beside it that name it are run. Without a path: the suites of the project,
      as `test` finds them. Exits 1 if the score is
      below --break.

      --write adds the tests that would notice to the first suite of the rules; it says what the rules do
      now, so read them.
      """,
    run: MutateCommand.run)

  private static func run(_ options: MutateOptions) throws(UsageProblem) -> ExitStatus {
    let collection = try MutationSuites(options)
    if collection.status == .unusable { return .unusable }
    guard !collection.groups.isEmpty else {
      throw UsageProblem("there is no suite to run", help: "a suite names its rules: *.suite.json")
    }
    let runner = MutationRun(limits: options.limits, profile: options.profile)
    let files = collection.groups.map { runner.run($0) }
    let report = MutationReport(files: files, thresholds: options.thresholds)
    try options.reporting.emit { format in
      switch format {
      case .json: report.naming(Repository().path).json.pretty
      case .stryker: report.naming(Repository().path).stryker.pretty
      case .pretty:
        MutationText(options.reporting.palette, isQuiet: options.reporting.isQuiet).render(report)
      }
    }
    if options.isWriting { try write(files, of: collection.groups, options) }
    DefectFolder.tell(missed: files.reduce(0) { $0 + $1.mutants.count { $0.isMissed } })
    return ExitStatus(report.conclusion)
  }

  /// Adds to a suite of each rules file what would notice the changes that survive.
  private static func write(
    _ files: [MutationReport.File], of groups: [MutationSuites.Group], _ options: MutateOptions
  ) throws(UsageProblem) {
    for (file, group) in zip(files, groups) {
      guard let suite = group.suites.first else { continue }
      let survivors = SurvivorTests(
        of: file, on: suite.documents, by: Engine(group.rules, profile: options.profile))
      guard let existing = try ExistingSuite(suite.source.name, on: options.reporting.terminal)
      else { continue }
      try existing.add(survivors.entries)
      if options.reporting.isQuiet { continue }
      let count = survivors.testCount
      Terminal.complain(
        "added \(count) test\(count == 1 ? "" : "s") to \(Printable.text(suite.source.name))\n")
    }
  }
}

/// The suites that a command line names, by the rules that they are about.
struct MutationSuites {
  /// One rules file with its suites.
  struct Group {
    var path: String
    var rules: Checked
    var suites: [LoadedSuite]
  }

  private(set) var groups: [Group] = []
  private var loader: SuiteLoader

  init(_ options: MutateOptions) throws(UsageProblem) {
    var suites = SuiteOptions()
    suites.profile = options.profile
    loader = SuiteLoader(suites, on: options.reporting.terminal)
    let rules = options.paths.filter { $0.hasSuffix(".rules") }.map { FileSystem.plain($0) }
    var paths: [String] = []
    do throws(FileProblem) {
      for operand in options.paths where !operand.hasSuffix(".rules") {
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

  /// `unusable` once a file could not be used.
  var status: ExitStatus { loader.status }

  private mutating func add(
    _ path: String, only rules: [String], isGiven: Bool
  ) throws(FileProblem) {
    let source = SourceText(name: path, bytes: try FileSystem.read(path))
    let (suite, diagnostics) = SuiteReader.read(source)
    guard let suite else {
      // What was not asked for may be anything.
      guard isGiven else { return }
      return loader.refuse(diagnostics, in: source)
    }
    let named = suite.rulesPath.map {
      FileSystem.plain(FilePath.join(FilePath.folder(of: path), with: String($0)))
    }
    guard let file = isGiven && rules.count == 1 ? rules[0] : named,
      rules.isEmpty || rules.contains(file), let checked = try loader.checked(file)
    else { return }
    let loaded = LoadedSuite(
      source: source, rulesPath: file, engine: Engine(checked, profile: loader.rules.profile),
      tests: suite.tests, suite: suite)
    if let known = groups.firstIndex(where: { $0.path == file }) {
      groups[known].suites.append(loaded)
    } else {
      groups.append(Group(path: file, rules: checked, suites: [loaded]))
    }
  }
}
