import RulesLang

extension FormatReport {
  /// An annotation for each change that the formatter would make, and for each file that could not be
  /// formatted.
  package var annotations: [Annotation] {
    refusals + notices.map { $0.annotation } + files.flatMap { annotations($0) }
  }

  private func annotations(_ file: File) -> [Annotation] {
    LineDiff(file.before, file.after).hunks.map { hunk in
      var (line, first, last, width) = (hunk.oldStart, Int.max, 0, 0)
      for (mark, text) in hunk.lines {
        // Inserted lines are annotated at the line before them.
        let place = mark == .new ? max(line, 1) : line + 1
        if mark != .both {
          first = min(first, place)
          if place > last { (last, width) = (place, mark == .old ? Self.width(text) : 0) }
        }
        if mark != .new { line += 1 }
      }
      var remark = Annotation(
        file: file.path,
        place: Annotation.Place(line: first, column: 1, endLine: last, endColumn: width + 1),
        severity: isCheck ? .error : .info, code: Self.code,
        message: isCheck ? "this is not in the style" : "this was laid out",
        remarks: isCheck ? ["help: `\(Product.name) fmt` formats it"] : [])
      let changed = hunk.lines.first { $0.mark != .both }?.text ?? []
      remark.subject = [String(decoding: changed, as: UTF8.self)]
      return remark
    }
  }

  /// Returns the number of characters of a line without its end.
  private static func width(_ line: ArraySlice<UInt8>) -> Int {
    line.count { $0 & 0xC0 != 0x80 && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
  }

  /// The code of annotations about formatting.
  private static let code = "format"
}
