import RulesHost
import RulesLang
import RulesReport

/// The command line of `serve`.
struct ServeOptions: CommandOptions {
  /// The options of the command.
  static let table: [any OptionRow] = [
    EmulatorOptions.port, EmulatorOptions.host, EmulatorOptions.rules,
  ]

  /// The emulator's port, host and rules.
  let emulator: EmulatorOptions
  /// How lines are painted, and whether there are any.
  let reporting: Reporting<PlainFormat>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    emulator = try EmulatorOptions(
      invocation, host: try invocation[EmulatorOptions.host] ?? EmulatorOptions.loopback)
    reporting = try Reporting(invocation)
  }
}
