// Expressions: one table of operators (`BinaryOperator`), precedence climbing, and loops instead
// of recursion wherever a text could repeat a construct without end.

extension Parser {
  /// Maximum nesting of expressions that is parsed. The engine refuses more than 99 levels (Docs/Language.md
  /// §11); deeper ones are skipped, and `NestingCheck` reports the expression around them.
  static var maximumNesting: Int { 100 }

  /// Maximum length of a postfix chain. It may exceed the nesting limit; the engine's own parser fails on
  /// longer ones, and no evaluation could pay for them.
  static var maximumChain: Int { 2000 }

  /// Parses a whole expression, not an operand.
  mutating func parseBody(_ tail: Surroundings.Tail) -> Body {
    let first = ExprID(ruleset.expressions.count)
    nesting = 0
    surroundings = Surroundings(tail: tail, isInService: surroundings.isInService)
    let root = hasOperand() ? parseExpression() : invalid()
    return Body(first: first, root: root)
  }

  /// Parses the rest of the text as the result of an additional function.
  mutating func parseCondition(named name: Name, taking parameters: [Name], in owner: ScopeOwner) {
    let body = parseBody(.condition)
    if kind != .endOfFile { reportUnexpected() }
    ruleset.addedConditions.append(FunctionID(ruleset.functions.count))
    ruleset.functions.append(
      Function(
        name: name, parameters: parameters, lets: [], result: body, owner: owner,
        range: ruleset[body.root].range))
  }

  /// Parses the whole text as one expression.
  mutating func parseLoneExpression(_ pattern: [PathPart]) {
    ruleset.version = .two
    let body = parseBody(.condition)
    if kind != .endOfFile { reportUnexpected() }
    let all = SourceRange(start: UInt32(0), end: lastEnd)
    var match = Match(
      pattern: pattern, parent: nil, service: 0, keyword: all, patternRange: all, range: all)
    match.allows = [AllowID(0)]
    ruleset.matches = [match]
    let operations: [Text] = ["read", "write"]
    ruleset.allows = [
      Allow(
        operations: operations.map { Name($0, at: .none) }, condition: body, match: MatchID(0),
        keyword: all, range: all)
    ]
    var service = Service(name: Name(Ruleset.firestoreService, at: .none), range: all)
    service.matches = [MatchID(0)]
    ruleset.services = [service]
  }

  /// Adds a node; `first` is its first token.
  mutating func add(_ kind: Expression.Kind, first: SourceRange, mark: SourceRange) -> ExprID {
    let end = max(lastEnd, mark.end)
    ruleset.expressions.append(
      Expression(kind, range: SourceRange(start: first.start, end: end), mark: mark))
    firstTokens.append(first)
    return ExprID(ruleset.expressions.count - 1)
  }

  /// Adds the node of a missing expression.
  mutating func invalid() -> ExprID {
    add(.invalid, first: peek().range, mark: peek().range)
  }

  /// Returns the first token of a node.
  func firstToken(_ id: ExprID) -> SourceRange { firstTokens[id.index] }

  /// True if an operand comes next; reports a mistake if not.
  private mutating func hasOperand(_ operand: TokenSet = .operand) -> Bool {
    if isRecovering { return false }
    if operand.contains(kind) { return true }
    if surroundings.brackets == 0, surroundings.isExtra(kind, before: peek(1).kind) {
      reportUnexpected()
      return false
    }
    let count = diagnostics.count
    if dropsUnexpected(expecting: operand), operand.contains(kind) { return true }
    if diagnostics.count == count + 1 {
      diagnostics[count].help =
        index > 0
        ? "an operand is missing after `\(text(tokens[index - 1]))`" : "there is no expression"
    }
    return false
  }

  /// Parses `expression` of the grammar.
  mutating func parseExpression() -> ExprID {
    nesting += 1
    defer { nesting -= 1 }
    if nesting > Self.maximumNesting { return skipExpression() }
    let condition = parseBinary(1)
    guard !isRecovering, let mark = take(if: .question) else { return condition }
    let (whenTrue, whenFalse) = parseBranches()
    return add(
      .conditional(condition, whenTrue, whenFalse), first: firstToken(condition), mark: mark.range)
  }

  /// Skips to the token that ends the next expression.
  private mutating func skipExpression() -> ExprID {
    let node = invalid()
    var depth = 0
    var branches = 0
    while kind != .endOfFile, kind != .semicolon {
      switch kind {
      case .leftParen, .leftBracket, .leftBrace: depth += 1
      case .rightParen, .rightBracket, .rightBrace:
        if depth == 0 { return node }
        depth -= 1
      case .comma where depth == 0: return node
      case .question where depth == 0: branches += 1
      case .colon where depth == 0:
        if branches == 0 { return node }
        branches -= 1
      default: break
      }
      take()
    }
    return node
  }

