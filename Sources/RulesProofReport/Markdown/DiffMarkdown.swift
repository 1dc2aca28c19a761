import RulesEval
import RulesLang
import RulesProof
import RulesReport

/// The report of a comparison as a comment on a pull request: a table, then the differences.
package struct DiffMarkdown {
  private let report: DiffReport

  /// Creates the comment on a comparison.
  package init(_ report: DiffReport) { self.report = report }

  /// The whole text.
  package var text: String {
    let refused = report.refusals.refusedMarkdown
    let said = (report.notices.map { $0.annotation } + report.silences.map { $0.annotation })
      .map { "- \($0.severity.word): " + Markdown.sentence($0.message) + "\n" }.joined()
    return (report.pairs.map { render($0) } + [said, refused].filter { !$0.isEmpty })
      .joined(separator: "\n")
  }

  private func render(_ pair: DiffReport.Pair) -> String {
    let database = pair.database
    let name =
      Self.code(pair.new.source.name)
      + (database.isStandard ? "" : ", database " + Self.code(String(database.text)))
    if let sentence = pair.unmanagedSentence, let reason = pair.ending {
      let databases = pair.databases.isEmpty ? "" : ", \(pair.databases.databaseWords)"
      return "### \(name): no longer managed here\n\n"
        + Markdown.sentence("\(reason)\(databases): \(sentence). \(DiffReport.Pair.unmanagedHelp).")
        + "\n"
    }
    if pair.isFirst { return first(pair, name) }
    let verdicts = pair.paths.flatMap { $0.methods.map { $0.verdict } }
    if verdicts.isEmpty { return "### \(name): nothing was compared\n" }
    if verdicts.allSatisfy({ $0 == .equivalent }) {
      return "### \(name): access is unchanged\n"
    }
    var text = "### \(name): \(pair.headline)\n\n"
    text += "| documents | get | list | create | update | delete |\n|---|---|---|---|---|---|\n"
    for path in pair.paths { text += row(path) }
    for isLoosened in [true, false] {
      let found = pair.paths.flatMap { path in
        path.differences.filter { $0.isLoosened == isLoosened }.map { (path, $0) }
      }
      if found.isEmpty { continue }
      text += "\n**\(isLoosened ? "Loosened" : "Tightened")**\n\n"
      for (path, difference) in found { text += item(difference, at: path, in: pair) }
    }
    return text + open(pair)
  }

  /// Returns the section about rules that have no older version.
  private func first(_ pair: DiffReport.Pair, _ name: String) -> String {
    let found = pair.paths.flatMap { path in
      path.differences.map { "- " + Self.sentence(pair.sentence($0, at: path), path) + "\n" }
    }
    let allowed = found.isEmpty ? "It allows nothing.\n" : "It allows:\n\n" + found.joined()
    return "### \(name): no rules before\n\n" + allowed + open(pair)
  }

  /// Returns the section of open questions, with reasons; empty if everything is known.
  private func open(_ pair: DiffReport.Pair) -> String {
    var text = ""
    for path in pair.paths {
      for method in path.methods where method.isOpen {
        let reasons = method.openReasons.map { pair.sentence($0) }
        let why = reasons.isEmpty ? "" : ": " + reasons.joined(separator: "; ")
        text += "- " + Markdown.sentence("\(method.openness(of: path.path))\(why)") + "\n"
      }
    }
    return text.isEmpty ? "" : "\n**Not known**\n\n" + text
  }

  private func row(_ path: PathDiff) -> String {
    var cells = [Self.code(path.path)]
    for method in [Method.get, .list, .create, .update, .delete] {
      let found = path.methods.first { $0.method == method }
      switch found?.verdict {
      case .none: cells.append("")
      case .equivalent: cells.append("=")
      case .undecided: cells.append("**undecided**")
      case .some(let verdict):
        cells.append("**\(verdict.rawValue)**" + (found?.isOpen == true ? ", perhaps more" : ""))
      }
    }
    return "| " + cells.joined(separator: " | ") + " |\n"
  }

  private func item(
    _ difference: AccessChange, at path: PathDiff, in pair: DiffReport.Pair
  ) -> String {
    let witness = difference.witnesses[0]
    let lines = pair.lines(of: witness, difference)
    func places(_ lines: [Int]) -> String {
      lines.isEmpty ? "no statement" : "line " + lines.map { "\($0)" }.joined(separator: ", ")
    }
    let sentence = Self.sentence(difference.sentence(path.path), path)
    let test = JSONText(
      difference.isLoosened
        ? witness.closingTest : witness.test(of: difference)
    ).compact
    let title =
      difference.isLoosened
      ? "if you did not intend this, add this test and fix the rules"
      : "a request that shows it"
    return """
      - \(sentence); decided by \(places(lines.old)) before, by \(places(lines.new)) now;
        for example: \(Markdown.sentence(witness.sentence))
        <details><summary>\(title)</summary>

        ```json
        \(test)
        ```

        </details>

      """
  }

  /// Returns a sentence about the documents of a path, with the path, or its collection, as code.
  private static func sentence(_ text: String, _ path: PathDiff) -> String {
    var words: [String] = []
    var isCode = false
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let isPath = word.hasPrefix("/") && (path.path + "/").hasPrefix(String(word) + "/")
      words.append(isPath && !isCode ? "`\(word)`" : String(word))
      if !word.utf8.count(where: { $0 == UInt8(ascii: "`") }).isMultiple(of: 2) { isCode.toggle() }
    }
    return Markdown.sentence(words.joined(separator: " "))
  }

  /// Returns text as code inside a table.
  private static func code(_ text: String) -> String {
    Markdown.code(text).map { $0 == "|" ? "\\|" : String($0) }.joined()
  }
}
