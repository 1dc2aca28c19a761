import RulesEval
package import RulesLang

/// Prints coverage for people: a line for each rules file, and under it the lines with gaps.
///
/// ```
/// coverage  rules/psst.rules  87.5 %  statements 3/3, conditions 5/6, expressions 6/7
///  6 |       allow write: if request.auth != null && request.auth.uid == userID;
///    |                       ^^^^^^^^^^^^^^^^^^^^ never false
/// ```
package struct CoverageText {
  private let report: CoverageReport
  private let palette: Palette

  /// Renders a report in the colours of a palette.
  package init(_ report: CoverageReport, in palette: Palette) {
    self.report = report
    self.palette = palette
  }

  /// All files, and a line for all together if there are several.
  package var text: String {
    var text = ""
    for file in report.files {
      text += "coverage  \(Printable.text(file.path))  \(numbers(file.summary))"
      text += (file.untestedWords.map { ", \($0)" } ?? "") + "\n"
      if !file.isUntested { text += gaps(file) }
    }
    if report.files.count > 1 {
      text += "coverage  all rules  \(numbers(report.summary))\n"
    }
    return text
  }

  private func numbers(_ summary: CoverageSummary) -> String {
    let style: Palette.Style =
      summary.total.seen == summary.total.possible ? .good : .warning
    let percent = palette.paint(CoverageReport.text(summary.total.percent) + " %", as: style)
    let parts = [
      ("statements", summary.statements), ("conditions", summary.conditions),
      ("expressions", summary.expressions),
    ]
    let counts = parts.map { "\($0.0) \($0.1.seen)/\($0.1.possible)" }.joined(separator: ", ")
    return "\(percent)  \(counts)"
  }

  private func gaps(_ file: CoverageReport.File) -> String {
    let source = file.rules.ruleset.source
    let gaps = file.coverage.gaps(in: file.rules)
    guard let last = gaps.last else { return "" }
    let width = "\(source.line(of: last.range.start))".utf8.count
    var text = ""
    var shown = 0
    for gap in gaps {
      let line = source.line(of: gap.range.start)
      let columns = palette.sourceColumns(beside: width + 4)
      let excerpt = Excerpt(source, line: line, around: gap.range, columns: columns)
      // The excerpt of a cut line depends on the gap, so the line is shown again.
      if line != shown || source.lineRange(line).count > columns {
        let number = "\(line)"
        let padding = String(repeating: " ", count: width - number.utf8.count)
        text += palette.paint(" \(padding)\(number) |", as: .gutter) + " \(excerpt.text)\n"
        shown = line
      }
      let blank = String(repeating: " ", count: width)
      let indent = String(repeating: " ", count: excerpt.column(of: gap.range.start))
      let carets = String(repeating: "^", count: max(1, excerpt.width(of: gap.range)))
      text += palette.paint(" \(blank) |", as: .gutter) + " \(indent)"
      let words = gap.gap.words
      let isFitting = indent.utf8.count + carets.utf8.count + 1 + words.utf8.count <= columns
      if palette.columns == nil || isFitting {
        text += palette.paint("\(carets) \(words)", as: .warning) + "\n"
      } else {
        text += palette.paint(carets, as: .warning) + "\n"
        text += palette.paint(" \(blank) |", as: .gutter) + " "
        text += String(repeating: " ", count: max(0, columns - words.utf8.count))
        text += palette.paint(words, as: .warning) + "\n"
      }
    }
    return text
  }
}
