import RulesHost
import RulesLang
import RulesReport

/// The command line of `replay`.
struct ReplayOptions: CommandOptions {
  /// The formats of the report.
  enum Format: String, ReportFormat { case pretty, json }

  static let against = Option(
    name: "--against", value: "OLD", summary: "report decisions that differ from OLD")
  static let jobs = Option<Int>(
    name: "--jobs", short: "-j", value: "COUNT", in: 1...256,
    summary: "number of cores (default: all)",
    refusal: { UsageProblem("`\($1)` is a number from 1 to 256, not `\($0)`") })
  static let allowEmpty = CommonOptions.allowEmpty("request")

  static let table: [any OptionRow] = [
    against, jobs, CommonOptions.database, CommonOptions.profile, allowEmpty,
  ]

  /// The rules file.
  let rulesPath: String
  /// The log; `-` for standard input.
  let logPath: String
  /// The rules file to compare with; nil for none.
  let oldPath: String?
  /// The number of threads.
  let jobs: Int
  /// The database of the requests.
  let databases: Databases
  /// The profile.
  let profile: Profile
  /// True if it is not an error that nothing was decided.
  let allowsEmpty: Bool
  /// The destination of the one report.
  let reporting: Reporting<Format>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    let operands = invocation.operands
    logPath = operands[operands.count - 1]
    if operands.count == 2 {
      rulesPath = try RulesSearch.onlyFile(of: operands[0])
    } else {
      guard !logPath.hasSuffix(".rules") else {
        throw UsageProblem(
          "`replay` needs a log, and \(logPath) is a rules file",
          help: "usage: rules-check replay \(ReplayCommand.command.operands)")
      }
      rulesPath = try RulesSearch.file(of: Configuration.find())
    }
    reporting = try Reporting(invocation)
    guard reporting.destinations.count == 1 else {
      throw UsageProblem("`replay` writes one report", help: "give one --format")
    }
    oldPath = try invocation[Self.against]
    jobs = try invocation[Self.jobs] ?? Processors.available
    databases = try Databases(invocation)
    profile = try Configuration.profile(invocation)
    allowsEmpty = invocation.has(Self.allowEmpty)
  }

  static func report(
    _ refusal: UsageProblem, to reporting: Reporting<Format>
  ) throws(UsageProblem) {
    try reporting.refuse([Annotation](refusal), as: "replay", isLine: true)
  }
}
