/// Turns diagnostics into lines for people.
///
/// ```
/// app.rules:6:24: warning[unknown-variable]: Invalid variable name: reqest.
///    |
///  6 |       allow update: if reqest.auth != null;
///    |                        ^^^^^^
///    = note: reading it is an error at run time, so the condition does not grant
///    = help: did you mean `request`?
/// ```
public struct TextRenderer {
  /// Maximum characters of a source line that is shown whole if the number of columns is unknown.
  public static let width = 120

  private let palette: Palette

  /// Creates a renderer with a palette.
  public init(_ palette: Palette = .plain) { self.palette = palette }

  /// Returns the lines of a diagnostic, each with a line end.
  public func render(_ diagnostic: Diagnostic, in source: SourceText) -> String {
    var text = head(of: diagnostic, in: source)
    if let range = diagnostic.range {
      text += snippet(
        of: range, label: diagnostic.label, style: style(diagnostic.severity), in: source)
    }
    for other in diagnostic.related where other.isPictured {
      text += snippet(of: other.range, label: other.text, style: .info, in: source)
    }
    for note in diagnostic.notes { text += remark("note", saying: note) }
    if let help = diagnostic.help { text += remark("help", saying: help) }
    return text
  }

  private func head(of diagnostic: Diagnostic, in source: SourceText) -> String {
    var place = Printable.text(source.name)
    if let range = diagnostic.range {
      let position = source.position(of: range.start)
      place += ":\(position.line):\(position.column)"
    }
    let kind = "\(diagnostic.severity.word)[\(diagnostic.code.name)]"
    let message = palette.wrapped(
      Printable.text(diagnostic.message), after: Printable.columns("\(place): \(kind): "), indent: 2
    )
    return place + ": " + palette.paint(kind, as: style(diagnostic.severity)) + ": "
      + palette.paint(message, as: .strong) + "\n"
  }

  private func style(_ severity: Diagnostic.Severity) -> Palette.Style {
    switch severity {
    case .error: .error
    case .warning: .warning
    case .info: .info
    }
  }

  private func remark(_ kind: String, saying text: String) -> String {
    let indent = 5 + kind.utf8.count + 2
    let said = palette.wrapped(Printable.text(text), after: indent, indent: indent)
    return "   " + palette.paint("=", as: .gutter) + " " + palette.paint(kind, as: .strong) + ": "
      + said + "\n"
  }

  /// Returns the source line with carets under the range, as far as the range is on that line.
  private func snippet(
    of range: SourceRange, label: String?, style: Palette.Style, in source: SourceText
  ) -> String {
    let line = source.line(of: range.start)
    let number = "\(line)"
    let columns = palette.sourceColumns(beside: number.utf8.count + 4)
    let excerpt = Excerpt(source, line: line, around: range, columns: columns)
    let blank = String(repeating: " ", count: number.utf8.count)
    let gap = palette.paint(" \(blank) |", as: .gutter) + "\n"
    var text = gap + palette.paint(" \(number) |", as: .gutter) + " " + excerpt.text + "\n"
    let carets = String(repeating: "^", count: max(1, excerpt.width(of: range)))
    let padding = String(repeating: " ", count: excerpt.column(of: range.start))
    text += palette.paint(" \(blank) |", as: .gutter) + " "
    text += padding + palette.paint(carets, as: style)
    guard let label = label.map({ Printable.text($0) }) else { return text + "\n" }
    let end = padding.utf8.count + carets.utf8.count + 1 + Printable.columns(label)
    if palette.columns == nil || end <= columns {
      return text + " " + palette.paint(label, as: style) + "\n"
    }
    // A label that does not fit behind the carets is below them, as far to the right as possible.
    let indent = min(padding.utf8.count, max(0, columns - Printable.columns(label)))
    return text + "\n" + palette.paint(" \(blank) |", as: .gutter) + " "
      + String(repeating: " ", count: indent) + palette.paint(label, as: style) + "\n"
  }
}

