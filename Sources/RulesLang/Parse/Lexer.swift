/// Cuts a rules text into tokens.
///
/// The rule is maximal munch: the longest token that begins here wins, in any context. A slash that is
/// directly followed by a segment character therefore begins a path segment, so `6/2` is not a division
/// (Docs/Language.md §2). The one context is the word `service`, after which a service name is expected.
package struct Lexer {
  private let bytes: [UInt8]
  private var index = 0
  private(set) var diagnostics: [Diagnostic] = []

  /// Returns the tokens of the text, or of a section of it; the last one is `endOfFile`.
  package static func tokens(
    of source: SourceText, _ section: SourceRange? = nil
  ) -> (tokens: [Token], diagnostics: [Diagnostic]) {
    var lexer = Lexer(section.map { Array(source.bytes[..<Int($0.end)]) } ?? source.bytes)
    lexer.index = section.map { Int($0.start) } ?? 0
    var tokens: [Token] = []
    tokens.reserveCapacity(source.bytes.count / 4 + 1)
    while let token = lexer.next() {
      tokens.append(token)
      if token.kind == .service, let name = lexer.serviceName() { tokens.append(name) }
    }
    tokens.append(Token(kind: .endOfFile, range: SourceRange(start: lexer.index, end: lexer.index)))
    return (tokens, lexer.diagnostics)
  }

  /// Returns the token that begins at an offset.
  static func token(in source: SourceText, at offset: UInt32) -> SourceRange {
    var lexer = Lexer(source.bytes)
    lexer.index = Int(offset)
    return lexer.next()?.range ?? SourceRange(start: offset, end: offset)
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private func peek(_ ahead: Int = 0) -> UInt8 {
    index + ahead < bytes.count ? bytes[index + ahead] : 0
  }

  private mutating func next() -> Token? {
    while true {
      skipBlanksAndComments()
      guard index < bytes.count else { return nil }
      let start = index
      if let kind = scan() {
        return Token(kind: kind, range: SourceRange(start: start, end: index))
      }
      reportUnknownCharacter()
    }
  }

  private mutating func skipBlanksAndComments() {
    while index < bytes.count {
      if bytes[index].isBlank {
        index += 1
      } else if bytes[index] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "/") {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      } else if bytes[index] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*"),
        let end = blockCommentEnd
      {
        index = end
      } else {
        return
      }
    }
  }

  /// True once a search for `*/` has failed, so that none is repeated: a text of many unclosed `/*` would
  /// take quadratic time.
  private var hasNoMoreCommentEnds = false

  private var blockCommentEnd: Int? {
    mutating get {
      if hasNoMoreCommentEnds { return nil }
      var position = index + 2
      while position + 1 < bytes.count {
        if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
          return position + 2
        }
        position += 1
      }
      hasNoMoreCommentEnds = true
      return nil
    }
  }

  private mutating func scan() -> TokenKind? {
    let byte = bytes[index]
    if byte == UInt8(ascii: "b") || byte == UInt8(ascii: "B"),
      let text = quoted(from: index + 1), text.isClosed
    {
      index = text.end
      return .bytes
    }
    if let text = quoted(from: index) {
      index = text.end
      return text.isClosed ? .string : .unclosedString
    }
    if byte.startsIdentifier { return scanWord() }
    if byte.isDigit || (byte == UInt8(ascii: ".") && peek(1).isDigit) { return scanNumber() }
    if byte == UInt8(ascii: "/"), let end = segmentEnd {
      index = end
      return .pathSegment
    }
    return scanOperator()
  }

  private mutating func scanWord() -> TokenKind {
    let start = index
    while index < bytes.count, bytes[index].continuesIdentifier { index += 1 }
    if index == start + 1, bytes[start] == UInt8(ascii: "$") { return .dollar }
    return Keywords.kind(of: bytes[start..<index])
  }

  private mutating func scanNumber() -> TokenKind {
    if peek() == UInt8(ascii: "0") {
      index += 1
    } else {
      while peek().isDigit { index += 1 }
    }
    guard peek() == UInt8(ascii: ".") else { return .int }
    index += 1
    while peek().isDigit { index += 1 }
    return .float
  }

  /// The end of the path segment that begins here; nil if none does.
  private var segmentEnd: Int? {
    let isParenthesized = peek(1) == UInt8(ascii: "(")
    let first = index + (isParenthesized ? 2 : 1)
    var end = first
    while end < bytes.count {
      if bytes[end].isSegmentCharacter {
        end += 1
      } else if bytes[end] == UInt8(ascii: "%"), end + 2 < bytes.count, bytes[end + 1].isHexDigit,
        bytes[end + 2].isHexDigit
      {
        end += 3
      } else {
        break
      }
    }
    guard end > first else { return nil }
    guard isParenthesized else { return end }
    return end < bytes.count && bytes[end] == UInt8(ascii: ")") ? end + 1 : nil
  }

  /// Reads the service name after the word `service`; skips characters that cannot be in one.
  private mutating func serviceName() -> Token? {
    while index < bytes.count {
      let start = index
      while index < bytes.count, bytes[index].isServiceNameCharacter { index += 1 }
      if index > start {
        return Token(kind: .serviceName, range: SourceRange(start: start, end: index))
      }
      if bytes[index].isBlank { index += 1 } else { reportUnknownCharacter() }
    }
    return nil
  }

  // MARK: Strings

  /// Returns the end of the string that begins at `start`, and true if it has a closing quote; else it ends
  /// before the first character that no string can have. Nil if there is no quote at `start`.
  private func quoted(from start: Int) -> (end: Int, isClosed: Bool)? {
    guard start < bytes.count else { return nil }
    let quote = bytes[start]
    guard quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return nil }
    var position = start + 1
    while position < bytes.count {
      switch bytes[position] {
      case quote: return (position + 1, true)
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0x08, 0x0C: return (position, false)
      case UInt8(ascii: "\\"):
        guard let length = Escape.length(in: bytes, at: position) else { return (position, false) }
        position += length
      default: position += 1
      }
    }
    return (bytes.count, false)
  }

  // MARK: Operators

  private mutating func scanOperator() -> TokenKind? {
    if let kind = Operators.two(bytes[index], then: peek(1)) {
      index += 2
      return kind
    }
    guard let kind = Operators.one(bytes[index]) else { return nil }
    index += 1
    return kind
  }

  /// Reports a character that begins no token. A lone `&` or `|` takes the next character with it, as in
  /// Google's lexer, whose message then points at that character.
  private mutating func reportUnknownCharacter() {
    let start = index
    skipCharacter()
    var place = start
    if bytes[start] == UInt8(ascii: "&") || bytes[start] == UInt8(ascii: "|"), index < bytes.count {
      place = index
      skipCharacter()
    }
    guard diagnostics.count < Parser.maximumErrors else { return }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    diagnostics.append(.unknownCharacter(text, at: SourceRange(start: place, end: index)))
  }

  private mutating func skipCharacter() {
    index += 1
    while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
  }
}

extension SourceText {
  /// Returns the range of the token that begins at an offset; for pointing at the first token of an
  /// expression.
  public func token(at offset: UInt32) -> SourceRange { Lexer.token(in: self, at: offset) }
}
