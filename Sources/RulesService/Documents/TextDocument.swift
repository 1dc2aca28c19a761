package import RulesLang

/// A change of a text by an editor.
package struct TextChange: Sendable {
  /// The replaced range; nil for the whole text.
  package var range: Range<TextPosition>?
  /// The new text.
  package var text: Text

  /// Creates a change.
  package init(replacing range: Range<TextPosition>? = nil, with text: Text) {
    self.range = range
    self.text = text
  }
}

/// A replacement in a text.
package struct TextEdit: Hashable, Sendable {
  /// The replaced range; empty for an insertion.
  package var range: SourceRange
  /// The new text.
  package var text: String

  /// Creates a replacement.
  package init(_ range: SourceRange, text: String) {
    self.range = range
    self.text = text
  }
}

/// A text that is open in an editor, with conversion between its offsets and the editor's positions.
///
/// Offsets are those of `source`, in which a byte order mark at the beginning does not count.
package struct TextDocument: Sendable {
  /// The editor's name of the text.
  package let uri: String
  /// The version number; nil if versions are not numbered.
  package private(set) var version: Int?
  /// The text.
  package private(set) var source: SourceText
  private var lines: TextLines
  private let encoding: PositionEncoding

  /// Opens a text. `name` is its name in findings.
  package init(
    uri: String, name: String, version: Int? = nil, text: Text, encoding: PositionEncoding
  ) {
    self.uri = uri
    self.version = version
    self.encoding = encoding
    source = SourceText(name: name, bytes: text.bytes)
    lines = TextLines(source.bytes, encoding)
  }

  /// Opens a text that was read from a file.
  package init(uri: String, _ source: SourceText, encoding: PositionEncoding) {
    self.uri = uri
    self.encoding = encoding
    self.source = source
    lines = TextLines(source.bytes, encoding)
  }

  /// Applies changes, one after another; ranges are clamped to the text.
  package mutating func apply(_ changes: [TextChange], version: Int?) {
    var mark: [UInt8] = source.hadByteOrderMark ? [0xEF, 0xBB, 0xBF] : []
    for change in changes {
      var bytes = source.bytes
      if let range = change.range {
        let start = offset(of: range.lowerBound)
        bytes.replaceSubrange(
          start..<max(start, offset(of: range.upperBound)), with: change.text.bytes)
      } else {
        bytes = change.text.bytes
        mark = []
      }
      source = SourceText(name: source.name, bytes: mark + bytes)
      lines = TextLines(source.bytes, encoding)
    }
    self.version = version
  }

  /// The number of lines.
  package var lineCount: Int { lines.count }

  /// The offset of a position, clamped to the text.
  package func offset(of position: TextPosition) -> Int {
    var position = position
    if source.hadByteOrderMark, position.line == 0 {
      position.character -= encoding.width(ofLead: 0xEF)
    }
    return lines.offset(of: position, in: source.bytes)
  }

  /// The position of an offset.
  package func position(of offset: Int) -> TextPosition {
    var position = lines.position(of: offset, in: source.bytes)
    if source.hadByteOrderMark, position.line == 0 {
      position.character += encoding.width(ofLead: 0xEF)
    }
    return position
  }

  /// The positions of the ends of a range.
  package func positions(of range: SourceRange) -> Range<TextPosition> {
    let start = position(of: Int(range.start))
    return start..<max(start, position(of: Int(range.end)))
  }

  /// The bytes between two positions.
  package func range(of positions: Range<TextPosition>) -> SourceRange {
    SourceRange(start: offset(of: positions.lowerBound), end: offset(of: positions.upperBound))
  }

  /// The line, from 0, on which an offset lies.
  package func line(of offset: UInt32) -> Int { lines.line(of: Int(offset)) }

  /// Returns the range of a line, from 0, without its line end.
  package func lineRange(_ line: Int) -> SourceRange {
    let range = lines.range(of: line, in: source.bytes)
    return SourceRange(start: range.lowerBound, end: range.upperBound)
  }
}

extension SourceText {
  /// Returns the text with edits applied.
  ///
  /// - Requires: They do not overlap.
  package func applying(_ edits: [TextEdit]) -> SourceText {
    var result: [UInt8] = []
    var place = 0
    let sorted = edits.sorted { ($0.range.start, $0.range.end) < ($1.range.start, $1.range.end) }
    for edit in sorted {
      let start = min(max(place, Int(edit.range.start)), bytes.count)
      result += bytes[place..<start]
      result += Array(edit.text.utf8)
      place = min(max(start, Int(edit.range.end)), bytes.count)
    }
    result += bytes[place...]
    return SourceText(name: name, bytes: result)
  }
}
