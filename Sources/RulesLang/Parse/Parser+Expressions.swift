// Expressions: one table of operators (`BinaryOperator`), precedence climbing, and loops instead
// of recursion wherever a text could repeat a construct without end.

extension Parser {
  /// The engine refuses more levels (Docs/Language.md §11), so parsing deeper is no use.
  static var maximumNesting: Int { 100 }

  /// Postfix chains may be longer than the nesting limit; the engine's own parser fails on longer
  /// ones than this, and an evaluation could never pay for them.
  static var maximumChain: Int { 2000 }

  /// A root expression.
  mutating func parseBody() -> Body {
    let first = ExprID(ruleset.expressions.count)
    nesting = 0
    let root = parseExpression()
    return Body(first: first, root: root)
  }

  /// The rest of the text as the result of a further function.
  mutating func parseCondition(_ name: Name, _ parameters: [Name], _ owner: ScopeOwner) {
    firstTokens = ruleset.expressions.map { $0.mark }
    let body = parseBody()
    if kind != .endOfFile { report(.unexpected(text(peek()), at: peek().range)) }
    ruleset.functions.append(
      Function(
        name: name, parameters: parameters, lets: [], result: body, owner: owner,
        range: ruleset[body.root].range))
  }

  /// The whole text as one expression.
  mutating func parseLoneExpression(_ pattern: [PathPart]) {
    ruleset.version = .two
    let body = parseBody()
    if kind != .endOfFile { report(.unexpected(text(peek()), at: peek().range)) }
    let all = SourceRange(UInt32(0), lastEnd)
    var match = Match(
      pattern: pattern, parent: nil, service: 0, keyword: all, patternRange: all, range: all)
    match.allows = [AllowID(0)]
    ruleset.matches = [match]
    let operations: [Text] = ["read", "write"]
    ruleset.allows = [
      Allow(
        operations: operations.map { Name($0, .none) }, condition: body, match: MatchID(0),
        keyword: all, range: all)
    ]
    var service = Service(name: Name(Ruleset.firestoreService, .none), range: all)
    service.matches = [MatchID(0)]
    ruleset.services = [service]
  }

  /// Adds a node; `first` is its first token.
  mutating func add(_ kind: Expression.Kind, first: SourceRange, mark: SourceRange) -> ExprID {
    let end = max(lastEnd, mark.end)
    ruleset.expressions.append(
      Expression(kind, range: SourceRange(first.start, end), mark: mark))
    firstTokens.append(first)
    return ExprID(ruleset.expressions.count - 1)
  }

  private mutating func invalid() -> ExprID {
    add(.invalid, first: peek().range, mark: peek().range)
  }

  private func firstToken(_ id: ExprID) -> SourceRange { firstTokens[id.index] }

  /// expression
  mutating func parseExpression() -> ExprID {
    nesting += 1
    defer { nesting -= 1 }
    if nesting > Self.maximumNesting {
      report(.nestedTooDeep(at: peek().range))
      return invalid()
    }
    let condition = parseBinary(1)
    guard let mark = take(if: .question) else { return condition }
    let whenTrue = parseExpression()
    expect(.colon)
    let whenFalse = parseExpression()
    return add(
      .conditional(condition, whenTrue, whenFalse), first: firstToken(condition), mark: mark.range)
  }

  private mutating func parseBinary(_ minimum: Int) -> ExprID {
    var left = parseUnary()
    while !isRecovering {
      if kind == .is, BinaryOperator.isPrecedence >= minimum {
        left = parseIs(left)
      } else if let symbol = Operators.binary(kind), symbol.precedence >= minimum {
        let mark = take()
        if !startsExpression(kind) {
          report(.missingOperand(text(peek()), at: peek().range))
          return left
        }
        let right = parseBinary(symbol.precedence + 1)
        left = add(.binary(symbol, left, right), first: firstToken(left), mark: mark.range)
      } else {
        if kind == .plusPlus || kind == .minusMinus { report(.increment(at: peek().range)) }
        break
      }
    }
    return left
  }

  private mutating func parseIs(_ operand: ExprID) -> ExprID {
    let mark = take()
    let word = take()
    guard word.kind.isName, let type = TypeWord.named(name(word).text) else {
      report(.unknownType(text(word), at: word.range))
      return operand
    }
    return add(.isType(operand, type), first: firstToken(operand), mark: mark.range)
  }

  private mutating func parseUnary() -> ExprID {
    var marks: [SourceRange] = []
    while kind == .bang { marks.append(take().range) }
    var operand = kind == .minus ? parseNegation() : parsePostfix()
    for mark in marks.reversed() { operand = add(.not(operand), first: mark, mark: mark) }
    return operand
  }

  private mutating func parseNegation() -> ExprID {
    let mark = take().range
    let operand = parseMinimumInt() ?? parsePostfix()
    return add(.negate(operand), first: mark, mark: mark)
  }

  /// `9223372036854775808` directly after a minus and without a postfix: the one literal that only
  /// exists negated.
  private mutating func parseMinimumInt() -> ExprID? {
    guard kind == .int, text(peek()) == "9223372036854775808",
      peek(1).kind != .dot, peek(1).kind != .leftBracket
    else { return nil }
    let token = take()
    return add(.literal(.int(.min)), first: token.range, mark: token.range)
  }

  // MARK: Postfix

  private mutating func parsePostfix() -> ExprID {
    var base = parsePrimary()
    var length = 0
    while !isRecovering {
      switch kind {
      case .dot: base = parseMember(base)
      case .leftBracket: base = parseBracket(base)
      default: return base
      }
      length += 1
      if length > Self.maximumChain { report(.nestedTooDeep(at: firstToken(base))) }
    }
    return base
  }

