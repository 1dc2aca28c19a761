/// Words that people type because another program has them, each with the command line that they want here.
package struct WrongTurns: Sendable {
  /// The help for a word in the place of the command.
  private let commands: [String: String]
  /// The help for an option, by command; under an empty name for every command.
  private let options: [String: [String: String]]
  /// The endings of files with the command that takes them, the first that fits.
  private let files: [(ending: String, command: String)]

  /// Creates a table of commands, one of options by command (an empty name stands for every command), and one
  /// of file name endings.
  package init(
    commands: [String: String] = [:], options: [String: [String: String]] = [:],
    files: [(ending: String, command: String)] = []
  ) {
    self.files = files
    self.commands = commands
    self.options = options
  }

  /// Returns the help for a word in the place of the command; nil if the table lacks it.
  func help(command word: String) -> String? { commands[word] }

  /// Returns the help for an option of a command; nil if the table lacks it.
  func help(option: String, of command: String) -> String? {
    options[command]?[option] ?? options[""]?[option]
  }

  /// Returns the command that takes a file in the place of the command; nil if no ending fits.
  func command(ofFile word: String) -> String? {
    for (ending, command) in files where word.hasSuffix(ending) { return command }
    return nil
  }
}
