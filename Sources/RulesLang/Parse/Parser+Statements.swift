// Allow statements and functions.

extension Parser {
  /// Parses `allow` of the grammar.
  mutating func parseAllow(in match: MatchID) -> AllowID? {
    let keyword = take()
    let operations = parseOperations()
    let condition = isRecovering ? nil : parseCondition()
    _ = take(if: .semicolon)
    recover()
    guard !operations.isEmpty else { return nil }
    let id = AllowID(ruleset.allows.count)
    ruleset.allows.append(
      Allow(
        operations: operations, condition: condition, match: match, keyword: keyword.range,
        range: SourceRange(start: keyword.range.start, end: lastEnd)))
    return id
  }

  private mutating func parseOperations() -> [Name] {
    guard kind.isName else {
      report(.missingOperation(at: peek().range))
      return []
    }
    var operations = [name(take())]
    while kind == .comma {
      guard peek(1).kind.isName else {
        reportUnexpected()
        break
      }
      take()
      operations.append(name(take()))
    }
    return operations
  }

  private mutating func parseCondition() -> Body? {
    let end = TokenSet.matchMember.union([.semicolon, .rightBrace])
    if kind == .if {
      note(.missingColon(at: peek().range))
      take()
    } else if take(if: .colon) != nil {
      if take(if: .if) != nil {
        guard TokenSet.operand.contains(kind) else {
          note(.missingCondition(text(peek()), at: peek().range))
          if !end.contains(kind) { reportUnexpected() }
          return nil
        }
      } else if TokenSet.operand.contains(kind) {
        note(.missingIf(at: peek().range))
      } else {
        reportUnexpected()
        return nil
      }
    } else {
      if !end.contains(kind) { reportUnexpected() }
      return nil
    }
    let start = index
    let body = parseBody(.condition)
    guard !isRecovering, !end.contains(kind) else { return body }
    if kind == .leftBrace, case .path = ruleset[body.root].kind {
      report(strayPath(at: start).relating(peek().range, as: "a condition cannot end like this"))
    } else {
      reportTail()
    }
    return body
  }

  // MARK: Functions

  /// Parses `function` of the grammar.
  mutating func parseFunction(_ owner: ScopeOwner) -> FunctionID? {
    let keyword = take()
    guard let (name, parameters) = parseSignature() else {
      skipFunction()
      return nil
    }
    let (lets, result) = parseFunctionBody(owner)
    guard let result else { return nil }
    let id = FunctionID(ruleset.functions.count)
    ruleset.functions.append(
      Function(
        name: name, parameters: parameters, lets: lets, result: result, owner: owner,
        range: SourceRange(start: keyword.range.start, end: lastEnd)))
    return id
  }

  /// Parses the name, the parameters and the opening brace of a function; nil after a report.
  private mutating func parseSignature() -> (name: Name, parameters: [Name])? {
    var name = Name("", at: peek().range)
    if kind.isName {
      name = self.name(take())
    } else if kind == .leftParen {
      note(.missingFunctionPart("id", at: peek().range))
    } else {
      reportStray()
      return nil
    }
    var parameters: [Name] = []
    if take(if: .leftParen) != nil {
      guard parseParameters(&parameters) else {
        reportStray()
        return nil
      }
      if kind == .rightParen { note(.extraParenthesis(at: take().range)) }
    } else if kind == .leftBrace {
      note(.missingFunctionPart("signature", at: peek().range))
    }
    guard take(if: .leftBrace) != nil else {
      reportStray()
      return nil
    }
    return (name, parameters)
  }

  private mutating func parseParameters(_ parameters: inout [Name]) -> Bool {
    while kind != .rightParen || !parameters.isEmpty {
      guard kind.isName else { return false }
      parameters.append(name(take()))
      guard take(if: .comma) != nil else { break }
    }
    return take(if: .rightParen) != nil
  }

  /// Parses the statements of a function and its closing brace.
  private mutating func parseFunctionBody(
    _ owner: ScopeOwner
  ) -> (lets: [Function.Let], result: Body?) {
    statementStart = index
    if kind == .rightBrace {
      note(.missingFunctionPart("body", at: take().range))
      return ([], nil)
    }
    var lets: [Function.Let] = []
    while kind == .let {
      statementStart = index
      if let binding = parseLet() { lets.append(binding) }
      recover()
    }
    guard kind == .return else {
      reportStray()
      closeFunction()
      return (lets, nil)
    }
    statementStart = index
    take()
    let result = parseBody(.result)
    endFunction(owner)
    return (lets, result)
  }

  private mutating func parseLet() -> Function.Let? {
    let keyword = take().range
    let name = expect(.identifier, before: [.equal])
    guard name.isThere, expect(.equal, before: .operand).isThere else { return nil }
    let value = parseBody(.binding)
    if kind == .slash, !isRecovering, surroundings.isInService, !isCapture,
      peek(2).kind != .leftParen
    {
      report(strayPath(at: index))
    }
    _ = expect(
      .semicolon, before: [.let, .return],
      expecting: surroundings.expected ?? surroundings.end)
    return name.token.map { Function.Let(keyword: keyword, name: self.name($0), value: value) }
  }

  /// Parses the brace after a function's result, and reports a token missing before it.
  private mutating func endFunction(_ owner: ScopeOwner) {
    let following: TokenSet
    switch owner {
    case .file: following = [.function, .service, .endOfFile]
    case .service: following = TokenSet.serviceMember.union([.rightBrace])
    case .match: following = TokenSet.matchMember.union([.rightBrace])
    }
    if !isRecovering {
      let hasSemicolon = take(if: .semicolon) != nil
      if following.contains(kind), TokenSet.path.contains(kind), peek(1).kind != .rightBrace {
        return noteFailure(strayPath(at: index))
      }
      let expected: TokenSet =
        hasSemicolon ? [.rightBrace] : surroundings.expected ?? surroundings.end
      _ = expect(.rightBrace, before: following, expecting: expected)
    }
    if isRecovering { closeFunction() }
  }

  /// Skips a whole function, after a mistake before its body.
  private mutating func skipFunction() {
    while kind != .leftBrace, kind != .rightBrace, kind != .endOfFile, kind != .allow,
      kind != .match, kind != .function, kind != .service
    {
      take()
    }
    if kind == .leftBrace { skipBlock() }
    endRecovery()
  }

  /// Skips the rest of a function, after a mistake inside its body.
  private mutating func closeFunction() {
    recover()
    while kind != .rightBrace, kind != .endOfFile, kind != .allow, kind != .match,
      kind != .function, kind != .service
    {
      if kind == .leftBrace { skipBlock() } else { take() }
    }
    _ = take(if: .rightBrace)
    endRecovery()
  }
}
