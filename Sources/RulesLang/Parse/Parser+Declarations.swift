// Everything of the grammar above expressions.

extension Parser {
  /// ruleset
  mutating func parseRuleset() {
    if ruleset.source.bytes.isEmpty { return note(.emptyRules()) }
    noteEncoding()
    parseVersion()
    while kind == .import { parseImport() }
    if kind == .endOfFile { report(.nothingDeclared(text(peek()), at: peek().range)) }
    while kind != .endOfFile { parseFileDeclaration() }
  }

  private mutating func noteEncoding() {
    if ruleset.source.hadByteOrderMark { note(.byteOrderMark()) }
    if let place = ruleset.source.firstInvalidByte {
      note(.invalidUTF8(at: SourceRange(place, place + 1)))
    }
  }

  private mutating func parseVersion() {
    guard let keyword = take(if: .rulesVersion) else { return }
    guard expect(.equal) != nil, let value = expect(.string) else { return recover() }
    _ = take(if: .semicolon)
    switch Escape.text(of: bytes(value)) {
    case "1": ruleset.version = .one
    case "2": ruleset.version = .two
    case let other: note(.unsupportedVersion(String(other), at: keyword.range))
    }
  }

  private mutating func parseImport() {
    let keyword = take()
    guard let module = expect(.string) else { return recover() }
    if kind == .identifier, text(peek()) == "as" {
      take()
      expect(.identifier)
    }
    expect(.semicolon)
    note(.importStatement(String(Escape.text(of: bytes(module))), at: keyword.range))
    recover()
  }

  private mutating func parseFileDeclaration() {
    switch kind {
    case .function:
      if let id = parseFunction(.file) { ruleset.fileFunctions.append(id) }
    case .service:
      parseService()
    default:
      if ruleset.services.isEmpty, ruleset.fileFunctions.isEmpty {
        report(.nothingDeclared(text(peek()), at: peek().range))
      } else {
        report(.unexpected(text(peek()), at: peek().range))
      }
      take()
      recover()
      if kind == .rightBrace { take() }
    }
  }

  // MARK: Blocks

  private mutating func parseService() {
    let keyword = take()
    guard let token = take(if: .serviceName) else {
      report(.unexpected(text(peek()), at: peek().range))
      return recover()
    }
    let name = name(token)
    if Keywords.kind(of: bytes(token)) != .identifier { note(.keywordAsService(at: token.range)) }
    let index = ruleset.services.count
    ruleset.services.append(Service(name: name, range: keyword.range))
    guard expect(.leftBrace) != nil else { return recover() }
    if kind == .rightBrace { note(.emptyBody("service", at: peek().range)) }
    while kind != .rightBrace, kind != .endOfFile { parseServiceMember(index) }
    expect(.rightBrace)
    ruleset.services[index].range = SourceRange(keyword.range.start, lastEnd)
    recover()
  }

  private mutating func parseServiceMember(_ service: Int) {
    switch kind {
    case .function:
      if let id = parseFunction(.service(service)) {
        ruleset.services[service].functions.append(id)
      }
    case .match, .slash, .pathSegment:
      if let id = parseMatch(in: nil, service: service, depth: 1) {
        ruleset.services[service].matches.append(id)
      }
    default:
      skipUnexpected()
    }
  }

  /// Reports a token that begins no declaration and skips the statement that it seems to begin.
  private mutating func skipUnexpected() {
    report(.unexpected(text(peek()), at: peek().range))
    if kind != .leftBrace { take() }
    if kind == .leftBrace { skipBlock() }
    recover()
  }

  /// Blocks nested deeper than this are skipped; the engine refuses them anyway.
  private static var maximumBlockNesting: Int { 64 }

  private mutating func parseMatch(in parent: MatchID?, service: Int, depth: Int) -> MatchID? {
    let keyword = peek()
    if take(if: .match) == nil { note(.missingMatch(at: keyword.range)) }
    let start = peek().range
    let pattern = parsePathParts(inMatch: true)
    let patternRange = pattern.isEmpty ? start : SourceRange(start.start, lastEnd)
    if isRecovering { skipToBlock() }
    guard kind == .leftBrace else {
      report(.unexpected(text(peek()), at: peek().range))
      recover()
      return nil
    }
    if depth > Self.maximumBlockNesting {
      report(.matchTooDeep(at: keyword.range))
      skipBlock()
      recover()
      return nil
    }
    let id = MatchID(ruleset.matches.count)
    ruleset.matches.append(
      Match(
        pattern: pattern, parent: parent, service: service, keyword: keyword.range,
        patternRange: patternRange, range: keyword.range))
    parseMatchBody(id, service: service, depth: depth)
    ruleset.matches[id.index].range = SourceRange(keyword.range.start, lastEnd)
    return id
  }

  /// After a mistake in a match path: goes to the block, if it begins on the same statement.
  private mutating func skipToBlock() {
    while kind != .leftBrace, kind != .rightBrace, kind != .semicolon, kind != .endOfFile,
      kind != .allow, kind != .match, kind != .function
    {
      take()
    }
    if kind == .leftBrace { isRecovering = diagnostics.count > Self.maximumErrors }
  }

