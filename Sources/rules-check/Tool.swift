import RulesHost
import RulesReport

extension Tool {
  /// The program itself: its commands, and the pages about codes.
  static let rulesCheck: Tool = Tool(
    name: Product.name, version: Product.version,
    summary: "run, check and explain Firestore security rules",
    commands: [
      TestCommand.command,
      ExecCommand.command,
      ServeCommand.command,
      SimulateCommand.command,
      ProveCommand.command,
      VerifyProofCommand.command,
      DiffCommand.command,
      MutateCommand.command,
      CheckCommand.command,
      FormatCommand.command,
      LanguageServerCommand.command,
      AssistantServerCommand.command { Tool.rulesCheck },
      AuditCommand.command,
      EvalCommand.command,
      InitCommand.command,
      CompletionsCommand.command { Tool.rulesCheck.commands },
      ReplayCommand.command,
      SchemaCommand.command,
    ],
    topics: Topics(
      placeholder: "TOPIC",
      summary: TopicHelp.names.joined(separator: ", ") + ", codes, CODE of a finding",
      names: TopicHelp.names + CodeHelp.codes + ["codes"],
      page: { TopicHelp.page($0) ?? CodeHelp.page($0) }),
    wrongTurns: .ofOtherPrograms, examples: { Examples.table[$0] ?? [] })
}
