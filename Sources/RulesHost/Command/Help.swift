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
  static func fitting(_ text: String, after used: Int, indent: Int) -> String {
    guard let columns = Terminal.width else { return text }
    return Printable.wrapped(text, columns: columns, used: used, indent: indent)
  }

  /// Returns the text that `help COMMAND` prints.
  package func page(of command: Command) -> String {
    let words = [tool.name, command.name, command.operands, "[OPTION…]"].filter { !$0.isEmpty }
    var text = "usage: " + words.joined(separator: " ") + "\n\n"
    text += Self.prose(command.details) + "\n\n"
    let examples = tool.examples(command.name)
    if !examples.isEmpty {
      let lines = examples.map { "  # \($0.purpose)\n  \($0.line)\n" }
      text += "examples:\n" + lines.joined() + "\n"
    }
    let (options, limits) = (
      command.listedOptions.filter { !$0.isLimit }, command.listedOptions.filter { $0.isLimit }
    )
    let rows = options.map { Self.row(of: $0) }
    let others = limits.map { Self.row(of: $0) }
    let width = (rows + others).map(\.0.count).max() ?? 0
    text += "options:\n" + Self.table(rows, width: width)
    return text + (limits.isEmpty ? "" : "\nlimits:\n" + Self.table(others, width: width))
  }

  /// Returns the row of an option: its forms with the name of its value, and its line of help.
  private static func row(of option: any OptionRow) -> (String, String) {
    let short = option.short.map { $0 + ", " } ?? ""
    return (short + option.name + (option.value.map { " " + $0 } ?? ""), option.summary)
  }

  /// Maximum columns of a paragraph: longer lines are hard to read.
  private static let widest = 100

  /// Returns a page with its paragraphs wrapped at the terminal's width, if that is known. Lines of tables,
  /// lists and code stay as they are.
  static func prose(_ page: String) -> String {
    guard let columns = Terminal.width else { return page }
    var lines: [String] = []
    var paragraph: [Substring] = []
    func close() {
      guard !paragraph.isEmpty else { return }
      lines.append(
        Printable.wrapped(
          paragraph.joined(separator: " "), columns: min(columns, widest), used: 0, indent: 0))
      paragraph = []
    }
    var isCode = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      let isFence = line.hasPrefix("```")
      if isFence { isCode.toggle() }
      let isFixed = ["  ", "#", "- ", "|"].contains { line.hasPrefix($0) } || line.contains("  ")
      if line.isEmpty || isFence || isCode || isFixed {
        close()
        lines.append(String(line))
      } else {
        paragraph.append(line)
      }
    }
    close()
    return lines.joined(separator: "\n")
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