/// An excerpt of a source line, ready to print, with a map from offsets to columns.
public struct Excerpt: Sendable {
  /// The text to print.
  public let text: String
  /// The column of each character, by index; one more for the end.
  private let columns: [Int]
  private let offsets: [UInt32]

  /// Creates the excerpt of a line, counted from 1. If it is longer than `columns`, it is cut around `focus`,
  /// with dots on the sides that were cut.
  public init(
    _ source: SourceText, line: Int, around focus: SourceRange, columns: Int = TextRenderer.width
  ) {
    let whole = source.lineRange(line)
    let isLong = whole.count > columns
    // Without a known width, the dots are beyond the columns.
    let shown = UInt32(isLong && columns != TextRenderer.width ? columns - 2 * Self.dots : columns)
    // Only so much of a huge line is ever looked at: half before the focus, half after.
    let reach = shown / 2
    let start = isLong && focus.start > whole.start + reach ? focus.start - reach : whole.start
    self.init(
      source, from: Self.characterStart(source, at: start), to: min(whole.end, start + shown),
      of: whole)
  }

  /// Width of the dots on each side.
  private static let dots = 3

  /// Creates the excerpt of exactly one range of a line, without dots.
  public init(_ source: SourceText, exactly range: SourceRange) {
    self.init(source, from: range.start, to: range.end, of: range)
  }

  private init(
    _ source: SourceText, from start: UInt32, to end: UInt32, of whole: SourceRange
  ) {
    var shown: [(offset: UInt32, text: String)] = []
    var offset = start
    if offset > whole.start { shown.append((offset, "...")) }
    while offset < end {
      let next = Self.characterEnd(source, at: offset, limit: whole.end)
      shown.append((offset, Printable.text(source.string(SourceRange(start: offset, end: next)))))
      offset = next
    }
    var text = ""
    var columns: [Int] = []
    var width = 0
    for piece in shown {
      columns.append(width)
      text += piece.text
      width += Printable.columns(piece.text)
    }
    columns.append(width)
    if offset < whole.end { text += "..." }
    self.text = text
    self.columns = columns
    offsets = shown.map { $0.offset } + [offset]
  }

  /// Returns the column, from 0, of the character at an offset.
  public func column(of offset: UInt32) -> Int {
    let place = offsets.lastIndex { $0 <= offset } ?? 0
    return columns[place]
  }

  /// Returns the number of columns of a range, as far as it is shown.
  public func width(of range: SourceRange) -> Int {
    column(of: range.end) - column(of: range.start)
  }

  private static func characterStart(_ source: SourceText, at offset: UInt32) -> UInt32 {
    var start = offset
    while start > 0, Int(start) < source.bytes.count, source.bytes[Int(start)] & 0xC0 == 0x80 {
      start -= 1
    }
    return start
  }

  private static func characterEnd(
    _ source: SourceText, at offset: UInt32, limit: UInt32
  ) -> UInt32 {
    var end = offset + 1
    while end < limit, source.bytes[Int(end)] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}

/// Makes text safe to be sent to a terminal.
public enum Printable {
  /// Returns the text with tabs as spaces and other control characters as `?`, so that nothing in a rules
  /// file or suite can control the reader's terminal.
  public static func text(_ raw: String) -> String {
    guard raw.unicodeScalars.contains(where: isControl) else { return raw }
    var result = String.UnicodeScalarView()
    for scalar in raw.unicodeScalars {
      if scalar == "\t" {
        result.append(contentsOf: "  ".unicodeScalars)
      } else {
        result.append(isControl(scalar) ? "?" : scalar)
      }
    }
    return String(result)
  }

  /// True for control characters, those that change the direction of text, invisible ones, and Unicode's line
  /// ends.
  public static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060,
      0x2066...0x2069, 0xFEFF:
      true
    default: false
    }
  }
}
