import RulesHost

/// `rules-check lsp`: the language server.
enum LanguageServerCommand {
  /// The command.
  static let command = Command(
    name: "lsp", operands: "", operandCount: 0...0,
    summary: "a language server for editors, on standard input and output",
    details: """
      Speaks the Language Server Protocol (3.17) on standard input and output. Editors start it; see
      Docs/Editors.md. In rules files and suites it shows what `check`, `fmt`, `test` and `audit` report
      while you type, with completion, navigation and fixes.

      Exits 0 after `shutdown` and `exit`, 1 if the editor disappears without them.
      """,
    run: LanguageServerCommand.run)

  private static func run(_ options: LanguageServerOptions) throws(UsageProblem) -> ExitStatus {
    do throws(FileProblem) {
      var session = try LanguageSession()
      return session.run() ? .success : .failure
    } catch {
      throw UsageProblem(error)
    }
  }
}

/// The command line of `lsp`.
struct LanguageServerOptions: CommandOptions {
  /// `--stdio`, which editors pass: standard input and output are the only transport.
  static let stdio = Flag(
    name: "--stdio", summary: "use standard input and output, as always")

  /// The options of the command.
  static let table: [any OptionRow] = [stdio]
  /// The server reports to an editor.
  static let withoutCommon = [
    CommonOptions.output.name, CommonOptions.color.name, CommonOptions.quiet.name,
  ]

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {}
}
