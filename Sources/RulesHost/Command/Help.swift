import RulesLang

/// The help texts, made from the table of commands.
package struct Help {
  private let tool: Tool

  /// Creates the help of a program.
  package init(_ tool: Tool) { self.tool = tool }

  /// The text that `--help` prints.
  var overview: String {
    let name = tool.name
    var text = "\(name): \(tool.summary)\n\nusage:\n"
    let rows = tool.commands.map { ("\(name) \($0.name) \($0.operands)", $0.summary) }
    text += Self.table(rows)
    let hasTopics = !tool.topics.placeholder.isEmpty
    text += Self.table(
      [
        (
          "\(name) help COMMAND" + (hasTopics ? "|" + tool.topics.placeholder : ""),
          "what a command does" + (hasTopics ? ", or about a topic" : "")
        ),
        ("\(name) --version", "the version"),
      ], width: rows.map(\.0.count).max() ?? 0)
    let codes =
      "exit codes: 0 all holds, 1 something does not, 2 could not run, 4 undecided, 70 our defect"
    text += "\n"
    if hasTopics {
      text += Self.fitting("topics: " + tool.topics.summary, after: 0, indent: 2) + "\n"
    }
    return text + Self.fitting(codes, after: 0, indent: 2) + "\n"
  }

  /// Returns a text wrapped at the terminal's width, if that is known.
  private static func fitting(_ text: String, after used: Int, indent: Int) -> String {
    guard let columns = Terminal.width else { return text }
    return Printable.wrapped(text, columns: columns, used: used, indent: indent)
  }

  /// Returns the text that `help COMMAND` prints.
  package func page(of command: Command) -> String {
    let words = [tool.name, command.name, command.operands, "[OPTION…]"].filter { !$0.isEmpty }
    var text = "usage: " + words.joined(separator: " ") + "\n\n"
    text += command.details + "\n\noptions:\n"
    let rows = command.listedOptions.map { option in
      let short = option.short.map { $0 + ", " } ?? ""
      return (short + option.name + (option.value.map { " " + $0 } ?? ""), option.summary)
    }
    return text + Self.table(rows)
  }

  /// Returns rows of two columns, indented. The first column is at least `width` wide, and the second one is
  /// wrapped at the terminal's width.
  package static func table(_ rows: [(String, String)], width: Int = 0) -> String {
    let width = max(width, rows.map(\.0.count).max() ?? 0)
    return rows.reduce("") { text, row in
      let padding = String(repeating: " ", count: width - row.0.count + 2)
      let summary = fitting(row.1, after: width + 4, indent: width + 4)
      return text + "  " + row.0 + padding + summary + "\n"
    }
  }
}
