import RulesLang

/// The whole command line: finds the command, runs it, and turns problems into exit codes.
enum CommandLineTool {
  /// The version of the product.
  static let version = "0.1.0"

  /// The commands, in the order of help.
  static let commands: [Command] = [
    TestCommand.command,
    SimulateCommand.command,
    ProveCommand.command,
    VerifyProofCommand.command,
    DiffCommand.command,
    MutateCommand.command,
    CheckCommand.command,
    AuditCommand.command,
    EvalCommand.command,
    InitCommand.command,
    CompletionsCommand.command,
    ReplayCommand.command,
    DifferentialCommand.command,
    BenchCommand.command,
  ]

  /// Runs the arguments after the program's name.
  static func run(_ arguments: [String]) -> ExitStatus {
    do throws(UsageProblem) {
      return try dispatch(arguments)
    } catch {
      Terminal.complain("rules-check: " + Printable.text(error.message) + "\n")
      if let help = error.help { Terminal.complain("  help: " + Printable.text(help) + "\n") }
      return .unusable
    }
  }

  private static func dispatch(_ arguments: [String]) throws(UsageProblem) -> ExitStatus {
    guard let first = arguments.first else {
      Terminal.complain(Help.overview)
      return .unusable
    }
    switch first {
    case "--help", "-h":
      Terminal.print(Help.overview)
      return .success
    case "--version", "-V":
      Terminal.print("rules-check \(version)\n")
      return .success
    case "help":
      return try help(Array(arguments.dropFirst()))
    default:
      let command = try find(first)
      let invocation = try Invocation(command, Array(arguments.dropFirst()))
      if invocation.has("--help") {
        Terminal.print(Help.of(command))
        return .success
      }
      return try command.run(invocation)
    }
  }

  private static func help(_ topics: [String]) throws(UsageProblem) -> ExitStatus {
    guard let topic = topics.first else {
      Terminal.print(Help.overview)
      return .success
    }
    if topic == "codes" {
      Terminal.print(Help.listOfCodes)
    } else if let page = Help.page(ofCode: topic) {
      Terminal.print(page)
    } else {
      Terminal.print(Help.of(try find(topic, orOneOf: Help.codes + ["codes"])))
    }
    return .success
  }

  private static func find(
    _ name: String, orOneOf others: [String] = []
  ) throws(UsageProblem) -> Command {
    if let command = commands.first(where: { $0.name == name }) { return command }
    let isOption = name.utf8.first == UInt8(ascii: "-")
    let known = isOption ? ["--help", "--version"] : commands.map(\.name) + ["help"] + others
    let nearest = Spelling.nearest(to: name, among: known)
    throw UsageProblem(
      "there is no \(isOption ? "option" : "command") `\(name)`",
      help: nearest.map { "did you mean `\($0)`?" } ?? "see rules-check --help")
  }
}
