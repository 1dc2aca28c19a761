package import RulesLang

/// The report of `fmt` for people.
package struct FormatText {
  private let palette: Palette
  private let isQuiet: Bool

  /// Creates a report in the colours of a palette; when quiet it has only the changes.
  package init(_ palette: Palette, isQuiet: Bool) {
    self.palette = palette
    self.isQuiet = isQuiet
  }

  /// Returns the names of the changed files; for files that were only checked, the changes as a unified diff,
  /// which `patch` accepts if it has no colours.
  package func render(_ report: FormatReport) -> String {
    var text = ""
    for file in report.files where file.isChanged {
      if report.isCheck {
        text += Self.diff(of: file, palette)
      } else if !isQuiet {
        text += "formatted \(Printable.text(file.path))\n"
      }
    }
    if isQuiet { return text }
    if report.isCheck, !text.isEmpty { text += "\n" }
    text += report.notices.text(palette)
    return text + report.summary + "\n"
  }

  /// Returns the changes of a file as a unified diff.
  static func diff(of file: FormatReport.File, _ palette: Palette = .plain) -> String {
    let path = Printable.text(file.path)
    var text = palette.paint("--- \(path)", as: .strong) + "\n"
    text += palette.paint("+++ \(path)", as: .strong) + "\n"
    for hunk in LineDiff(file.before, file.after).hunks {
      let old = place(hunk.oldStart, hunk.count(.old))
      let new = place(hunk.newStart, hunk.count(.new))
      text += palette.paint("@@ -\(old) +\(new) @@", as: .info) + "\n"
      for (mark, line) in hunk.lines { text += render(mark, line, palette) }
    }
    return text
  }

  private static func render(
    _ mark: LineDiff.Mark, _ line: ArraySlice<UInt8>, _ palette: Palette
  ) -> String {
    let isEnded = line.last == UInt8(ascii: "\n")
    let content = mark.rawValue + visible(isEnded ? line.dropLast() : line)
    let style: Palette.Style =
      switch mark {
      case .both: .plain
      case .old: .error
      case .new: .good
      }
    let end = isEnded ? "\n" : "\n\\ No newline at end of file\n"
    return palette.paint(content, as: style) + end
  }

  /// Returns a line without control characters. Tabs and the carriage return at its end stay: they may be
  /// what changes.
  private static func visible(_ line: ArraySlice<UInt8>) -> String {
    let isReturned = line.last == UInt8(ascii: "\r")
    let parts = (isReturned ? line.dropLast() : line).split(
      separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
    var text = ""
    for (index, part) in parts.enumerated() {
      text += (index == 0 ? "" : "\t") + Printable.text(String(decoding: part, as: UTF8.self))
    }
    return isReturned ? text + "\r" : text
  }

  /// Returns the place in a hunk's header, `12,3`: the first line, from 1, and the number of lines; for no
  /// lines, the line before.
  private static func place(_ start: Int, _ count: Int) -> String {
    "\(count == 0 ? start : start + 1)" + (count == 1 ? "" : ",\(count)")
  }
}
