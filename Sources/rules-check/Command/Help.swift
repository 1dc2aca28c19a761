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
        ("rules-check help COMMAND|CODE", "what a command does, what a code means (see `codes`)"),
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

  /// The codes that `rules-check help CODE` explains.
  static var codes: [String] { (Code.all + Lints.all.map(\.code)).map(\.name) }

  /// What `rules-check help CODE` prints; nil if there is no such code.
  static func page(ofCode name: String) -> String? {
    CodePage.named(name)?.markdown ?? Lints.named(name)?.page
  }

  /// What `rules-check help codes` prints.
  static var listOfCodes: String {
    "lint:\n" + table(Lints.all.map { ($0.code.name, "\($0.summary) (\($0.level.word))") })
      + "\ncompiler:\n"
      + table(CodePage.table.map { ($0.code.name, firstSentence($0.meaning)) })
  }

  private static func firstSentence(_ text: String) -> String {
    guard let stop = text.firstRange(of: ". ") else { return text }
    return String(text[..<stop.lowerBound]) + "."
  }

  private static func table(_ rows: [(String, String)], width: Int = 0) -> String {
    let width = max(width, rows.map(\.0.count).max() ?? 0)
    return rows.reduce("") { text, row in
      let padding = String(repeating: " ", count: width - row.0.count + 2)
      return text + "  " + row.0 + padding + row.1 + "\n"
    }
  }
}
