// Hints for habits from other languages, and other mistakes that the surrounding tokens identify.

extension Parser {
  /// Returns help for a report that has none, by common habits from other languages.
  func habit(at diagnostic: Diagnostic) -> String? {
    guard let start = diagnostic.range?.start,
      let place = tokens.firstIndex(where: { $0.range.start >= start })
    else { return nil }
    let kind = tokens[place].kind
    if kind == .endOfFile { return missingAtEnd() }
    if kind == .match, isOutsideServices(place) {
      return "a match block belongs in a service: `service cloud.firestore { match "
        + "/databases/{database}/documents { … } }`"
    }
    return place > 0 ? habit(of: kind, at: place, after: tokens[place - 1].kind) : nil
  }

  /// Returns help for a token behind another one.
  private func habit(of kind: TokenKind, at place: Int, after before: TokenKind) -> String? {
    if before == .serviceName, kind != .leftBrace {
      return "the `{` of the service is missing before this"
    }
    if before == .match, kind == .identifier {
      let name = text(tokens[place])
      return "a path begins with a slash: `match /\(name)/{id}`"
    }
    if before == .match, kind == .string {
      return "write the path without quotes: `match /users/{id}`"
    }
    if kind == .int || kind == .float, isVersion(before: place) {
      return "write the version in quotes: `rules_version = '2';`"
    }
    if isFunctionBody(at: place) {
      return "a function has lets and then `return`: `{ return …; }`"
    }
    return variable(after: place)
  }

  /// Returns help for a file that ends too early.
  private func missingAtEnd() -> String? {
    var depth = 0
    for token in tokens {
      switch token.kind {
      case .leftParen, .leftBracket, .leftBrace: depth += 1
      case .rightParen, .rightBracket, .rightBrace: depth -= 1
      default: break
      }
    }
    if depth > 0 { return "something that was opened is not closed" }
    let hasBody = tokens.contains { $0.kind == .leftBrace } && !isOutsideServices(tokens.count)
    return hasBody ? nil : "rules have a `service cloud.firestore { … }`"
  }

  /// True if no service begins before a token.
  private func isOutsideServices(_ place: Int) -> Bool {
    !tokens[..<place].contains { $0.kind == .service }
  }

  /// True if `rules_version =` comes before a token.
  private func isVersion(before place: Int) -> Bool {
    place > 1 && tokens[place - 1].kind == .equal && tokens[place - 2].kind == .rulesVersion
  }

  /// True if a token is the first of a function's body or follows one of its lets, and is not `return`.
  private func isFunctionBody(at place: Int) -> Bool {
    let starts: TokenSet = [.identifier, .bang, .leftParen, .true, .false, .if]
    guard starts.contains(tokens[place].kind) else { return false }
    var brace = place - 1
    guard tokens[brace].kind == .leftBrace || tokens[brace].kind == .semicolon else { return false }
    // Back over the lets: there is no `return` yet, and no block between.
    while brace > 0, tokens[brace].kind != .leftBrace {
      if tokens[brace].kind == .return || tokens[brace].kind == .rightBrace { return false }
      brace -= 1
    }
    guard brace > 1, tokens[brace - 1].kind == .rightParen else { return false }
    // The head of a function: its name and, in parentheses, names.
    var head = brace - 2
    while head > 0, tokens[head].kind == .identifier || tokens[head].kind == .comma { head -= 1 }
    return head > 1 && tokens[head].kind == .leftParen && tokens[head - 2].kind == .function
  }

  /// Returns help for `$(x)`, or for `{x` without its end, in the pattern of a match block that begins at a
  /// token or just before it.
  private func variable(after place: Int) -> String? {
    var next = place
    let path: TokenSet = [
      .slash, .pathSegment, .leftBrace, .rightBrace, .identifier, .equal, .starStar, .star, .dollar,
    ]
    guard tokens[place - 1].kind == .match || tokens[place].kind == .dollar else { return nil }
    while next + 2 < tokens.count, path.contains(tokens[next].kind) {
      if tokens[next].kind == .dollar {
        return "the variable of a match block is `{id}`; `$(…)` is for paths in conditions"
      }
      let followers: TokenSet = [.leftBrace, .slash, .pathSegment]
      if tokens[next].kind == .leftBrace, tokens[next - 1].kind == .slash,
        tokens[next + 1].kind == .identifier, followers.contains(tokens[next + 2].kind)
      {
        let name = text(tokens[next + 1])
        return "the brace of a variable is closed: `{\(name)}`"
      }
      next += 1
    }
    return nil
  }
}
