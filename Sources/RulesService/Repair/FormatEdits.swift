package import RulesLang
import RulesStyle

/// The formatter's changes as minimal edits of white space, so that an editor moves nothing else.
enum FormatEdits {
  /// Returns the edits that format a whole text; none if it is formatted, or cannot be.
  static func all(_ source: SourceText) -> [TextEdit] {
    guard case .formatted(var bytes) = RulesFormatter.format(source) else { return [] }
    if source.hadByteOrderMark { bytes.removeFirst(3) }
    return edits(from: source.bytes, to: bytes)
  }

  /// Returns the edits of white space between two texts; one replacement of everything if they differ
  /// otherwise.
  static func edits(from old: [UInt8], to new: [UInt8]) -> [TextEdit] {
    var edits: [TextEdit] = []
    var (place, other) = (0, 0)
    while place < old.count || other < new.count {
      let (start, otherStart) = (place, other)
      while place < old.count, old[place].isSpace { place += 1 }
      while other < new.count, new[other].isSpace { other += 1 }
      if old[start..<place] != new[otherStart..<other] {
        let text = String(decoding: new[otherStart..<other], as: UTF8.self)
        edits.append(TextEdit(SourceRange(start: start, end: place), text: text))
      }
      guard place < old.count, other < new.count else { break }
      guard old[place] == new[other] else { return [whole(old, new)] }
      place += 1
      other += 1
    }
    return place == old.count && other == new.count ? edits : [whole(old, new)]
  }

  private static func whole(_ old: [UInt8], _ new: [UInt8]) -> TextEdit {
    TextEdit(
      SourceRange(start: 0, end: old.count), text: String(decoding: new, as: UTF8.self))
  }
}

extension UInt8 {
  /// True if the byte is a space, a tab or a line end.
  fileprivate var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}

extension RulesAnalysis {
  /// The edits that format the text.
  package var formatting: [TextEdit] { FormatEdits.all(source) }

  /// Returns the edits that format the lines of a range, including the indentation of the first.
  package func formatting(of range: SourceRange) -> [TextEdit] {
    formatting.filter { $0.range.start < range.end && $0.range.end >= range.start }
  }

  /// Returns the edits after a character was typed: `;` or `}` formats the statement that it ends, a line end
  /// indents the new line.
  package func formatting(afterTyping character: String, at offset: Int) -> [TextEdit] {
    if character == "\n" { return indentation(at: offset) }
    let before = tokens.count(before: offset)
    guard before > 0 else { return [] }
    var first = before - 1
    if tokens.tokens[first].kind == .rightBrace {
      var depth = 0
      while first > 0 {
        if tokens.tokens[first].kind == .rightBrace { depth += 1 }
        if tokens.tokens[first].kind == .leftBrace { depth -= 1 }
        if depth == 0 { break }
        first -= 1
      }
    }
    first = max(
      0, min(first, TypingPlace(Int(tokens.tokens[first].range.start), in: tokens).statement))
    let start = first > 0 ? tokens.tokens[first - 1].range.end : 0
    return formatting(of: SourceRange(start: start, end: UInt32(offset)))
  }

  /// Returns the edit that indents a new line: by two spaces for each open brace, and for a continued
  /// statement.
  private func indentation(at offset: Int) -> [TextEdit] {
    let bytes = source.bytes
    var start = offset
    while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
    guard start == 0 || bytes[start - 1] == 0x0A || bytes[start - 1] == 0x0D,
      tokens.comment(at: offset) == nil
    else { return [] }
    var end = offset
    while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
    let before = tokens.count(before: start)
    var depth = 0
    for token in tokens.tokens[..<before] {
      switch token.kind {
      case .leftBrace, .leftBracket, .leftParen: depth += 1
      case .rightBrace, .rightBracket, .rightParen: depth = max(0, depth - 1)
      default: continue
      }
    }
    let closing: [UInt8] = [UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]")]
    if end < bytes.count, closing.contains(bytes[end]) { depth = max(0, depth - 1) }
    if before > 0 {
      switch tokens.tokens[before - 1].kind {
      case .andAnd, .orOr, .if, .colon, .return, .equal: depth += 1
      default: break
      }
    }
    let text = String(repeating: " ", count: 2 * depth)
    let range = SourceRange(start: start, end: end)
    return source.string(range) == text ? [] : [TextEdit(range, text: text)]
  }
}
