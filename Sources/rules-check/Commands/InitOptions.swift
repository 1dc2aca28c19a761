import RulesEval
import RulesHost
import RulesLang
import RulesSolver

/// The command line of `init`.
struct InitOptions: CommandOptions {
  static let full = Flag(name: "--full", summary: "reach every outcome, notice every change")
  static let force = Flag(name: "--force", summary: "replace an existing suite")
  static let limits = LimitOptions(
    "the time to look for one request", seconds: 20,
    total: ("the time to look for all requests", 300), questions: Budget.questionsInAll)
  static let time = Option<Timestamp>(
    name: "--time", value: "TIME",
    summary: "the time of the requests, in RFC 3339; today by default",
    parsing: { Timestamp(rfc3339: Text($0)) },
    refusal: { UsageProblem("`\($1)` needs a time like 2025-10-21T09:00:00Z, not `\($0)`") })

  /// `--output` has a line of help of its own here.
  static let withoutCommon = [CommonOptions.output.name]
  /// The suite to write.
  static let output = Option(
    name: CommonOptions.output.name, short: CommonOptions.output.short, value: "FILE",
    isRepeatable: true,
    summary: "the suite to write, - for standard output; by default it is beside the rules"
  ).reachingOut
  /// The options of the command.
  static let table: [any OptionRow] =
    [full, force, output] + limits.rows + [time, CommonOptions.database, CommonOptions.profile]

  /// The rules files; at least one.
  var rulesPaths: [String]
  /// The suite to write; nil for the one beside the rules.
  let output: String?
  /// True to reach every outcome and detect every mutant.
  let isFull: Bool
  /// True to replace a suite that exists.
  let isForced: Bool
  /// The limits of searching requests.
  let limits: QuestionLimits
  /// The time of the requests; nil for the current one.
  let time: Timestamp?
  /// The database of the requests.
  let databases: Databases
  /// The profile.
  let profile: Profile
  /// The destination of messages.
  let reporting: Reporting<PlainFormat>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    let operands = invocation.operands
    rulesPaths =
      operands.isEmpty
      ? try RulesSearch.files([], of: Configuration.find())
      : try RulesSearch.named(operands[0])
    output = try invocation[CommonOptions.output]
    if let output, rulesPaths.count > 1 {
      throw UsageProblem(
        "one suite, \(output), cannot be about several rules files: "
          + rulesPaths.joined(separator: ", "), help: "name one of them")
    }
    limits = try QuestionLimits(Self.limits, of: invocation)
    time = try invocation[Self.time]
    isFull = invocation.has(Self.full)
    isForced = invocation.has(Self.force)
    databases = try Databases(invocation)
    profile = try Configuration.profile(invocation)
    reporting = try Reporting(invocation)
  }
}
