import RulesLang

/// The tokens of a text, with the comments between them.
struct TokenList {
  /// The text.
  let source: SourceText
  /// The tokens in order; the last one is `endOfFile`.
  let tokens: [Token]

  /// Splits a text into tokens.
  init(_ source: SourceText) {
    self.source = source
    tokens = Lexer.tokens(of: source).tokens
  }

  /// The number of tokens that begin before an offset.
  func count(before offset: Int) -> Int {
    var (low, high) = (0, tokens.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(tokens[middle].range.start) < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the index of the token that contains an offset or ends at it; nil between tokens.
  func index(at offset: Int) -> Int? {
    let count = count(before: offset + 1)
    guard count > 0 else { return nil }
    let range = tokens[count - 1].range
    if Int(range.end) >= offset, !range.isEmpty {
      // Between two adjacent tokens, the word is chosen.
      let isAtStart = Int(range.start) == offset && !isWord(count - 1)
      if isAtStart, count > 1, Int(tokens[count - 2].range.end) == offset, isWord(count - 2) {
        return count - 2
      }
      return count - 1
    }
    return nil
  }

  /// True if a token is a word.
  func isWord(_ index: Int) -> Bool {
    tokens[index].kind.isName || tokens[index].kind.isReserved
      || tokens[index].kind == .rulesVersion
  }

  /// The text of a token.
  func text(_ index: Int) -> String { source.string(tokens[index].range) }

  /// The comments of the text, in order.
  var comments: [SourceRange] {
    var found: [SourceRange] = []
    var start = 0
    for token in tokens {
      found += comments(from: start, to: Int(token.range.start))
      start = Int(token.range.end)
    }
    return found
  }

  /// Returns the comments in a range without tokens.
  func comments(from start: Int, to end: Int) -> [SourceRange] {
    let bytes = source.bytes
    var found: [SourceRange] = []
    var index = start
    while index + 1 < end {
      guard bytes[index] == UInt8(ascii: "/") else {
        index += 1
        continue
      }
      let first = index
      if bytes[index + 1] == UInt8(ascii: "/") {
        while index < end, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      } else if bytes[index + 1] == UInt8(ascii: "*") {
        index += 2
        while index + 1 < end,
          !(bytes[index] == UInt8(ascii: "*") && bytes[index + 1] == UInt8(ascii: "/"))
        {
          index += 1
        }
        index = min(index + 2, end)
      } else {
        index += 1
        continue
      }
      found.append(SourceRange(start: first, end: index))
    }
    return found
  }

  /// Returns the comment that contains an offset or ends at it; nil if there is none.
  func comment(at offset: Int) -> SourceRange? {
    let next = count(before: offset)
    if next > 0, Int(tokens[next - 1].range.end) > offset { return nil }
    let start = next > 0 ? Int(tokens[next - 1].range.end) : 0
    let end = next < tokens.count ? Int(tokens[next].range.start) : source.bytes.count
    return comments(from: start, to: max(end, offset)).last {
      Int($0.start) < offset && offset <= Int($0.end)
    }
  }
}