  private mutating func parseBranches() -> (ExprID, ExprID) {
    surroundings.expected = nil
    let wasGuarded = surroundings.isGuarded
    surroundings.isGuarded = true
    surroundings.closers.append([.colon])
    let whenTrue = hasOperand() ? parseExpression() : invalid()
    surroundings.closers.removeLast()
    surroundings.isGuarded = wasGuarded
    let count = diagnostics.count
    guard
      expect(.colon, before: .operand, expecting: surroundings.expected ?? [.colon]).isThere
    else {
      if diagnostics.count == count + 1 { diagnostics[count].help = "a `?` needs its `:`" }
      return (whenTrue, invalid())
    }
    surroundings.expected = nil
    return (whenTrue, hasOperand() ? parseExpression() : invalid())
  }

  private mutating func parseBinary(_ minimum: Int) -> ExprID {
    var left = parseUnary()
    var length = 0
    while !isRecovering {
      length += 1
      // A chain is as deep as it is long, so the nesting check reports it; the rest is not built.
      if length > Self.maximumChain, Operators.binary(kind) != nil || kind == .is {
        _ = skipExpression()
        break
      }
      if kind == .is, BinaryOperator.isPrecedence >= minimum {
        left = parseIs(left)
      } else if kind == .slash, surroundings.brackets == 0, !isDivisor {
        surroundings.expected = surroundings.end
        break
      } else if let symbol = Operators.binary(kind), symbol.precedence >= minimum {
        let mark = take()
        surroundings.expected = nil
        guard hasOperand() else { return left }
        let right = parseBinary(symbol.precedence + 1)
        left = add(.binary(symbol, left, right), first: firstToken(left), mark: mark.range)
      } else {
        break
      }
    }
    return left
  }

  private mutating func parseIs(_ operand: ExprID) -> ExprID {
    let mark = take()
    surroundings.expected = nil
    guard let word = parseTypeWord() else { return operand }
    noteOperand(then: .operators)
    guard let type = TypeWord.named(name(word).text) else {
      note(.unknownType(text(word), place: word.range, at: peek().range))
      return operand
    }
    return add(.isType(operand, type), first: firstToken(operand), mark: mark.range)
  }

  private mutating func parseTypeWord() -> Token? {
    if let word = take(if: .identifier) { return word }
    let following = TokenSet.operators.union(surroundings.closers.last ?? surroundings.end)
    if surroundings.brackets == 0, peek(1).kind != .identifier, following.contains(kind) {
      noteFailure(.unknownType("<missing IDENTIFIER>", place: peek().range, at: peek().range))
      return nil
    }
    let count = diagnostics.count
    let isNull = kind == .null
    if dropsUnexpected(expecting: [.identifier]) { return take(if: .identifier) }
    if diagnostics.count == count + 1 {
      diagnostics[count].help = isNull ? "compare with `== null`" : "`is` needs a type on its right"
    }
    return nil
  }

  private mutating func parseUnary() -> ExprID {
    var marks: [SourceRange] = []
    while true {
      if let mark = take(if: .bang) {
        marks.append(mark.range)
      } else if kind == .plusPlus || kind == .minusMinus {
        take()
        note(.increment(at: peek().range))
      } else {
        break
      }
      guard hasOperand() else { return invalid() }
    }
    var operand = kind == .minus ? parseNegation() : parsePostfix()
    for mark in marks.reversed() { operand = add(.not(operand), first: mark, mark: mark) }
    return operand
  }

  private mutating func parseNegation() -> ExprID {
    let mark = take().range
    guard hasOperand(.negated) else { return invalid() }
    let wasGuarded = surroundings.isGuarded
    surroundings.isGuarded = true
    let operand = parseMinimumInt() ?? parsePostfix()
    surroundings.isGuarded = wasGuarded
    return add(.negate(operand), first: mark, mark: mark)
  }

  /// Parses `9223372036854775808` directly after a minus and without a postfix: the one literal that is only
  /// valid negated.
  private mutating func parseMinimumInt() -> ExprID? {
    guard kind == .int, text(peek()) == "9223372036854775808",
      peek(1).kind != .dot, peek(1).kind != .leftBracket
    else { return nil }
    let token = take()
    noteOperand(then: .continuation)
    return add(.literal(.int(.min)), first: token.range, mark: token.range)
  }
}
