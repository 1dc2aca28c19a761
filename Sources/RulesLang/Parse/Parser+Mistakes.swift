// The wording and place of a mistake in Google's compiler (Docs/Language.md §10).
//
// Its parser looks ahead as far as it needs to choose among the forms that the grammar allows. At such a
// choice the first token that no form allows is `Unexpected 'X'.`; everything inside a postfix form or
// brackets is such a choice. Elsewhere it wants a token of a certain kind and tries to repair the text by one
// token: if the token after X would do, X is `Unexpected`; if X could follow the wanted token, that one is
// `missing 'Y' at 'X'`; otherwise the input is `mismatched`.

/// The context of an expression, on which messages depend.
struct Surroundings {
  /// The kind of statement that ends with the expression.
  enum Tail { case condition, result, binding }

  /// The kind of statement that ends with the expression.
  var tail = Tail.condition
  /// True if a path could begin a match block after the statement.
  var isInService = false
  /// The tokens that close the open brackets and ternaries, innermost last.
  var closers: [TokenSet] = []
  /// The number of open brackets.
  var brackets = 0
  /// True if the parser is recovering from a failure at a choice between forms.
  var hasFailedChoice = false
  /// True if the operand is below a minus or in a ternary.
  var isGuarded = false
  /// The tokens that could have followed the first operand completed since the last operator. Google's
  /// messages list them even if that operand is long past.
  var expected: TokenSet?

  /// The tokens that can follow the whole expression.
  var end: TokenSet {
    switch tail {
    case .condition: TokenSet.matchMember.union([.semicolon, .rightBrace])
    case .result: [.semicolon, .rightBrace]
    case .binding: [.semicolon]
    }
  }

  /// True if a token in place of an operand is one token too many: it can begin or end a statement, and the
  /// next one closes the ternary or the statement.
  func isExtra(_ kind: TokenKind, before next: TokenKind) -> Bool {
    let stops = TokenSet.matchMember.union([.rightBrace, .semicolon, .let, .return])
    guard stops.contains(kind) else { return false }
    if let closer = closers.last { return closer.contains(next) }
    switch tail {
    case .condition: return false
    case .result: return next == .rightBrace && !end.contains(kind)
    case .binding: return next == .semicolon && !end.contains(kind)
    }
  }
}

extension Parser {
  /// Reports the next token as unexpected.
  mutating func reportUnexpected() {
    if surroundings.brackets > 0 { surroundings.hasFailedChoice = true }
    report(unexpected(at: min(index, tokens.count - 1)))
  }

  /// Returns the diagnostic for an unexpected token.
  private func unexpected(at place: Int) -> Diagnostic {
    let token = tokens[place]
    let isChaining = token.kind == .dot && place > 0 && tokens[place - 1].kind == .question
    let before = place > 0 ? text(tokens[place - 1]) : nil
    return .unexpected(text(token), at: token.range, isChaining: isChaining, after: before)
  }

  /// Reports the next token in place of a statement or a part of its head. In a service a path there is
  /// reported as a match block without `match`.
  mutating func reportStray() {
    if surroundings.isInService, TokenSet.path.contains(kind) {
      return report(strayPath(at: index))
    }
    reportUnexpected()
  }

  /// Reports the next token in place of one of `expected`. True if the token after it is one of these; then
  /// the next token was dropped.
  mutating func dropsUnexpected(expecting expected: TokenSet) -> Bool {
    if surroundings.brackets > 0 {
      reportUnexpected()
    } else if expected.contains(peek(1).kind), kind != .endOfFile {
      noteFailure(unexpected(at: min(index, tokens.count - 1)))
      take()
      return !isRecovering
    } else {
      report(
        .mismatched(
          text(peek()), expecting: expected, at: peek().range, in: ruleset.source.name))
    }
    return false
  }

  /// Takes a token of one kind. If it is missing, repairs the text as Google's parser does: by dropping the
  /// token before it, or by inserting it before a token that can follow it.
  ///
  /// - Returns: `isThere`, false after a report that ends the statement; `token`, nil if it was inserted.
  mutating func expect(
    _ wanted: TokenKind, before following: TokenSet, expecting expected: TokenSet? = nil
  ) -> (isThere: Bool, token: Token?) {
    if isRecovering { return (false, nil) }
    if let token = take(if: wanted) { return (true, token) }
    if surroundings.brackets == 0, peek(1).kind != wanted, following.contains(kind) {
      let name = TokenSet(arrayLiteral: wanted).list
      noteFailure(.missing(name, before: text(peek()), at: peek().range))
      return (!isRecovering, nil)
    }
    if let expected, surroundings.brackets == 0, peek(1).kind != wanted {
      report(
        .mismatched(
          text(peek()), expecting: expected, at: peek().range, in: ruleset.source.name))
      return (false, nil)
    }
    guard dropsUnexpected(expecting: [wanted]) else { return (false, nil) }
    return (true, take())
  }

  // MARK: Expressions

