import RulesHost

/// `rules-check mcp`: a server of the Model Context Protocol.
enum AssistantServerCommand {
  /// Returns the command; `tool` returns the program whose commands are the server's tools.
  static func command(_ tool: @escaping @Sendable () -> Tool) -> Command {
    Command(
      name: "mcp", operands: "[FOLDER]", operandCount: 0...1,
      summary: "a server for coding assistants (Model Context Protocol)",
      details: """
        Gives an assistant the tools check, test, simulate, prove, audit, diff and explain. Assistants
        start it themselves; most are configured like this:
          { "mcpServers": { "rules-check": { "command": "rules-check", "args": ["mcp"] } } }

        The tools read files in FOLDER (by default the working folder) and below it. Paths and links that
        lead out of it are refused. The server writes no file, starts no program and opens no connection.

        To try it by hand:
          echo '{"jsonrpc": "2.0", "id": 1, "method": "ping"}' | rules-check mcp

        Exits 0 when its input ends. See Docs/Assistants.md.
        """,
      run: { (options: AssistantServerOptions) throws(UsageProblem) in
        do throws(FileProblem) {
          try Confinement.begin(in: options.folder)
          var session = try AssistantSession(tool(), folder: FileSystem.real(".") ?? ".")
          session.run()
          return .success
        } catch {
          throw UsageProblem(error)
        }
      })
  }
}

/// The command line of `mcp`.
struct AssistantServerOptions: CommandOptions {
  /// The options of the command: only those of every command.
  static let table: [any OptionRow] = []
  /// The server reports to an assistant.
  static let withoutCommon = LanguageServerOptions.withoutCommon

  /// The folder that the tools read.
  let folder: String

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    folder = invocation.operands.first ?? "."
  }
}
