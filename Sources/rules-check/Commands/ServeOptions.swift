import RulesHost
import RulesLang
import RulesReport

/// The command line of `serve`.
struct ServeOptions: CommandOptions {
  /// The project whose documents are exported, if several have some.
  let project: String
  /// `--record FILE.suite.json`.
  static let record = Option(
    name: EmulatorOptions.record.name, value: "FILE.suite.json",
    summary: "the suite that the live page adds requests to")

  /// `--explain`.
  static let explain = Flag(
    name: "--explain", summary: "say in the message of a denial what would have to change")

  // The options of the official program, with and without effect here.

  private static let projectID = ForeignOption(name: "--project_id")
  private static let singleProjectError = ForeignOption(name: "--single_project_mode_error")
  private static let withoutEffect = [
    "--single_project_mode", "--websocket_port", "--webchannel_port", "--functions_emulator",
    "--database-mode", "--database-edition", "--licenses",
  ].map { ForeignOption(name: $0) }
  private static let seeds = ["--seed_from_export", "--import-data"].map {
    ForeignOption(name: $0)
  }
  private static let exportName = ForeignOption(name: "--export-name")

  /// There is no report at the end.
  static let withoutCommon = [CommonOptions.output.name]
  /// The options of the command.
  static let table: [any OptionRow] =
    [
      EmulatorOptions.port, EmulatorOptions.host, EmulatorOptions.rules, EmulatorOptions.imported,
      EmulatorOptions.exported, exportName,
      explain, record, projectID, singleProjectError,
    ] + seeds + withoutEffect

  /// The emulator's port, host and rules.
  let emulator: EmulatorOptions
  /// The only project that may be used; nil for any.
  let onlyProject: String?
  /// The suite that the live page adds requests to; nil for none.
  let recordPath: String?
  /// True if messages of denials explain them.
  let explainsDenials: Bool
  /// The options that are accepted and do nothing.
  let ignored: [String]
  /// The export at the end; nil for none.
  let finalExport: FinalExport?
  /// The colours of lines, and whether any are printed.
  let reporting: Reporting<PlainFormat>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    emulator = try EmulatorOptions(
      invocation, host: try invocation[EmulatorOptions.host] ?? EmulatorOptions.loopback,
      importing: Self.seeds.compactMap { invocation.value(of: $0) }.first)
    explainsDenials = invocation.has(Self.explain)
    recordPath = try EmulatorOptions.recordPath(invocation, Self.record)
    let isStrict = invocation.value(of: Self.singleProjectError) == "true"
    onlyProject = isStrict ? invocation.value(of: Self.projectID) : nil
    ignored = Self.withoutEffect.filter { invocation.value(of: $0) != nil }.map { $0.name }
    let usual = try EmulatorOptions.usualProject()
    project = invocation.value(of: Self.projectID) ?? usual
    finalExport = try emulator.finalExport(
      of: project, named: invocation.value(of: Self.exportName))
    reporting = try Reporting(invocation)
  }
}
