import RulesLang

/// A program as users see it: a table of commands, from which dispatch, help and completions are made.
package struct Tool: Sendable {
  /// The name of the program, and of its file.
  package var name: String
  /// The version, as `--version` prints it.
  package var version: String
  /// The purpose of the program, in one line.
  package var summary: String
  /// The commands, in the order of help.
  package var commands: [Command]
  /// The pages of help that are not about commands.
  package var topics: Topics = Topics()
  /// Returns the examples in the help of a command.
  let examples: @Sendable (String) -> [CommandExample]
  /// The words of other programs, with their equivalents here.
  private let wrongTurns: WrongTurns

  /// Creates a program.
  package init(
    name: String, version: String, summary: String, commands: [Command],
    topics: Topics = Topics(), wrongTurns: WrongTurns = WrongTurns(),
    examples: @escaping @Sendable (String) -> [CommandExample] = { _ in [] }
  ) {
    self.examples = examples
    self.name = name
    self.version = version
    self.summary = summary
    self.commands = commands
    self.topics = topics
    self.wrongTurns = wrongTurns
  }

  /// Pages that `help NAME` prints besides those of the commands.
  package struct Topics: Sendable {
    /// The placeholder of topics in `help`; empty if there are none.
    package var placeholder = ""
    /// The names of the topics, as the overview lists them.
    package var summary = ""
    /// The names of the topics, for suggestions and completions.
    package var names: [String] = []
    /// Returns the page of a name; nil if there is none.
    package var page: @Sendable (String) -> String? = { _ in nil }

    /// Creates a list of pages.
    package init(
      placeholder: String = "", summary: String = "", names: [String] = [],
      page: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
      self.placeholder = placeholder
      self.summary = summary
      self.names = names
      self.page = page
    }
  }

  /// Runs the arguments after the program's name. Problems are printed and become exit codes.
  package func run(_ arguments: [String]) -> ExitStatus {
    do throws(UsageProblem) {
      let status = try dispatch(arguments)
      if let problem = Terminal.problem { throw UsageProblem(problem) }
      return status
    } catch {
      let used = name.utf8.count + 2
      Terminal.complain(
        "\(name): " + Help.fitting(Printable.text(error.message), after: used, indent: 2) + "\n")
      if let help = error.help {
        Terminal.complain(
          "  help: " + Help.fitting(Printable.text(help), after: 8, indent: 8) + "\n")
      }
      return .unusable
    }
  }

  private func dispatch(_ arguments: [String]) throws(UsageProblem) -> ExitStatus {
    guard let first = arguments.first else {
      Terminal.complain(Help(self).overview)
      return .unusable
    }
    switch first {
    case CommonOptions.help.name, CommonOptions.help.short:
      Terminal.print(Help(self).overview)
      return .success
    case "--version", "-V":
      Terminal.print("\(name) \(version)\n")
      return .success
    case "help":
      return try help(Array(arguments.dropFirst()))
    default:
      let command = try find(first)
      let invocation = try invocation(of: command, Array(arguments.dropFirst()))
      if invocation.has(CommonOptions.help) {
        Terminal.print(Help(self).page(of: command))
        return .success
      }
      return try command.run(invocation)
    }
  }

  /// Parses a command line. If it is invalid, writes the requested reports about that, then throws.
  private func invocation(
    of command: Command, _ arguments: [String]
  ) throws(UsageProblem) -> Invocation {
    do throws(UsageProblem) {
      return try Invocation(
        command, arguments: arguments, of: name,
        hint: { wrongTurns.help(option: $0, of: command.name) })
    } catch {
      command.refuse(error, Invocation(understanding: arguments, for: command, of: name))
      throw error
    }
  }

  private func help(_ asked: [String]) throws(UsageProblem) -> ExitStatus {
    guard let topic = asked.first, topic != "help" else {
      Terminal.print(Help(self).overview)
      return .success
    }
    if let page = topics.page(topic) {
      Terminal.print(Help.prose(page))
    } else {
      Terminal.print(Help(self).page(of: try find(topic, orOneOf: topics.names)))
    }
    return .success
  }

  private func find(
    _ wanted: String, orOneOf others: [String] = []
  ) throws(UsageProblem) -> Command {
    if let command = commands.first(where: { $0.name == wanted }) { return command }
    let isOption = wanted.utf8.first == UInt8(ascii: "-")
    let known =
      isOption ? [CommonOptions.help.name, "--version"] : commands.map(\.name) + ["help"] + others
    let nearest = Spelling.nearest(to: wanted, among: known)
    throw UsageProblem(
      "there is no \(isOption ? "option" : others.isEmpty ? "command" : "command or topic") `\(wanted)`",
      help: wrongTurns.help(command: wanted) ?? file(wanted)
        ?? nearest.map { "did you mean `\($0)`?" } ?? "see \(name) --help")
  }

  /// Returns the command line for a file in the place of the command; nil if the word names none.
  private func file(_ word: String) -> String? {
    guard let command = wrongTurns.command(ofFile: word) else { return nil }
    return "`\(name) \(command) \(word)`"
  }
}
