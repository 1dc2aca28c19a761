import RulesEval
import RulesLang

/// Prints a condition with the value of each sub-expression hanging under it:
///
/// ```
///  6 |       allow update: if request.auth.uid == userID;
///    |                                     |   |  |
///    |                                     |   |  "alice"
///    |                                     |   false
///    |                                     "mallory"
/// ```
struct ExplanationText {
  private let source: SourceText
  private let palette: Palette

  init(_ source: SourceText, in palette: Palette) {
    self.source = source
    self.palette = palette
  }

  /// Returns the lines of a statement or function, from its first to its last, with the values.
  func render(_ explanation: Explanation, lines range: SourceRange, indent: String) -> String {
    let first = source.line(of: range.start)
    let last = max(first, source.line(of: max(range.start, range.end - 1)))
    let width = "\(last)".utf8.count
    var text = indent + gutter("", width: width) + "\n"
    for line in first...last {
      let notes = explanation.notes.filter { source.line(of: $0.anchor) == line }
      text += render(line, notes: notes, in: range, width: width, indent: indent)
    }
    return text
  }

  private func render(
    _ line: Int, notes: [Explanation.Note], in statement: SourceRange, width: Int,
    indent: String
  ) -> String {
    let whole = source.lineRange(line)
    let columns = palette.sourceColumns(beside: indent.utf8.count + width + 4)
    let start = SourceRange(start: whole.start, end: whole.start)
    let excerpt = Excerpt(source, line: line, around: start, columns: columns)
    let pins = pins(of: notes, in: excerpt, shift: 0)
    guard whole.count > columns || !isFitting(pins, columns), !notes.isEmpty else {
      return indent + gutter("\(line)", width: width) + " \(excerpt.text)\n"
        + values(pins, width: width, indent: indent)
    }
    return broken(line, notes: notes, in: statement, width: width, indent: indent, columns: columns)
  }

  /// True if no value goes beyond the last column, or the number of columns is unknown.
  private func isFitting(_ pins: [Pin], _ columns: Int) -> Bool {
    palette.columns == nil || pins.allSatisfy { $0.column + $0.length <= columns }
  }

  /// Returns a long statement broken into several lines, so that every value has room.
  private func broken(
    _ line: Int, notes: [Explanation.Note], in statement: SourceRange, width: Int, indent: String,
    columns: Int
  ) -> String {
    let whole = source.lineRange(line)
    let start = max(whole.start, statement.start)
    let indentation = source.bytes[Int(whole.start)..<Int(start)]
    let isIndented = indentation.count < 40 && indentation.allSatisfy { $0 == UInt8(ascii: " ") }
    let part = SourceRange(
      start: isIndented ? whole.start : start, end: max(start, min(whole.end, statement.end)))
    let pieces = LinePieces.split(part, of: source, longest: longestPiece(notes, columns))
    var text = ""
    for (index, piece) in pieces.enumerated() {
      let lead = index > 0 ? Self.continuation : piece.start > whole.start ? "... " : ""
      let tail = index == pieces.count - 1 && piece.end < whole.end ? " ..." : ""
      let excerpt = Excerpt(source, exactly: piece)
      text += indent + gutter(index == 0 ? "\(line)" : "", width: width)
      text += " \(lead)\(excerpt.text)\(tail)\n"
      let inside = notes.filter { piece.contains($0.anchor) }
      var pins = pins(of: inside, in: excerpt, shift: lead.utf8.count)
      if palette.columns != nil { pins = pins.map { $0.cut(to: columns) } }
      text += values(pins, width: width, indent: indent)
    }
    return text
  }

  /// The indentation of a continued line.
  private static let continuation = "        "

  /// Returns the maximum length of the pieces of a broken line: beside the last character there must be room
  /// for the values, or for the beginning of a long one.
  private func longestPiece(_ notes: [Explanation.Note], _ columns: Int) -> Int {
    if palette.columns == nil { return LinePieces.usual }
    let values = notes.map { Printable.columns(Printable.text($0.text)) }.max() ?? 0
    return max(columns / 2, columns - Self.continuation.utf8.count - min(values, columns / 3))
  }

  /// Returns the values that hang under a line.
  private func values(_ pins: [Pin], width: Int, indent: String) -> String {
    guard !pins.isEmpty else { return "" }
    let blank = indent + gutter("", width: width) + " "
    return blank + bars(pins.map { $0.column }) + "\n"
      + rows(pins).reduce("") { $0 + blank + $1 + "\n" }
  }

  private func gutter(_ number: String, width: Int) -> String {
    let padding = String(repeating: " ", count: width - number.utf8.count)
    return palette.paint(" \(padding)\(number) |", as: .gutter)
  }

  private struct Pin {
    var column: Int
    var text: String
    var style: Palette.Style

    var length: Int { Printable.columns(text) }

    /// Returns the pin with its text cut at the last column.
    func cut(to columns: Int) -> Pin {
      guard column + length > columns else { return self }
      var copy = self
      let room = max(1, columns - column - 3)
      copy.text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(room))) + "..."
      return copy
    }
  }

  private func pins(of notes: [Explanation.Note], in excerpt: Excerpt, shift: Int) -> [Pin] {
    var pins: [Pin] = []
    for note in notes {
      let column = excerpt.column(of: note.anchor) + shift
      // Two notes on one character: the outer expression comes first and says enough.
      if pins.last?.column == column { continue }
      pins.append(
        Pin(column: column, text: Printable.text(note.text), style: style(note.tone)))
    }
    return pins
  }

  private func style(_ tone: Explanation.Tone) -> Palette.Style {
    switch tone {
    case .isTrue: .good
    case .isFalse, .error: .error
    case .value: .plain
    case .skipped: .gutter
    }
  }

  private func bars(_ columns: [Int]) -> String {
    var line = ""
    var width = 0
    for column in columns where column >= width {
      line += String(repeating: " ", count: column - width) + "|"
      width = column + 1
    }
    return line
  }

  /// Arranges the values in rows: from the right, as many in each row as do not overlap.
  private func rows(_ pins: [Pin]) -> [String] {
    var open = pins
    var rows: [String] = []
    while !open.isEmpty {
      var shown: [Pin] = []
      var limit = Int.max
      for pin in open.reversed() {
        let end = pin.column + pin.length
        guard end < limit else { break }
        shown.insert(pin, at: 0)
        limit = pin.column
      }
      if shown.isEmpty, let last = open.last { shown = [last] }
      open.removeLast(shown.count)
      rows.append(row(waiting: open.map { $0.column }, shown))
    }
    return rows
  }

  private func row(waiting columns: [Int], _ shown: [Pin]) -> String {
    var line = bars(columns)
    var width = line.unicodeScalars.count
    for pin in shown {
      line += String(repeating: " ", count: max(0, pin.column - width))
      line += palette.paint(pin.text, as: pin.style)
      width = pin.column + pin.length
    }
    return line
  }
}
