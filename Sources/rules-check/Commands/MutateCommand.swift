import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport

/// `rules-check mutate`: mutation testing of suites.
enum MutateCommand {
  /// The command.
  static let command = Command(
    name: "mutate", operands: "[RULES|SUITE…]", operandCount: 0...Int.max,
    summary: "whether the tests notice when the rules change",
    details: """
      Changes the rules in small ways and runs the suites on each change. If no test notices a
      change, the report shows it with a test that would. Changes that are proved to affect no
      decision do not count, so a score of 100 % is possible. In a folder it searches for
      *.suite.json. For a rules file it runs the suites beside it that name it. Without a path it runs
      the suites of the project, as `test` finds them. Exits 1 if the score is below --break.

      --write adds the missing tests. Each goes to the suite with most tests about the same
      collection, else to the one named like the rules, else to the first one. They record what the
      rules do now, so review them.
      """,
    run: MutateCommand.run)

  private static func run(_ options: MutateOptions) throws(UsageProblem) -> ExitStatus {
    var collection = MutationSuites(options)
    do throws(UsageProblem) {
      try collection.collect()
      if collection.groups.isEmpty, collection.status == .success {
        throw UsageProblem(
          "there is no suite to run", help: "a suite names its rules: *.suite.json")
      }
    } catch {
      try emit(
        MutationReport(
          files: [], thresholds: options.thresholds,
          refusals: collection.refusals + [Annotation](error)), options)
      throw error
    }
    // Without some of the suites the score would be too low, for no visible reason.
    let isRefused = collection.status == .unusable
    let runner = MutationRun(
      limits: options.limits, profile: options.profile, showsProgress: !options.reporting.isQuiet,
      listsTests: options.reporting.isAsked { $0 == .stryker })
    let files = isRefused ? [] : collection.groups.map { runner.run($0) }
    let report = MutationReport(
      files: files, thresholds: options.thresholds, refusals: collection.refusals)
    try emit(report, options)
    if options.isWriting, !isRefused { try write(report, of: collection.groups, options) }
    DefectFolder.tell(missed: files.reduce(0) { $0 + $1.mutants.count { $0.isMissed } })
    let idle = report.files.filter { $0.isIdle }
    for file in idle {
      Complaints(options.reporting.terminal).print(
        "\(file.path): no change affects a decision for the database "
          + "\(String(file.database.text)), so nothing was tested")
    }
    return collection.status.and(idle.isEmpty ? .success : .unusable)
      .and(ExitStatus(report.conclusion))
  }

  /// Writes the reports. Errors have been printed already; Stryker's format has no place for them, and is
  /// written without a file, so that no older report is mistaken for this one.
  private static func emit(
    _ report: MutationReport, _ options: MutateOptions
  ) throws(UsageProblem) {
    let isRefused = report.files.isEmpty
    try options.reporting.emit { format in
      switch format {
      case .json: report.naming(Repository().path).json.pretty
      case .pretty: isRefused ? nil : text(report, format, options)
      case .stryker: text(report, format, options)
      }
    }
  }

  private static func text(
    _ report: MutationReport, _ format: MutateOptions.Format, _ options: MutateOptions
  ) -> String {
    switch format {
    case .stryker: report.naming(Repository().path).stryker.pretty
    case .pretty, .json:
      MutationText(options.reporting.palette, isQuiet: options.reporting.isQuiet).render(report)
    }
  }

  /// Adds tests that detect the surviving mutants to the suites, and prints the result. The exit status is
  /// that of the tests before.
  private static func write(
    _ report: MutationReport, of groups: [MutationSuites.Group], _ options: MutateOptions
  ) throws(UsageProblem) {
    var report = report
    var count = 0
    for (place, group) in groups.enumerated() {
      let survivors = SurvivorTests(
        of: report.files[place], for: group.suites,
        by: Engine(group.rules, profile: options.profile))
      report.files[place] = survivors.file
      for addition in survivors.additions {
        let name = addition.suite.source.name
        guard
          let existing = try ExistingSuite(
            name, of: group.rules.database, on: options.reporting.terminal)
        else {
          continue
        }
        try existing.add(addition.entries)
        count += addition.entries.count
        if options.reporting.isQuiet { continue }
        let reasons = addition.reasons.map { Printable.text($0) }.joined(separator: "; ")
        Terminal.complain(
          "added \(addition.entries.count.of("test")) to \(Printable.text(name))"
            + (reasons.isEmpty ? "\n" : ": \(reasons)\n"))
      }
    }
    if options.reporting.isQuiet { return }
    Terminal.complain(
      count == 0
        ? "nothing to add\n" : "mutation score with them \(report.scoreText)\n")
  }
}

