import RulesHost
import RulesLang
import RulesProofReport
import RulesReport
import RulesService
import RulesSolver
import RulesStyle

/// The command line of `check`.
struct CheckOptions: CommandOptions {
  /// The formats of the report.
  enum Format: String, ReportFormat { case pretty, json, github, sarif, codequality }

  static let profile = CommonOptions.profile("the limits to apply: emulator, testapi or strict")
  static let level = Option<(code: Code, level: LintLevel)>(
    name: "--level", value: "CODE=LEVEL", isRepeatable: true,
    summary: "the level of a code: off, info, warning or error",
    reading: { text, name throws(UsageProblem) in try Self.level(text, name) })
  static let failOn = Option<FailureLevel>(
    name: "--fail-on", value: "LEVEL",
    summary: "what makes the exit code 1: error (the default), warning, info or none")
  static let deep = Flag(name: "--deep", summary: "also find code that is proved to have no effect")
  static let fix = Flag(
    name: "--fix", summary: "remove code that is proved to have no effect (implies --deep)"
  ).reachingOut
  static let limits = LimitOptions(
    "the time for the proofs about one file", seconds: 120, questions: Budget.questionsInAll)
  /// `--base REVISION`.
  static let base = Option(
    name: "--base", value: "REV",
    summary: "also report comments and settings that silence more than at a git revision"
  ).reachingOut
  /// `--no-ignore`.
  static let noIgnore = Flag(
    name: "--no-ignore",
    summary: "ignore all `ignore` comments, and what .rulescheck.json silences or lowers"
  )
  static let watch = TestOptions.watch

  static let table: [any OptionRow] =
    [CommonOptions.database, profile, level, failOn, noIgnore, base, deep, fix] + limits.rows
    + [watch]

  /// The files and folders of the command line.
  let operands: [String]
  /// The project's configuration.
  let configuration: Configuration
  /// The levels of codes.
  let levels: [Code: LintLevel]
  /// The databases that the rules are deployed to.
  let databases: Databases
  /// The profile.
  let profile: Profile
  /// The mildest level that counts as a failure.
  let failOn: FailureLevel
  /// The limits of proofs about one file; nil without proofs.
  let deepLimits: QuestionLimits?
  /// True to remove parts that decide nothing.
  let isFixing: Bool
  /// True to apply `ignore` comments.
  let heedsComments: Bool
  /// The git revision since which silences are reported as new; nil if they are not reported.
  let base: String?
  /// True to check files again whenever one changes.
  let isWatching: Bool
  /// The destinations of the reports.
  let reporting: Reporting<Format>

  /// The settings of analyses.
  var analysis: AnalysisSettings {
    var settings = AnalysisSettings(profile: profile, levels: levels)
    settings.heedsComments = heedsComments
    let databases = databases
    // Problems with firebase.json are reported by the search for rules.
    settings.databases = { (try? databases.all(of: $0)) ?? [] }
    return settings
  }

  /// Parses a command line, which overrides the project's configuration.
  init(_ invocation: Invocation) throws(UsageProblem) {
    configuration = try Configuration.find()
    heedsComments = !invocation.has(Self.noIgnore)
    base = try invocation[Self.base]
    var levels = configuration.levels
    // The project's own configuration may be part of the change that is checked.
    if !heedsComments { levels = levels.notLowered }
    for setting in try invocation.all(Self.level) { levels[setting.code] = setting.level }
    self.levels = levels
    operands = invocation.operands
    profile = try invocation[Self.profile] ?? configuration.profile ?? .emulator
    databases = Databases(
      named: try invocation[CommonOptions.database], configured: configuration.database)
    let isLax = !heedsComments && configuration.failOn == FailureLevel.none
    let projectFailOn = isLax ? nil : configuration.failOn
    failOn = try invocation[Self.failOn] ?? projectFailOn ?? .error
    let limits = try QuestionLimits(Self.limits, of: invocation)
    isFixing = invocation.has(Self.fix)
    deepLimits = isFixing || invocation.has(Self.deep) ? limits : nil
    isWatching = invocation.has(Self.watch)
    reporting = try Reporting(invocation)
    if isFixing, operands.contains("-") {
      throw UsageProblem("`\(Self.fix.name)` cannot change standard input")
    }
    if isFixing, isWatching {
      throw UsageProblem("`\(Self.fix.name)` and `\(Self.watch.name)` do not go together")
    }
  }

  static func report(
    _ refusal: UsageProblem, to reporting: Reporting<Format>
  ) throws(UsageProblem) {
    try Check.print(CheckReport(files: [], refusals: [Annotation](refusal)), to: reporting)
  }

  private static func level(
    _ text: String, _ name: String
  ) throws(UsageProblem) -> (code: Code, level: LintLevel) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    let codes = Lints.all.map(\.code) + Code.all
    guard let code = codes.first(where: { $0.name == Lints.presentName(parts[0]) }) else {
      let nearest = Spelling.nearest(to: parts[0], among: codes.map(\.name))
      throw UsageProblem(
        "there is no code `\(parts[0])`", help: nearest.map { "did you mean `\($0)`?" })
    }
    guard parts.count == 2, let level = LintLevel.named(parts[1]) else {
      throw UsageProblem(
        "`\(name)` needs CODE=LEVEL", help: "LEVEL is \(LintLevel.words.joined(separator: ", "))")
    }
    guard code.takes(level) else {
      throw UsageProblem(
        "`\(code.name)` is always an error",
        help: "a level is for what Google's compiler lets through: see rules-check help codes")
    }
    return (code, level)
  }
}

extension [Code: LintLevel] {
  /// The levels that are not below their codes' defaults.
  var notLowered: [Code: LintLevel] { filter { $0.value.rank >= $0.key.usualLevel.rank } }
}

extension Code {
  /// True if the code may have the level; errors of rules that do not compile may not be lowered.
  func takes(_ level: LintLevel) -> Bool {
    level == .on(.error) || CodePage.named(name)?.severity != .error
  }
}
