// Files, services and match blocks.

extension Parser {
  /// Parses `ruleset` of the grammar.
  mutating func parseRuleset() {
    if ruleset.source.bytes.isEmpty { return note(.emptyRules()) }
    noteEncoding()
    seek(TokenSet.fileMember.union([.rulesVersion]))
    let hasVersion = kind == .rulesVersion
    if hasVersion { parseVersion() }
    if hasVersion { seek(.fileMember) }
    while kind == .import { parseImport() }
    if kind == .endOfFile { reportUnexpected() }
    while kind != .endOfFile { parseFileDeclaration() }
  }

  private mutating func noteEncoding() {
    if ruleset.source.hadByteOrderMark { note(.byteOrderMark()) }
    if let place = ruleset.source.firstInvalidByte {
      note(.invalidUTF8(at: SourceRange(start: place, end: place + 1)))
    }
  }

  /// Skips to the first token that can begin a declaration.
  private mutating func seek(_ wanted: TokenSet) {
    guard !isRecovering, !wanted.contains(kind) else { return }
    statementStart = index
    if !dropsUnexpected(expecting: wanted) {
      while kind != .endOfFile, kind != .service, kind != .function { take() }
      endRecovery()
    }
  }

  private mutating func parseVersion() {
    statementStart = index
    let keyword = take()
    let equal = expect(.equal, before: [.string])
    guard equal.isThere else { return recover() }
    let value = expect(.string, before: TokenSet.fileMember.union([.semicolon]))
    guard value.isThere else { return recover() }
    _ = take(if: .semicolon)
    guard let token = value.token else { return }
    switch Escape.text(of: bytes(token)) {
    case "1": ruleset.version = .one
    case "2": ruleset.version = .two
    case let other: note(.unsupportedVersion(String(other), at: keyword.range))
    }
  }

  private mutating func parseImport() {
    statementStart = index
    let keyword = take()
    guard let module = take(if: .string) else {
      reportUnexpected()
      return recover()
    }
    if kind == .identifier {
      if text(peek()) != "as" { note(.importAlias(at: peek().range)) }
      take()
      guard expect(.identifier, before: [.semicolon]).isThere,
        expect(.semicolon, before: TokenSet.fileMember).isThere
      else { return recover() }
    } else if take(if: .semicolon) == nil {
      reportUnexpected()
      return recover()
    }
    let name = String(Escape.text(of: bytes(module)))
    let isFirst = !diagnostics.contains { $0.code == .importStatement }
    note(isFirst ? .importStatement(name, at: keyword.range) : .module(name, at: keyword.range))
  }

  private mutating func parseFileDeclaration() {
    statementStart = index
    surroundings.isInService = false
    switch kind {
    case .function:
      if let id = parseFunction(.file) { ruleset.fileFunctions.append(id) }
    case .service:
      parseService()
    default:
      reportUnexpected()
      take()
      recover()
      if kind == .rightBrace { take() }
    }
  }

  // MARK: Services

  private mutating func parseService() {
    let keyword = take()
    guard let token = take(if: .serviceName) else {
      reportUnexpected()
      return recover()
    }
    let name = name(token)
    let index = ruleset.services.count
    ruleset.services.append(Service(name: name, range: keyword.range))
    guard take(if: .leftBrace) != nil else {
      reportUnexpected()
      if kind != .leftBrace { skipToBlock() }
      guard take(if: .leftBrace) != nil else { return recover() }
      return parseServiceBody(of: index, after: keyword)
    }
    if kind == .rightBrace { note(.emptyBody("service", at: peek().range)) }
    if Keywords.isRefusedAsService(name.text) { note(.keywordAsService(at: token.range)) }
    parseServiceBody(of: index, after: keyword)
  }

  private mutating func parseServiceBody(of service: Int, after keyword: Token) {
    endRecovery()
    while kind != .rightBrace, kind != .endOfFile { parseServiceMember(service) }
    endBlock()
    ruleset.services[service].range = SourceRange(start: keyword.range.start, end: lastEnd)
  }

  private mutating func parseServiceMember(_ service: Int) {
    statementStart = index
    surroundings.isInService = true
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

  /// Parses the brace at the end of a block, or reports the end of the file.
  private mutating func endBlock() {
    if take(if: .rightBrace) == nil {
      reportUnexpected()
      endRecovery()
    }
  }

  /// Reports a token that begins no declaration and skips the statement that it seems to begin.
  private mutating func skipUnexpected() {
    reportUnexpected()
    if kind != .leftBrace { take() }
    if kind == .leftBrace { skipBlock() }
    recover()
  }

  // MARK: Match blocks

  /// Maximum nesting of blocks that is parsed; deeper ones are skipped, because the engine refuses them
  /// anyway.
  private static var maximumBlockNesting: Int { 64 }

  private mutating func parseMatch(in parent: MatchID?, service: Int, depth: Int) -> MatchID? {
    let keyword = peek()
    if take(if: .match) == nil {
      noteFailure(.missingMatch(at: keyword.range))
    } else if !TokenSet.path.contains(kind) {
      reportUnexpected()
    }
    let start = peek().range
    let parsed = isRecovering ? nil : parsePattern()
    let pattern = parsed ?? []
    let patternRange = pattern.isEmpty ? start : SourceRange(start: start.start, end: lastEnd)
    if parsed == nil { skipToBlock() }
    guard take(if: .leftBrace) != nil else {
      recover()
      return nil
    }
    endRecovery()
    if depth > Self.maximumBlockNesting {
      report(.matchTooDeep(at: keyword.range))
      index -= 1
      skipBlock()
      endRecovery()
      return nil
    }
    let id = MatchID(ruleset.matches.count)
    ruleset.matches.append(
      Match(
        pattern: pattern, parent: parent, service: service, keyword: keyword.range,
        patternRange: patternRange, range: keyword.range))
    if parsed != nil, kind == .rightBrace { note(.emptyBody("match", at: peek().range)) }
    while kind != .rightBrace, kind != .endOfFile {
      parseMatchMember(id, service: service, depth: depth)
    }
    endBlock()
    ruleset.matches[id.index].range = SourceRange(start: keyword.range.start, end: lastEnd)
    return id
  }

  /// Recovers from a mistake at the head of a block: skips to its brace, if that is in the same statement. A
  /// brace after a slash begins a capture.
  private mutating func skipToBlock() {
    let heads: TokenSet = [
      .leftBrace, .rightBrace, .semicolon, .endOfFile, .allow, .match, .function, .service,
    ]
    while !heads.contains(kind) {
      let isSlash = take().kind == .slash
      guard isSlash, take(if: .leftBrace) != nil else { continue }
      while kind == .identifier || kind == .equal || kind == .star || kind == .starStar { take() }
      _ = take(if: .rightBrace)
    }
  }

  private mutating func parseMatchMember(_ id: MatchID, service: Int, depth: Int) {
    statementStart = index
    surroundings.isInService = true
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
}
