// Postfix chains, and the contents of brackets.

extension Parser {
  /// Parses `postfix` of the grammar.
  mutating func parsePostfix() -> ExprID {
    let (start, count) = (index, diagnostics.count)
    let base = parseChain()
    if surroundings.brackets == 0, surroundings.hasFailedChoice {
      surroundings.hasFailedChoice = false
      settleFailure(since: start, count)
    }
    return base
  }

  private mutating func parseChain() -> ExprID {
    var following = TokenSet.continuation
    if TokenSet.path.contains(kind) { following = following.union([.pathSegment]) }
    var base = parsePrimary()
    var length = 0
    while !isRecovering {
      switch kind {
      case .dot: base = parseMember(base)
      case .leftBracket: base = parseBracket(base)
      case .plusPlus, .minusMinus:
        take()
        note(.increment(at: peek().range))
        following = [.minusMinus, .dot, .plusPlus, .leftBracket]
        continue
      default:
        noteOperand(then: following)
        return base
      }
      following = .continuation
      length += 1
      if length > Self.maximumChain { report(.nestedTooDeep(at: firstToken(base))) }
    }
    return base
  }

  private mutating func parseMember(_ base: ExprID) -> ExprID {
    take()
    surroundings.expected = nil
    guard kind.isMemberName || kind == .service else {
      surroundings.hasFailedChoice = true
      reportUnexpected()
      return base
    }
    let token = take()
    // After `service` the lexer has looked for a name, also where the text ends.
    if token.kind == .service, kind == .endOfFile { reportUnexpected() }
    let member = name(token)
    guard kind == .leftParen, token.kind.isName else {
      return add(.member(base, member), first: firstToken(base), mark: firstToken(base))
    }
    let arguments = parseArguments()
    return add(
      .method(base, member, arguments), first: firstToken(base), mark: member.range)
  }

  private mutating func parseBracket(_ base: ExprID) -> ExprID {
    take()
    return withBrackets(closedBy: [.rightBracket]) { parser in
      let from = parser.kind == .colon ? nil : parser.parseExpression()
      guard !parser.isRecovering, parser.take(if: .colon) != nil else {
        parser.close(.rightBracket)
        guard let from else { return base }
        return parser.add(
          .index(base, from), first: parser.firstToken(base), mark: parser.firstToken(base))
      }
      parser.noteColon()
      let to = parser.kind == .rightBracket ? nil : parser.parseExpression()
      parser.close(.rightBracket)
      return parser.add(
        .slice(base, from, to), first: parser.firstToken(base), mark: parser.firstToken(base))
    }
  }

  /// Records, after the colon of a slice, the tokens that messages about the bound before it list.
  private mutating func noteColon() {
    guard kind == .rightBracket else { return surroundings.expected = nil }
    let closer: TokenSet = [.rightBracket]
    surroundings.expected =
      surroundings.expected?.subtracting(closer).union([.colon]) ?? .operand.union(closer)
  }

  /// Parses the content of brackets and their closing token.
  mutating func withBrackets(
    closedBy closer: TokenSet, _ parse: (inout Parser) -> ExprID
  ) -> ExprID {
    surroundings.expected = nil
    surroundings.brackets += 1
    surroundings.closers.append(closer)
    let result = parse(&self)
    surroundings.closers.removeLast()
    surroundings.brackets -= 1
    return result
  }

  /// Takes the closing token of brackets.
  mutating func close(_ closer: TokenKind) {
    if isRecovering || take(if: closer) != nil { return }
    reportUnexpected()
  }

  /// Parses `arguments` of the grammar.
  mutating func parseArguments() -> [ExprID] {
    take()
    return parseElements(until: .rightParen)
  }

  /// Parses expressions separated by commas, with one more comma at the end allowed, and the closing token.
  mutating func parseElements(until close: TokenKind) -> [ExprID] {
    var elements: [ExprID] = []
    surroundings.expected = nil
    surroundings.brackets += 1
    surroundings.closers.append([.comma, close])
    while kind != close, !isRecovering {
      elements.append(parseExpression())
      guard !isRecovering, take(if: .comma) != nil else { break }
      surroundings.expected = nil
    }
    self.close(close)
    surroundings.closers.removeLast()
    surroundings.brackets -= 1
    return elements
  }
}
