// Parsing of primaries: literals, names, calls, brackets.

extension Parser {
  /// Parses `primary` of the grammar.
  mutating func parsePrimary() -> ExprID {
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
      let parts = parsePathLiteral()
      return add(.path(parts), first: token.range, mark: token.range)
    case .unclosedString:
      take()
      note(.unclosedString(text(token), begunAt: token.range, at: peek().range))
    default:
      reportUnexpected()
    }
    return invalid()
  }

  private mutating func parseParenthesized() -> ExprID {
    let open = take().range
    return withBrackets(closedBy: [.rightParen]) { parser in
      let inner = parser.parseExpression()
      parser.close(.rightParen)
      return parser.add(.parenthesized(inner), first: open, mark: open)
    }
  }

  private mutating func parseMap() -> ExprID {
    let open = take().range
    return withBrackets(closedBy: [.comma, .rightBrace]) { parser in
      var entries: [Expression.MapEntry] = []
      while parser.kind != .rightBrace, !parser.isRecovering {
        entries.append(parser.parseEntry())
        guard !parser.isRecovering, parser.take(if: .comma) != nil else { break }
        parser.surroundings.expected = nil
      }
      parser.close(.rightBrace)
      return parser.add(.map(entries), first: open, mark: open)
    }
  }

  private mutating func parseEntry() -> Expression.MapEntry {
    surroundings.closers.append([.colon])
    let key = parseExpression()
    surroundings.closers.removeLast()
    close(.colon)
    surroundings.expected = nil
    let value = isRecovering ? invalid() : parseExpression()
    return Expression.MapEntry(key: key, value: value)
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
  /// The float literal in the form that `Double` reads: with digits on both sides of the point.
  fileprivate var dottedFloat: String {
    var text = self
    if text.utf8.first == UInt8(ascii: ".") { text = "0" + text }
    if text.utf8.last == UInt8(ascii: ".") { text += "0" }
    return text
  }
}
