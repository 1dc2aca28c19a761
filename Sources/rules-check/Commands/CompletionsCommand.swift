import RulesHost

/// `rules-check completions`: scripts that let a shell complete commands, options and codes.
enum CompletionsCommand {
  /// The command.
  static let command = Command(
    name: "completions", operands: "SHELL", operandCount: 1...1,
    summary: "a completion script for bash, zsh or fish",
    details: """
      Prints a script that lets the shell complete commands, options and codes:
        bash: source <(rules-check completions bash)
        zsh:  rules-check completions zsh > FOLDER-IN-FPATH/_rules-check
        fish: rules-check completions fish | source
      """,
    options: [],
    formats: ["pretty"],
    run: { invocation throws(UsageProblem) in
      let name = invocation.operands[0]
      guard let shell = Completions.Shell(rawValue: name) else {
        throw UsageProblem("there is no script for the shell `\(name)`", help: "bash, zsh or fish")
      }
      try invocation.emit { _ in Completions.script(shell) }
      return .success
    })
}