  /// Records that an operand is complete, and the tokens that can follow it besides those that close the
  /// brackets.
  mutating func noteOperand(then following: TokenSet) {
    guard surroundings.expected == nil else { return }
    surroundings.expected = following.union(surroundings.closers.last ?? surroundings.end)
  }

  /// Reports the token after an expression: in a condition as unexpected, elsewhere with the list of expected
  /// tokens.
  mutating func reportTail() {
    if surroundings.tail == .condition { return reportUnexpected() }
    report(
      .mismatched(
        text(peek()), expecting: surroundings.expected ?? surroundings.end, at: peek().range))
  }

  /// Moves the report of a failure inside the brackets of an operand that begins at token `start` to where
  /// Google's parser, reading on from there in search of a statement, fails first. Reports inside the
  /// operand, which that parser does not make, become notes.
  mutating func settleFailure(since start: Int, _ count: Int) {
    guard diagnostics.count > count, diagnostics.count <= Self.maximumErrors else { return }
    var failure = diagnostics.removeLast()
    for lost in diagnostics[count...] {
      if let range = lost.range { failure = failure.relating(range, as: lost.message) }
      if failure.help == nil { failure.help = lost.help }
    }
    diagnostics.removeLast(diagnostics.count - count)
    if !surroundings.isGuarded, let other = complaint(since: start, before: failure) {
      failure = other.relating(
        failure.range ?? .none, as: "the mistake is probably here: \(failure.message)")
      firstFailure = min(firstFailure ?? .max, failure.range?.start ?? .max)
    }
    diagnostics.append(failure)
  }

  private func complaint(since start: Int, before failure: Diagnostic) -> Diagnostic? {
    let limit = failure.range?.start ?? 0
    var place = start
    while place < tokens.count, tokens[place].range.start <= limit {
      switch tokens[place].kind {
      case .slash, .pathSegment:
        guard surroundings.isInService else { break }
        if surroundings.tail == .binding {
          return place == start && tokens[place].kind == .slash
            ? nil : complaintInBinding(at: place, limit)
        }
        return strayPath(at: place)
      case .rightBrace where tokens[place].range.start < limit:
        return complaintAfterBrace(at: place, limit)
      default: break
      }
      place += 1
    }
    return nil
  }

  /// Returns the diagnostic for a path that seems to begin a match block.
  func strayPath(at place: Int) -> Diagnostic {
    let token = tokens[place]
    let isCapture =
      place + 2 < tokens.count && tokens[place + 1].kind == .leftBrace
      && tokens[place + 2].kind == .identifier
    return token.kind == .slash && !isCapture
      ? .incompletePath(at: token.range) : .missingMatch(at: token.range)
  }

  /// Returns the report of a parser that takes a brace closing a map for the end of the block.
  private func complaintAfterBrace(at brace: Int, _ limit: UInt32) -> Diagnostic? {
    var place = brace
    while place < tokens.count, tokens[place].kind == .rightBrace { place += 1 }
    guard place < tokens.count, tokens[place].range.start <= limit else { return nil }
    if TokenSet.path.contains(tokens[place].kind) { return strayPath(at: place) }
    return unexpected(at: place)
  }

  /// Returns the report of a parser that takes a path in the value of a `let` for the function's result.
  private func complaintInBinding(at start: Int, _ limit: UInt32) -> Diagnostic? {
    if tokens[start].kind == .slash { return strayPath(at: start) }
    var place = start
    var isInterpolated = false
    while place < tokens.count {
      if tokens[place].kind == .pathSegment {
        place += 1
        isInterpolated = false
      } else if tokens[place].kind == .slash, let end = endOfPart(at: place, before: limit) {
        isInterpolated = tokens[end - 1].kind == .rightParen
        place = end
      } else if tokens[place].kind == .slash, tokens[place + 1].kind == .dollar {
        return strayPath(at: place)
      } else {
        break
      }
    }
    guard place < tokens.count, tokens[place].range.start < limit,
      !TokenSet.continuation.contains(tokens[place].kind)
    else { return nil }
    let closer: TokenSet = isInterpolated ? [.rightParen] : [.rightBrace, .semicolon, .pathSegment]
    return .mismatched(
      text(tokens[place]), expecting: TokenSet.continuation.union(closer), at: tokens[place].range)
  }

  /// Returns the end of a part `/{…}` or `/$(…)` of a path; nil if it is neither or does not end before an
  /// offset.
  private func endOfPart(at slash: Int, before limit: UInt32) -> Int? {
    let isCapture = tokens[slash + 1].kind == .leftBrace
    guard isCapture || tokens[slash + 1].kind == .dollar else { return nil }
    let (open, close): (TokenKind, TokenKind) =
      isCapture ? (.leftBrace, .rightBrace) : (.leftParen, .rightParen)
    var depth = 0
    for place in (slash + 1)..<tokens.count where tokens[place].range.start < limit {
      if tokens[place].kind == open { depth += 1 }
      if tokens[place].kind == close {
        depth -= 1
        if depth == 0 { return place + 1 }
      }
    }
    return nil
  }
}
