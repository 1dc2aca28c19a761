package import RulesLang

/// The report of `check` for people.
package struct CheckText {
  private let palette: Palette
  private let isQuiet: Bool

  /// A report in these colours; when quiet only errors are told.
  package init(_ palette: Palette, isQuiet: Bool) {
    self.palette = palette
    self.isQuiet = isQuiet
  }

  /// The diagnostics with their source lines, and a line that counts them; when quiet only errors.
  package func render(_ report: CheckReport) -> String {
    let renderer = TextRenderer(palette)
    var text = ""
    for file in report.files {
      if !isQuiet { text += removals(file) }
      for diagnostic in file.diagnostics where !isQuiet || diagnostic.severity == .error {
        text += renderer.render(diagnostic, in: file.source) + "\n"
      }
    }
    return isQuiet && report.count(.error) == 0 ? text : text + report.summary + "\n"
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
