import RulesHost

/// `rules-check completions`: scripts that let a shell complete commands, options and codes.
enum CompletionsCommand {
  /// The name of the command.
  static let name = "completions"

  /// Returns the command; `commands` returns all commands of the program.
  static func command(
    among commands: @escaping @Sendable () -> [Command]
  ) -> Command {
    Command(
      name: name, operands: "SHELL", operandCount: 1...1,
      summary: "a completion script for bash, zsh or fish",
      details: """
        Prints a script that lets the shell complete commands, options and codes:
          bash: source <(rules-check completions bash)
          zsh:  rules-check completions zsh > FOLDER-IN-FPATH/_rules-check
          fish: rules-check completions fish | source
        """,
      run: { (options: CompletionsOptions) throws(UsageProblem) in
        try options.reporting.emit { _ in
          Completions(commands: commands()).script(options.shell)
        }
        return .success
      })
  }
}

/// The command line of `completions`.
struct CompletionsOptions: CommandOptions {
  static let table: [any OptionRow] = []
  /// The text is for programs, and all of it is wanted.
  static let withoutCommon = [CommonOptions.color.name, CommonOptions.quiet.name]

  /// The shell of the script.
  let shell: Completions.Shell
  /// The destination of the script.
  let reporting: Reporting<PlainFormat>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    let name = invocation.operands[0]
    guard let shell = Completions.Shell(rawValue: name) else {
      throw UsageProblem("there is no script for the shell `\(name)`", help: "bash, zsh or fish")
    }
    self.shell = shell
    reporting = try Reporting(invocation)
  }
}
