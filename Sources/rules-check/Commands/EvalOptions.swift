import RulesHost
import RulesLang

/// The command line of `eval`.
struct EvalOptions: CommandOptions {
  /// The formats of the answer.
  enum Format: String, ReportFormat { case json, pretty }

  static let environment = Option(
    name: "--env", value: "FILE", summary: "the request to evaluate in, as a test of a suite")
  static let lines = Flag(name: "--lines", summary: "one expression a line on standard input")

  static let table: [any OptionRow] = [
    environment, lines, CommonOptions.database, CommonOptions.profile,
  ]

  /// The expression; nil to read expressions from standard input.
  let expression: String?
  /// The file of the request to evaluate in; nil for no request.
  let environmentPath: String?
  /// The database of the command line; nil for that of the file, else `(default)`.
  let database: DatabaseName?
  /// The profile.
  let profile: Profile
  /// The destination of the answer.
  let reporting: Reporting<Format>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    expression = invocation.operands.first
    if (expression == nil) == !invocation.has(Self.lines) {
      throw UsageProblem(
        expression == nil
          ? "`eval` needs EXPRESSION" : "\(Self.lines.name) reads from standard input only",
        help: "rules-check eval \"'a' in {'a': 1}\"")
    }
    environmentPath = try invocation[Self.environment]
    database = try invocation[CommonOptions.database]
    profile = try invocation[CommonOptions.profile] ?? .emulator
    reporting = try Reporting(invocation)
  }
}
