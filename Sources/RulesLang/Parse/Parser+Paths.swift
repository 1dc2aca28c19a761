// Path literals and the patterns of match blocks.

extension Parser {
  /// segment+, as far as it goes; empty, with a report, if there is none.
  mutating func parsePathParts(inMatch: Bool) -> [PathPart] {
    var parts: [PathPart] = []
    var names: Set<Text> = []
    while !isRecovering {
      if kind == .pathSegment {
        let token = take()
        parts.append(PathPart(.literal(Escape.segment(of: bytes(token))), token.range))
      } else if kind == .slash {
        let start = peek().range.start
        guard let part = parseSlashPart(inMatch: inMatch, isFirst: parts.isEmpty) else { break }
        parts.append(PathPart(part, SourceRange(start, lastEnd)))
        if let name = parts[parts.count - 1].binding, !names.insert(name.text).inserted {
          note(.duplicateCapture(name))
        }
      } else {
        break
      }
    }
    if parts.isEmpty { report(.unexpected(text(peek()), at: peek().range)) }
    return parts
  }

  /// A part that begins with a lone slash; nil if the slash is a division after a finished path.
  private mutating func parseSlashPart(inMatch: Bool, isFirst: Bool) -> PathPart.Kind? {
    let slash = peek()
    if peek(1).kind == .leftBrace, isCapture { return parseCapture() }
    if peek(1).kind == .dollar, !inMatch {
      take()
      take()
      guard expect(.leftParen) != nil else { return nil }
      let inner = parseExpression()
      expect(.rightParen)
      return .interpolation(inner)
    }
    if !isFirst, !inMatch, startsExpression(peek(1).kind), peek(1).kind != .leftBracket,
      peek(1).kind != .slash, peek(1).kind != .pathSegment
    {
      return nil
    }
    report(.incompletePath(at: slash.range))
    return nil
  }

  /// Whether the slash and brace ahead begin `/{name}` or `/{name=…`, not a division by a map.
  private var isCapture: Bool {
    let word = peek(2).kind
    return (word.isName || word.isReserved || word == .rulesVersion)
      && (peek(3).kind == .rightBrace || peek(3).kind == .equal)
  }

  private mutating func parseCapture() -> PathPart.Kind? {
    take()
    take()
    guard kind.isName else {
      report(.unexpected(text(peek()), at: peek().range))
      return nil
    }
    let name = name(take())
    var isGlob = false
    if take(if: .equal) != nil {
      isGlob = kind == .starStar
      if !isGlob, kind != .star {
        report(.unexpected(text(peek()), at: peek().range))
        return nil
      }
      take()
    }
    guard expect(.rightBrace) != nil else { return nil }
    return isGlob ? .glob(name) : .capture(name)
  }
}
