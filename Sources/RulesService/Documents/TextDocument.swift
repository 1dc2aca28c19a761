package import RulesLang

/// A change that an editor made.
package struct TextChange: Sendable {
  /// What was replaced; nil for the whole text.
  package var range: Range<TextPosition>?
  /// What took its place.
  package var text: Text

  /// Makes a change.
  package init(replacing range: Range<TextPosition>? = nil, with text: Text) {
    self.range = range
    self.text = text
  }
}

/// A replacement in a text.
package struct TextEdit: Hashable, Sendable {
  /// What is replaced; an empty range is a place where something is put in.
  package var range: SourceRange
  /// What takes its place.
  package var text: String

  /// Makes a replacement.
  package init(_ range: SourceRange, text: String) {
    self.range = range
    self.text = text
  }
}

/// A text that is open in an editor, with the positions that the editor speaks in.
///
/// Offsets are those of `source`, in which a byte order mark at the beginning does not count.
package struct TextDocument: Sendable {
  /// What the editor calls it.
  package let uri: String
  /// The number of its version; nil if nobody numbers them.
  package private(set) var version: Int?
  /// The text.
  package private(set) var source: SourceText
  private var lines: TextLines
  private let encoding: PositionEncoding

  /// Opens a text. `name` is what findings about it call it.
  package init(
    uri: String, name: String, version: Int? = nil, text: Text, encoding: PositionEncoding
  ) {
    self.uri = uri
    self.version = version
    self.encoding = encoding
    source = SourceText(name: name, bytes: text.bytes)
    lines = TextLines(source.bytes, encoding)
  }

  /// A text that was read, under the positions that an editor speaks in.
  package init(uri: String, _ source: SourceText, encoding: PositionEncoding) {
    self.uri = uri
    self.encoding = encoding
    self.source = source
    lines = TextLines(source.bytes, encoding)
  }

  /// Makes changes, one after another; ranges are clamped to the text.
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

  /// A line, from 0, without what ends it.
  package func lineRange(_ line: Int) -> SourceRange {
    let range = lines.range(of: line, in: source.bytes)
    return SourceRange(start: range.lowerBound, end: range.upperBound)
  }
}

extension SourceText {
  /// The text with replacements made, none of which overlap.
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
