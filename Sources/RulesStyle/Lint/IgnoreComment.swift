package import RulesLang

/// A comment `// rules-check: ignore CODE reason`.
package struct IgnoreComment: Sendable {
  /// The code, as written; empty if there is none.
  package var code: String
  /// The place of the code, or of the comment if it has none.
  package var range: SourceRange
  /// True if a reason is given.
  package var hasReason: Bool
  /// The line to which it applies: the next one with anything but comments.
  package var line: Int

  /// Returns every such comment of a text.
  package static func find(in source: SourceText) -> [IgnoreComment] {
    let tokens = Lexer.tokens(of: source).tokens
    var found: [IgnoreComment] = []
    var start: UInt32 = 0
    for token in tokens {
      for comment in lineComments(of: source, in: SourceRange(start: start, end: token.range.start))
      {
        guard var ignore = read(comment, in: source) else { continue }
        ignore.line = source.line(of: token.range.start)
        found.append(ignore)
      }
      start = token.range.end
    }
    return found
  }

  /// Returns the `//` comments between two tokens.
  private static func lineComments(of source: SourceText, in gap: SourceRange) -> [SourceRange] {
    let bytes = source.bytes
    var found: [SourceRange] = []
    var index = Int(gap.start)
    let end = Int(gap.end)
    while index + 1 < end {
      guard bytes[index] == UInt8(ascii: "/") else {
        index += 1
        continue
      }
      let start = index
      if bytes[index + 1] == UInt8(ascii: "*") {
        index += 2
        while index + 1 < end,
          !(bytes[index] == UInt8(ascii: "*") && bytes[index + 1] == UInt8(ascii: "/"))
        {
          index += 1
        }
        index += 2
      } else {
        while index < end, bytes[index] != UInt8(ascii: "\n") { index += 1 }
        found.append(SourceRange(start: start, end: index))
      }
    }
    return found
  }

  private static func read(_ comment: SourceRange, in source: SourceText) -> IgnoreComment? {
    let words = words(of: source, in: SourceRange(start: comment.start + 2, end: comment.end))
    guard words.count >= 2, words[0].text == "rules-check:", words[1].text == "ignore" else {
      return nil
    }
    guard words.count >= 3 else {
      return IgnoreComment(code: "", range: comment, hasReason: false, line: 0)
    }
    return IgnoreComment(
      code: words[2].text, range: words[2].range, hasReason: words.count > 3, line: 0)
  }

  private static func words(
    of source: SourceText, in range: SourceRange
  ) -> [(text: String, range: SourceRange)] {
    var words: [(text: String, range: SourceRange)] = []
    var start: UInt32?
    for offset in range.start...range.end {
      let isBlank =
        offset == range.end || [0x20, 0x09, 0x0D].contains(source.bytes[Int(offset)])
      if isBlank, let begin = start {
        let word = SourceRange(start: begin, end: offset)
        words.append((source.string(word), word))
        start = nil
      } else if !isBlank, start == nil {
        start = offset
      }
    }
    return words
  }
}