  private mutating func parseMatchBody(_ id: MatchID, service: Int, depth: Int) {
    take()
    if kind == .rightBrace { note(.emptyBody("match", at: peek().range)) }
    while kind != .rightBrace, kind != .endOfFile {
      switch kind {
      case .function:
        if let function = parseFunction(.match(id)) {
          ruleset.matches[id.index].functions.append(function)
        }
      case .match, .slash, .pathSegment:
        if let child = parseMatch(in: id, service: service, depth: depth + 1) {
          ruleset.matches[id.index].matches.append(child)
        }
      case .allow:
        if let allow = parseAllow(in: id) { ruleset.matches[id.index].allows.append(allow) }
      default:
        skipUnexpected()
      }
    }
    expect(.rightBrace)
    recover()
  }

  // MARK: Statements

  private mutating func parseAllow(in match: MatchID) -> AllowID? {
    let keyword = take()
    var operations: [Name] = []
    guard kind.isName else {
      report(.missingOperation(at: peek().range))
      recover()
      return nil
    }
    operations.append(name(take()))
    while kind == .comma {
      let comma = take()
      guard kind.isName else {
        report(.unexpected(",", at: comma.range))
        recover()
        return nil
      }
      operations.append(name(take()))
    }
    let condition = parseCondition()
    _ = take(if: .semicolon)
    let id = AllowID(ruleset.allows.count)
    ruleset.allows.append(
      Allow(
        operations: operations, condition: condition, match: match, keyword: keyword.range,
        range: SourceRange(keyword.range.start, lastEnd)))
    recover()
    return id
  }

  private mutating func parseCondition() -> Body? {
    if kind == .if {
      report(.missingColon(at: peek().range))
      return nil
    }
    guard take(if: .colon) != nil else { return nil }
    if take(if: .if) == nil { note(.missingIf(at: peek().range)) }
    if !startsExpression(kind) {
      report(.missingCondition(text(peek()), at: peek().range))
      return nil
    }
    return parseBody()
  }

  private mutating func parseFunction(_ owner: ScopeOwner) -> FunctionID? {
    let keyword = take()
    guard kind.isName else {
      report(.missingFunctionPart("id", at: peek().range))
      skipFunction()
      return nil
    }
    let name = name(take())
    guard let parameters = parseParameters(), take(if: .leftBrace) != nil else {
      report(.unexpected(text(peek()), at: peek().range))
      skipFunction()
      return nil
    }
    let (lets, result) = parseFunctionBody()
    expect(.rightBrace)
    if isRecovering { closeFunction() }
    guard let result else { return nil }
    let id = FunctionID(ruleset.functions.count)
    ruleset.functions.append(
      Function(
        name: name, parameters: parameters, lets: lets, result: result, owner: owner,
        range: SourceRange(keyword.range.start, lastEnd)))
    return id
  }

  private mutating func parseParameters() -> [Name]? {
    guard take(if: .leftParen) != nil else {
      report(.missingFunctionPart("signature", at: peek().range))
      return nil
    }
    var parameters: [Name] = []
    while kind != .rightParen {
      guard kind.isName else { return nil }
      parameters.append(name(take()))
      guard take(if: .comma) != nil else { break }
      if !kind.isName { return nil }
    }
    guard take(if: .rightParen) != nil else { return nil }
    if kind == .rightParen { report(.extraParenthesis(at: peek().range)) }
    return parameters
  }

  private mutating func parseFunctionBody() -> (lets: [Function.Let], result: Body?) {
    var lets: [Function.Let] = []
    while kind == .let {
      let keyword = take().range
      guard kind.isName else {
        report(.unexpected(text(peek()), at: peek().range))
        return (lets, nil)
      }
      let name = name(take())
      guard expect(.equal) != nil else { return (lets, nil) }
      let value = parseBody()
      if take(if: .semicolon) == nil { report(.missing(";", before: text(peek()), at: peek().range)) }
      lets.append(Function.Let(keyword: keyword, name: name, value: value))
      if isRecovering { return (lets, nil) }
    }
    guard take(if: .return) != nil else {
      let isEmpty = kind == .rightBrace
      report(
        isEmpty
          ? .missingFunctionPart("body", at: peek().range)
          : .unexpected(text(peek()), at: peek().range))
      return (lets, nil)
    }
    let result = parseBody()
    _ = take(if: .semicolon)
    return (lets, result)
  }

  /// After a mistake before the body: skips the whole function.
  private mutating func skipFunction() {
    while kind != .leftBrace, kind != .rightBrace, kind != .endOfFile, kind != .allow,
      kind != .match, kind != .function, kind != .service
    {
      take()
    }
    if kind == .leftBrace { skipBlock() }
    isRecovering = diagnostics.count > Self.maximumErrors
  }

  /// After a mistake inside the body: goes past its closing brace.
  private mutating func closeFunction() {
    var depth = 1
    while kind != .endOfFile, depth > 0 {
      let token = take()
      if token.kind == .leftBrace { depth += 1 }
      if token.kind == .rightBrace { depth -= 1 }
    }
    isRecovering = diagnostics.count > Self.maximumErrors
  }
}