/// The suites of a command line, grouped by their rules.
struct MutationSuites {
  /// One rules file with its suites.
  struct Group {
    /// The path with which the rules file was opened.
    var path: String
    /// The rules.
    var rules: Checked
    /// The suites, in order.
    var suites: [LoadedSuite]
  }

  private(set) var groups: [Group] = []
  private var loader: SuiteLoader
  private let suites: SuiteOptions
  /// The operands; empty for the suites of the project.
  private let operands: [String]
  /// The rules files among the operands.
  private let rules: [String]

  init(_ options: MutateOptions) {
    var suites = SuiteOptions()
    suites.profile = options.profile
    suites.databases = options.databases
    self.suites = suites
    loader = SuiteLoader(suites, on: options.reporting.terminal)
    operands = options.paths
    rules = options.paths.filter { $0.hasSuffix(".rules") && FileSystem.kind(of: $0) != .folder }
      .map { FileSystem.plain($0) }
  }

  /// Reads the suites and their rules.
  mutating func collect() throws(UsageProblem) {
    var paths = operands.isEmpty ? try SuiteSearch.files([], of: Configuration.find()) : []
    do throws(FileProblem) {
      // A missing rules file must be reported even if no suite names it.
      for file in rules { _ = try FileSystem.read(file) }
      for operand in operands where !rules.contains(FileSystem.plain(operand)) {
        switch FileSystem.kind(of: operand) {
        case .folder: paths += try FileSystem.files(below: operand, suffix: SuiteSearch.suffix)
        case .file: paths.append(operand)
        case .missing: throw FileProblem(path: operand, reason: "no such file or folder")
        }
      }
      let isGiven = !paths.isEmpty
      for file in rules where !isGiven {
        let folder = FilePath.folder(of: file)
        paths += try FileSystem.files(
          below: folder.isEmpty ? "." : folder, suffix: SuiteSearch.suffix)
      }
      for path in FileSystem.distinct(paths) { try add(path, only: rules, isGiven: isGiven) }
    } catch {
      throw UsageProblem(error)
    }
    for file in rules where !groups.contains(where: { $0.path == file }) && status == .success {
      throw UsageProblem(
        "no suite is about \(file)", help: SuiteSearch.firstSuite(for: file))
    }
  }

  /// The exit status so far: `unusable` once a file could not be used.
  var status: ExitStatus { loader.status }
  /// Errors of files that could not be used, in order.
  var refusals: [Annotation] { loader.refusals }

  private mutating func add(
    _ path: String, only rules: [String], isGiven: Bool
  ) throws(FileProblem) {
    for text in try SuiteLoader.texts(of: path, streaming: false, suites) {
      switch text.content {
      case .suite(let suite?, _):
        // If only claims of a suite are about a database, the suite has no test for it.
        if suite.tests.isEmpty, !suite.claims.isEmpty { continue }
        try add(suite, text, only: rules, isGiven: isGiven)
      case .suite(nil, let diagnostics): loader.refuse(diagnostics, in: text.source)
      case .rulesTest, .stream:
        loader.refuse(SuiteReader.read(text.source).diagnostics, in: text.source)
      }
    }
  }

  private mutating func add(
    _ suite: Suite, _ text: SuiteText, only rules: [String], isGiven: Bool
  ) throws(FileProblem) {
    let (source, path) = (text.source, text.source.name)
    let named = suite.rulesPath.map {
      FileSystem.plain(FilePath.join(FilePath.folder(of: path), with: String($0)))
    }
    // Among suites beside a rules file it may be about another one.
    if suite.rulesPath == nil, rules.isEmpty || isGiven && rules.count > 1 {
      _ = loader.rulesPath(of: suite, in: source)
      return
    }
    guard let file = isGiven && rules.count == 1 ? rules[0] : named,
      rules.isEmpty || rules.contains(file),
      let checked = try loader.checked(file, for: suite.database),
      !text.isRepetition || checked.dependsOnDatabase
    else { return }
    let loaded = LoadedSuite(
      suite.tests, in: source, of: suite, rulesPath: file,
      engine: Engine(checked, profile: loader.rules.profile))
    let known = groups.firstIndex {
      $0.path == file && $0.rules.database == checked.database
    }
    if let known {
      groups[known].suites.append(loaded)
    } else {
      groups.append(Group(path: file, rules: checked, suites: [loaded]))
    }
  }
}