  private mutating func parseMember(_ base: ExprID) -> ExprID {
    let dot = take()
    guard kind.isMemberName else {
      report(.unexpected(".", at: dot.range))
      return base
    }
    let token = take()
    let member = name(token)
    guard kind == .leftParen else {
      return add(.member(base, member), first: firstToken(base), mark: firstToken(base))
    }
    guard token.kind.isName else {
      report(.unexpected("(", at: peek().range))
      return base
    }
    let arguments = parseArguments()
    return add(
      .method(base, member, arguments), first: firstToken(base), mark: member.range)
  }

  private mutating func parseBracket(_ base: ExprID) -> ExprID {
    take()
    let from = kind == .colon ? nil : parseExpression()
    guard take(if: .colon) != nil else {
      expect(.rightBracket)
      guard let from else { return base }
      return add(.index(base, from), first: firstToken(base), mark: firstToken(base))
    }
    let to = kind == .rightBracket ? nil : parseExpression()
    expect(.rightBracket)
    return add(.slice(base, from, to), first: firstToken(base), mark: firstToken(base))
  }

  private mutating func parseArguments() -> [ExprID] {
    take()
    return parseElements(until: .rightParen)
  }

  /// Expressions with commas between, one more comma at the end allowed, and the closing token.
  private mutating func parseElements(until close: TokenKind) -> [ExprID] {
    var elements: [ExprID] = []
    while kind != close, !isRecovering {
      elements.append(parseExpression())
      guard take(if: .comma) != nil else { break }
    }
    expect(close)
    return elements
  }

  // MARK: Primary

  /// Whether a token can begin an expression.
  func startsExpression(_ kind: TokenKind) -> Bool {
    switch kind {
    case .int, .float, .string, .bytes, .true, .false, .null, .identifier, .leftParen,
      .leftBracket, .leftBrace, .slash, .pathSegment, .bang, .minus, .plusPlus, .minusMinus,
      .unclosedString:
      true
    default: false
    }
  }

  private mutating func parsePrimary() -> ExprID {
    let token = peek()
    switch token.kind {
    case .int, .float, .string, .bytes, .true, .false, .null: return parseLiteral()
    case .identifier: return parseNamed()
    case .leftParen: return parseParenthesized()
    case .leftBracket:
      take()
      let elements = parseElements(until: .rightBracket)
      return add(.list(elements), first: token.range, mark: token.range)
    case .leftBrace: return parseMap()
    case .slash, .pathSegment:
      let parts = parsePathParts(inMatch: false)
      return add(.path(parts), first: token.range, mark: token.range)
    case .unclosedString:
      take()
      isRecovering = true  // The lexer has reported it.
    case .plusPlus, .minusMinus:
      report(.increment(at: token.range))
    default:
      report(.unexpected(text(token), at: token.range))
    }
    return invalid()
  }

  private mutating func parseParenthesized() -> ExprID {
    let open = take().range
    let inner = parseExpression()
    expect(.rightParen)
    return add(.parenthesized(inner), first: open, mark: open)
  }

  private mutating func parseMap() -> ExprID {
    let open = take().range
    var entries: [Expression.MapEntry] = []
    while kind != .rightBrace, !isRecovering {
      let key = parseExpression()
      expect(.colon)
      let value = parseExpression()
      entries.append(Expression.MapEntry(key: key, value: value))
      guard take(if: .comma) != nil else { break }
    }
    expect(.rightBrace)
    return add(.map(entries), first: open, mark: open)
  }

  private mutating func parseNamed() -> ExprID {
    let name = name(take())
    if kind == .leftParen {
      let arguments = parseArguments()
      return add(.call(.plain(name), arguments), first: name.range, mark: name.range)
    }
    guard Builtins.namespaces.contains(name.text) else {
      return add(.variable(name), first: name.range, mark: name.range)
    }
    guard kind == .dot, peek(1).kind.isName, peek(2).kind == .leftParen else {
      note(.namespaceAsVariable(name))
      return add(.variable(name), first: name.range, mark: name.range)
    }
    take()
    let function = self.name(take())
    let arguments = parseArguments()
    return add(
      .call(.namespaced(name, function), arguments), first: name.range, mark: function.range)
  }

  private mutating func parseLiteral() -> ExprID {
    let token = take()
    let literal: Literal
    switch token.kind {
    case .true: literal = .bool(true)
    case .false: literal = .bool(false)
    case .null: literal = .null
    case .int: literal = intLiteral(token)
    case .float: literal = .float(Double(text(token).dottedFloat) ?? .infinity)
    case .bytes: literal = bytesLiteral(token)
    default: literal = .string(Escape.text(of: bytes(token)))
    }
    return add(.literal(literal), first: token.range, mark: token.range)
  }

  private mutating func intLiteral(_ token: Token) -> Literal {
    if let value = Int64(text(token)) { return .int(value) }
    note(.invalidNumber(text(token), at: token.range))
    return .int(0)
  }

  private mutating func bytesLiteral(_ token: Token) -> Literal {
    if let octets = Escape.octets(of: bytes(token)) { return .bytes(octets) }
    note(.invalidBytes(text(token), at: token.range))
    return .bytes([])
  }
}

extension String {
  /// A float literal in the form that `Double` reads: digits on both sides of the point.
  fileprivate var dottedFloat: String {
    var text = self
    if text.utf8.first == UInt8(ascii: ".") { text = "0" + text }
    if text.utf8.last == UInt8(ascii: ".") { text += "0" }
    return text
  }
}
