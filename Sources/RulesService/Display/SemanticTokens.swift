package import RulesLang

/// A range of text with its kind, for syntax colouring.
package struct SemanticToken: Hashable, Sendable {
  /// The kind of a token; the raw value is the index in the protocol's legend.
  package enum Kind: Int, CaseIterable, Sendable {
    case keyword, function, method, variable, parameter, property, namespace, type, string, number
    case `operator`, comment, enumMember

    /// The protocol's name of the kind.
    package var word: String {
      switch self {
      case .keyword: "keyword"
      case .function: "function"
      case .method: "method"
      case .variable: "variable"
      case .parameter: "parameter"
      case .property: "property"
      case .namespace: "namespace"
      case .type: "type"
      case .string: "string"
      case .number: "number"
      case .operator: "operator"
      case .comment: "comment"
      case .enumMember: "enumMember"
      }
    }
  }

  /// The source range.
  package var range: SourceRange
  /// The kind.
  package var kind: Kind
  /// True if a name is declared here.
  package var isDeclaration = false
  /// True if it is built in.
  package var isBuiltin = false
}

extension RulesAnalysis {
  /// The semantic token of each word, literal, operator and comment, in order.
  package var semanticTokens: [SemanticToken] {
    var known: [UInt32: SemanticToken] = [:]
    for occurrence in symbols.occurrences {
      known[occurrence.range.start] = occurrence.token
    }
    for allow in rules.allows {
      for word in allow.operations {
        known[word.range.start] = SemanticToken(range: word.range, kind: .enumMember)
      }
    }
    var found: [SemanticToken] = []
    var start = 0
    for (index, token) in tokens.tokens.enumerated() {
      for comment in tokens.comments(from: start, to: Int(token.range.start)) {
        found.append(SemanticToken(range: comment, kind: .comment))
      }
      start = Int(token.range.end)
      if let one = known[token.range.start] {
        found.append(one)
      } else if let kind = kind(of: index) {
        found.append(SemanticToken(range: token.range, kind: kind))
      }
    }
    return found
  }

  private func kind(of index: Int) -> SemanticToken.Kind? {
    let kind = tokens.tokens[index].kind
    let previous = index > 0 ? tokens.tokens[index - 1].kind : .endOfFile
    switch kind {
    case .identifier: return previous == .dot ? .property : previous == .is ? .type : .variable
    case .serviceName: return .namespace
    case .string, .bytes, .pathSegment, .unclosedString: return .string
    case .int, .float: return .number
    case .rulesVersion, .allow, .false, .function, .if, .import, .in, .is, .let, .match, .null,
      .return, .service, .true, .reserved:
      return previous == .dot ? .property : .keyword
    case .orOr, .andAnd, .equalEqual, .notEqual, .lessEqual, .greaterEqual, .less, .greater, .plus,
      .minus, .star, .percent, .bang, .question, .equal, .starStar:
      return .operator
    case .slash, .colon, .comma, .semicolon, .dot, .leftParen, .rightParen, .leftBracket,
      .rightBracket, .leftBrace, .rightBrace, .dollar, .at, .plusPlus, .minusMinus, .endOfFile:
      return nil
    }
  }
}

extension Occurrence {
  /// The semantic token of the name.
  fileprivate var token: SemanticToken {
    var token = SemanticToken(range: range, kind: .variable, isDeclaration: isDeclaration)
    switch symbol {
    case .function: token.kind = .function
    case .parameter, .capture: token.kind = .parameter
    case .variable: break
    case .record: token.isBuiltin = true
    case .builtin:
      token.kind = .function
      token.isBuiltin = true
    case .method:
      token.kind = .method
      token.isBuiltin = true
    case .member: token.kind = .property
    }
    return token
  }
}
