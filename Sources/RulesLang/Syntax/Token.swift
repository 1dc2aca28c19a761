/// What a token is. Words that the grammar reserves have kinds of their own.
public enum TokenKind: UInt8, Sendable {
  // Words.
  case identifier, rulesVersion, serviceName
  case allow, `false`, function, `if`, `import`, `in`, `is`, `let`, match, null, `return`
  case service, `true`
  /// Any other reserved word (Docs/Language.md §2).
  case reserved
  // Literals.
  case int, float, string, bytes, pathSegment
  // Operators and punctuation.
  case orOr, andAnd, equalEqual, notEqual, lessEqual, greaterEqual, less, greater
  case plus, minus, star, slash, percent, bang, question, colon, comma, semicolon, dot
  case leftParen, rightParen, leftBracket, rightBracket, leftBrace, rightBrace
  case equal, starStar, dollar, at, plusPlus, minusMinus
  /// A quote without its partner on the line, or with an escape that does not exist.
  case unclosedString
  case endOfFile

  /// Whether the word may be a name of the user's: variable, function, capture, operation.
  public var isName: Bool { self == .identifier }

  /// Whether the word may follow a dot.
  public var isMemberName: Bool {
    switch self {
    case .identifier, .allow, .false, .function, .if, .import, .in, .is, .let, .match, .null,
      .return, .true, .reserved:
      true
    default: false
    }
  }

  /// Whether the token is a reserved word.
  public var isReserved: Bool { self != .identifier && (isMemberName || self == .service) }
}

/// One token: what it is and where.
public struct Token: Sendable {
  /// What it is.
  public var kind: TokenKind
  /// Where it is.
  public var range: SourceRange
}
