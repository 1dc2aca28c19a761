// Path literals and the patterns of match blocks.
//
// A slash that no segment follows is a part of a path, too: one that is reported. So after a path
// `/ [i]` and `/ -x` are such a slash with an index or a minus, but `/ x` is a division: of two
// readings that the grammar allows Google's parser takes the first (Docs/Language.md §3).

extension Parser {
  /// Parses a path literal (`segment+` of the grammar) as far as it goes.
  mutating func parsePathLiteral() -> [PathPart] {
    let start = index
    var parts: [PathPart] = []
    var names: Set<Text> = []
    while !isRecovering {
      if parts.count > Self.maximumChain {
        report(.nestedTooDeep(at: tokens[start].range))
        break
      }
      if let part = takeSegment() {
        parts.append(part)
      } else if kind != .slash {
        break
      } else if isCapture {
        parts.append(parseCapture())
        if kind == .rightBrace, isExtraBrace { noteExtraBrace(parts) }
      } else if peek(1).kind == .dollar, peek(2).kind == .leftParen {
        parts.append(parseInterpolation())
      } else if index > start, isDivision {
        break
      } else if peek(1).kind == .leftBrace {
        reportBadCapture(start)
      } else if peek(1).kind == .dollar {
        reportBadInterpolation(start)
      } else {
        note(.incompletePath(at: take().range))
      }
      noteRepetition(of: parts.last, in: &names)
    }
    return parts
  }

  /// Parses the pattern of a match block; nil after a report if no block begins behind it.
  mutating func parsePattern() -> [PathPart]? {
    let start = index
    let count = diagnostics.count
    var parts: [PathPart] = []
    var names: Set<Text> = []
    while true {
      if let part = takeSegment() {
        parts.append(part)
      } else if kind != .slash {
        break
      } else if isCapture {
        parts.append(parseCapture())
        if kind == .rightBrace { noteExtraBrace(parts) }
      } else {
        note(.incompletePath(at: take().range))
      }
      noteRepetition(of: parts.last, in: &names)
    }
    let inside = TokenSet.matchMember.union([.rightBrace])
    if kind == .leftBrace, inside.contains(peek(1).kind) { return parts }
    if kind == .leftBrace { take() }
    reportPattern(since: start, count)
    return nil
  }

  /// Reports a pattern that does not begin a block, where Google's parser does: far before the wrong token.
  private mutating func reportPattern(since start: Int, _ count: Int) {
    guard !isRecovering else { return }
    let culprit = Diagnostic.unexpected(text(peek()), at: peek().range)
    diagnostics.removeLast(max(0, diagnostics.count - count))
    var failure = strayPath(at: start).relating(peek().range, as: culprit.message)
    failure.help = culprit.help
    report(failure)
    firstFailure = min(firstFailure ?? .max, tokens[start].range.start)
    failedIndex = index
    index = start
  }

  private mutating func takeSegment() -> PathPart? {
    guard let token = take(if: .pathSegment) else { return nil }
    return PathPart(.literal(Escape.segment(of: bytes(token))), at: token.range)
  }

  private mutating func noteRepetition(of part: PathPart?, in names: inout Set<Text>) {
    guard let part, part.range.end == lastEnd, let name = part.binding else { return }
    if !names.insert(name.text).inserted { note(.duplicateCapture(name)) }
  }

  // MARK: Parts

  /// True if the slash that comes next begins `/{name}`, `/{name=*}` or `/{name=**}`.
  var isCapture: Bool {
    guard peek(1).kind == .leftBrace, peek(2).kind.isName else { return false }
    if peek(3).kind == .rightBrace { return true }
    return peek(3).kind == .equal && (peek(4).kind == .star || peek(4).kind == .starStar)
      && peek(5).kind == .rightBrace
  }

  private mutating func parseCapture() -> PathPart {
    let start = take().range.start
    take()
    let name = name(take())
    var isGlob = false
    if take(if: .equal) != nil { isGlob = take().kind == .starStar }
    take()
    return PathPart(
      isGlob ? .glob(name) : .capture(name), at: SourceRange(start: start, end: lastEnd))
  }

  private mutating func parseInterpolation() -> PathPart {
    let start = take().range.start
    take()
    take()
    let inner = withBrackets(closedBy: [.rightParen]) { parser in
      let inner = parser.parseExpression()
      parser.close(.rightParen)
      return inner
    }
    return PathPart(.interpolation(inner), at: SourceRange(start: start, end: lastEnd))
  }

  private mutating func noteExtraBrace(_ parts: [PathPart]) {
    let isGlob = parts.last.map { $0.isGlob } ?? false
    note(.extraBrace(isGlob: isGlob, at: take().range))
  }

  /// True if the brace after a capture closes neither a map nor a block.
  private var isExtraBrace: Bool {
    if let closer = surroundings.closers.last, surroundings.brackets > 0 {
      return !closer.contains(.rightBrace)
    }
    let following = TokenSet.matchMember.union([.rightBrace, .service, .endOfFile])
    return !following.contains(peek(1).kind)
  }

  // MARK: Slashes

  /// True if an operand follows the slash after an operand that is not a path.
  var isDivisor: Bool { TokenSet.operand.contains(peek(1).kind) && !isCapture }

  /// True if the slash after a complete path is a division.
  private var isDivision: Bool {
    switch peek(1).kind {
    case .slash, .pathSegment, .minus: false
    case .leftBracket: isListAhead
    case .leftBrace: peek(3).kind != .equal
    case let next: TokenSet.operand.contains(next)
    }
  }

  /// True if the brackets after the slash can only be a list, not an index or a slice.
  private var isListAhead: Bool {
    guard peek(2).kind != .rightBracket else { return true }
    var depth = 0
    var place = index + 1
    while place < tokens.count {
      switch tokens[place].kind {
      case .leftBracket, .leftParen, .leftBrace: depth += 1
      case .rightBracket, .rightParen, .rightBrace:
        depth -= 1
        if depth == 0 { return false }
      case .comma where depth == 1: return true
      case .semicolon: return false
      default: break
      }
      place += 1
    }
    return false
  }

  /// Reports a slash and brace that are neither a capture nor a division by a map.
  private mutating func reportBadCapture(_ start: Int) {
    if surroundings.brackets > 0 || !surroundings.isInService
      || (surroundings.tail == .binding && index == start)
    {
      take()
      take()
      if kind.isName { take() }
      if kind == .equal { take() }
      if kind == .star || kind == .starStar { take() }
      surroundings.hasFailedChoice = true
      return reportUnexpected()
    }
    report(strayPath(at: index).relating(peek(1).range, as: "this is not a capture"))
  }

  /// Reports a slash and dollar sign without a parenthesis.
  private mutating func reportBadInterpolation(_ start: Int) {
    take()
    take()
    surroundings.hasFailedChoice = true
    reportUnexpected()
  }
}
