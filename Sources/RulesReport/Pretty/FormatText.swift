public import RulesLang

/// The report of `fmt` for people.
public struct FormatText {
  private let palette: Palette
  private let isQuiet: Bool

  /// A report in these colours; when quiet only what would change is told.
  public init(_ palette: Palette, isQuiet: Bool) {
    self.palette = palette
    self.isQuiet = isQuiet
  }

  /// The files that changed; of files that are only checked what would change, as a unified diff that
  /// `patch` and `git apply` understand as long as it has no colours.
  public func render(_ report: FormatReport) -> String {
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
    return text + report.summary + "\n"
  }

  /// What would change in a file, as a unified diff.
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
    let content = mark.rawValue + String(decoding: isEnded ? line.dropLast() : line, as: UTF8.self)
    let style: Palette.Style =
      switch mark {
      case .both: .plain
      case .old: .error
      case .new: .good
      }
    let end = isEnded ? "\n" : "\n\\ No newline at end of file\n"
    return palette.paint(Printable.text(content), as: style) + end
  }

  /// `12,3`: the first line, from 1, and the number of lines; of none, the line before.
  private static func place(_ start: Int, _ count: Int) -> String {
    "\(count == 0 ? start : start + 1)" + (count == 1 ? "" : ",\(count)")
  }
}
