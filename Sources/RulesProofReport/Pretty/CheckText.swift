package import RulesLang
import RulesReport

/// The report of `check` as text.
package struct CheckText {
  private let palette: Palette
  private let isQuiet: Bool

  /// Creates a report in the colours of a palette; when quiet it has only errors and notices.
  package init(_ palette: Palette, isQuiet: Bool) {
    self.palette = palette
    self.isQuiet = isQuiet
  }

  /// Returns the diagnostics with their source lines, and a line that counts them; when quiet only errors.
  ///
  /// - Parameters:
  ///   - report: The results.
  ///   - databases: For each file its databases, if there are several.
  package func render(_ report: CheckReport, for databases: [[String]] = []) -> String {
    let renderer = TextRenderer(palette)
    var text = ""
    for file in report.files {
      if !isQuiet { text += removals(file) }
      for diagnostic in file.diagnostics where !isQuiet || diagnostic.severity == .error {
        text += renderer.render(diagnostic, in: file.source) + "\n"
      }
    }
    if !isQuiet {
      for (place, file) in report.files.enumerated() {
        let names = file.databases.shown(databases.isEmpty ? [] : databases[place])
        if names.isEmpty { continue }
        text += "\(Printable.text(file.path)) is for the \(names.databaseWords)\n"
      }
    }
    // Notices about what a gate leaves out are shown with --quiet, too.
    text += report.notices.text(palette, isQuiet: isQuiet) + report.silences.text(palette)
    // A silenced error is shown with --quiet, too.
    let isSilent =
      report.count(.error) == 0
      && report.files.allSatisfy { file in !file.silenced.contains { $0.severity == .error } }
    if isQuiet, isSilent { return text }
    let isDeep = !isQuiet && report.files.contains { $0.deep != nil }
    return text + report.summary + "\n" + (isDeep ? Self.whatAuditFinds : "")
  }

  /// The sentence about holes that only `audit` finds, because they are not in single statements.
  private static var whatAuditFinds: String {
    "to find conditions that any new account satisfies, run `rules-check audit`\n"
  }

  private func removals(_ file: CheckReport.File) -> String {
    var text = ""
    for part in file.removed {
      let place = "\(Printable.text(file.path)):\(part.place.line):\(part.place.column): "
      let words = part.text.split { $0.isWhitespace }.joined(separator: " ")
      text += place + palette.paint("removed[\(part.code.name)]", as: .good) + ": "
      text += Printable.text(words) + "\n"
      text += "   = note: \(Printable.text(part.message))\n\n"
    }
    return text
  }
}
