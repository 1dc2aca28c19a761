/// The kind of a token. Words that the grammar reserves have kinds of their own.
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

  /// True if the word may name something of the user's: a variable, function, capture or operation.
  public var isName: Bool { self == .identifier }

  /// True if the word may follow a dot.
  public var isMemberName: Bool {
    switch self {
    case .identifier, .allow, .false, .function, .if, .import, .in, .is, .let, .match, .null,
      .return, .true, .reserved:
      true
    default: false
    }
  }

  /// True if the token is a reserved word.
  public var isReserved: Bool { self != .identifier && (isMemberName || self == .service) }
}

/// One token: its kind and range.
public struct Token: Sendable {
  /// The kind.
  public var kind: TokenKind
  /// The source range.
  public var range: SourceRange
}
