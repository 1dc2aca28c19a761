import RulesLang

/// A token or comment to be laid out, with the properties of the gap before it.
struct Piece {
  /// The kind of a piece.
  enum Kind: Equatable {
    case token(TokenKind)
    /// A comment from `//` to the end of its line.
    case lineComment
    case blockComment
  }

  /// The kind.
  var kind: Kind
  /// The source range.
  var range: SourceRange
  /// The line feeds between the piece before and this one, at most 2.
  var lineFeeds: UInt8
  /// True if the gap before it is kept as it is: it contains characters that begin no token, or is not to be
  /// formatted.
  var keepsGap: Bool
  /// True if a comment is kept as it is, including spaces at its line ends.
  var keepsText = false
  /// True if it has to begin a line, as it does in the text.
  var beginsLine = false

  /// True if it is a comment of either kind.
  var isComment: Bool { kind == .lineComment || kind == .blockComment }

  /// The token kind; nil for a comment.
  var token: TokenKind? {
    guard case .token(let kind) = kind else { return nil }
    return kind
  }
}

/// The pieces of a text in order; the last is the token `endOfFile`.
///
/// Every byte of the text belongs to a piece or to the gap before one. A gap consists of white space, or its
/// piece keeps it.
struct Pieces {
  /// The text.
  let source: SourceText
  /// The pieces.
  private(set) var all: [Piece] = []

  /// Splits a text into pieces.
  init(of source: SourceText) {
    self.source = source
    let tokens = Lexer.tokens(of: source).tokens
    all.reserveCapacity(tokens.count + tokens.count / 8)
    for token in tokens { add(token) }
  }

  /// The number of pieces.
  var count: Int { all.count }

  /// The piece at an index.
  subscript(_ index: Int) -> Piece {
    get { all[index] }
    set { all[index] = newValue }
  }

  /// The bytes of a piece.
  func bytes(_ index: Int) -> ArraySlice<UInt8> { source[all[index].range] }

  /// Returns the gap before a piece.
  func gap(_ index: Int) -> SourceRange {
    let start = index == 0 ? 0 : all[index - 1].range.end
    return SourceRange(start: start, end: all[index].range.start)
  }

  /// Keeps some pieces on one line with their gaps, and the next piece on another line.
  mutating func keepLine(_ first: Int, _ last: Int) {
    for index in (first + 1)..<max(first + 1, last + 1) { all[index].keepsGap = true }
    if last + 1 < count { all[last + 1].beginsLine = true }
  }

  /// Adds a token and the comments before it.
  ///
  /// A gap that the lexer has skipped is kept as a whole where comments cannot be found in it: after the word
  /// `service`, where there are none, and after an unclosed string, whose end may be any character.
  private mutating func add(_ token: Token) {
    let before = all.last?.token
    let isBare = before == .service || before == .unclosedString
    let start = all.last?.range.end ?? 0
    let count = all.count
    var scan = GapScan(source.bytes, from: Int(start), to: Int(token.range.start))
    while let comment = scan.next() { all.append(comment) }
    let isOdd = scan.isOdd || before == .unclosedString || (isBare && all.count > count)
    if isOdd { all.removeLast(all.count - count) }
    all.append(
      Piece(
        kind: .token(token.kind), range: token.range, lineFeeds: isOdd ? 0 : scan.lineFeeds,
        keepsGap: isOdd))
  }
}

extension SourceText {
  /// The bytes in a range.
  subscript(_ range: SourceRange) -> ArraySlice<UInt8> {
    bytes[Int(range.start)..<Int(range.end)]
  }
}

/// Finds the comments between two tokens.
private struct GapScan {
  private let bytes: [UInt8]
  private var index: Int
  private let end: Int
  /// The line feeds since the last comment, at most 2.
  private(set) var lineFeeds: UInt8 = 0
  /// True if the gap has anything but white space and comments.
  private(set) var isOdd = false

  init(_ bytes: [UInt8], from start: Int, to end: Int) {
    self.bytes = bytes
    index = start
    self.end = end
  }

  /// Returns the next comment; nil at the end, or before something else.
  mutating func next() -> Piece? {
    while index < end, bytes[index].isBlank {
      if bytes[index] == UInt8(ascii: "\n"), lineFeeds < 2 { lineFeeds += 1 }
      index += 1
    }
    guard index < end else { return nil }
    let start = index
    let kind: Piece.Kind
    if isAhead("/", "/") {
      kind = .lineComment
      while index < end, bytes[index] != UInt8(ascii: "\n") { index += 1 }
    } else if isAhead("/", "*"), let close = blockEnd() {
      kind = .blockComment
      index = close
    } else {
      isOdd = true
      return nil
    }
    let piece = Piece(
      kind: kind, range: SourceRange(start: start, end: index), lineFeeds: lineFeeds,
      keepsGap: false)
    lineFeeds = 0
    return piece
  }

  private func isAhead(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
    index + 1 < end && bytes[index] == UInt8(ascii: first)
      && bytes[index + 1] == UInt8(ascii: second)
  }

  private func blockEnd() -> Int? {
    var place = index + 2
    while place + 1 < end {
      if bytes[place] == UInt8(ascii: "*"), bytes[place + 1] == UInt8(ascii: "/") {
        return place + 2
      }
      place += 1
    }
    return nil
  }
}
