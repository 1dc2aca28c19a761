import RulesLang

/// The help texts, made from the table of commands.
enum Help {
  /// What `rules-check --help` prints.
  static var overview: String {
    var text = "rules-check: run, check and explain Firestore security rules\n\nusage:\n"
    let rows = CommandLineTool.commands.map {
      ("rules-check \($0.name) \($0.operands)", $0.summary)
    }
    text += table(rows)
    text += table(
      [
        ("rules-check help COMMAND", "what a command does and its options"),
        ("rules-check help CODE", "what a finding means; `help codes` lists them"),
        ("rules-check --version", "the version"),
      ], width: rows.map(\.0.count).max() ?? 0)
    return text + """

      exit codes: 0 all holds, 1 something does not, 2 could not run, 4 undecided, 70 our defect

      """
  }

  /// What `rules-check help COMMAND` prints.
  static func of(_ command: Command) -> String {
    var text = "usage: rules-check \(command.name) \(command.operands) [OPTION…]\n\n"
    text += command.details + "\n\noptions:\n"
    let rows = command.allOptions.map { option in
      let short = option.short.map { $0 + ", " } ?? ""
      return (short + option.name + (option.value.map { " " + $0 } ?? ""), option.summary)
    }
    return text + table(rows)
  }

  /// Every code that a finding can have.
  static var codes: [String] { Lints.all.map(\.code.name) + CodePage.all.map(\.code.name) }

  /// What `rules-check help TOPIC` prints: about a command, or about a code.
  static func page(_ topic: String) throws(UsageProblem) -> String {
    if let command = CommandLineTool.commands.first(where: { $0.name == topic }) {
      return of(command)
    }
    if topic == "codes" { return listOfCodes }
    if let lint = Lints.named(topic) { return lint.page }
    if let page = CodePage.named(topic) { return page.page }
    let known = CommandLineTool.commands.map(\.name) + codes + ["codes"]
    let nearest = Spelling.nearest(to: topic, among: known)
    throw UsageProblem(
      "there is no command and no code `\(topic)`",
      help: nearest.map { "did you mean `\($0)`?" } ?? "see rules-check help codes")
  }

  private static var listOfCodes: String {
    "lint:\n" + table(Lints.all.map { ($0.code.name, "\($0.summary) (\($0.level.word))") })
      + "\ncompiler:\n" + table(CodePage.all.map { ($0.code.name, $0.meaning) })
  }

  private static func table(_ rows: [(String, String)], width: Int = 0) -> String {
    let width = max(width, rows.map(\.0.count).max() ?? 0)
    return rows.reduce("") { text, row in
      let padding = String(repeating: " ", count: width - row.0.count + 2)
      return text + "  " + row.0 + padding + row.1 + "\n"
    }
  }
}
