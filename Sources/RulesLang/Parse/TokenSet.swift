/// A set of token kinds, for what a parser expects.
///
/// Its text form is that of Google's messages, in their order: `{'&&', '.', '=='}`, or `';'` alone.
struct TokenSet: Equatable, Sendable, ExpressibleByArrayLiteral {
  private var bits: UInt64 = 0

  /// Creates the set of some kinds.
  init(arrayLiteral kinds: TokenKind...) {
    for kind in kinds { bits |= Self.bit(kind) }
  }

  private static func bit(_ kind: TokenKind) -> UInt64 { 1 << UInt64(kind.rawValue) }

  /// True if a kind is in the set.
  func contains(_ kind: TokenKind) -> Bool { bits & Self.bit(kind) != 0 }

  /// The kinds of both sets.
  func union(_ other: TokenSet) -> TokenSet {
    var result = self
    result.bits |= other.bits
    return result
  }

  /// The kinds that are not in the other set.
  func subtracting(_ other: TokenSet) -> TokenSet {
    var result = self
    result.bits &= ~other.bits
    return result
  }

  /// The kinds as a message lists them.
  var list: String {
    let names = Self.names.filter { contains($0.kind) }.map { $0.name }
    return names.count == 1 ? names[0] : "{" + names.joined(separator: ", ") + "}"
  }

  // The order is the one of Google's messages. An unclosed string has two names there.
  private static let names: [(kind: TokenKind, name: String)] = [
    (.andAnd, "'&&'"), (.colon, "':'"), (.comma, "','"), (.minusMinus, "'--'"), (.dot, "'.'"),
    (.equal, "'='"), (.equalEqual, "'=='"), (.greater, "'>'"), (.greaterEqual, "'>='"),
    (.plusPlus, "'++'"), (.leftBrace, "'{'"), (.leftBracket, "'['"), (.leftParen, "'('"),
    (.less, "'<'"), (.lessEqual, "'<='"), (.minus, "'-'"), (.percent, "'%'"),
    (.notEqual, "'!='"), (.bang, "'!'"), (.orOr, "'||'"), (.plus, "'+'"), (.rightBrace, "'}'"),
    (.rightParen, "')'"), (.rightBracket, "']'"), (.semicolon, "';'"), (.slash, "'/'"),
    (.star, "'*'"), (.question, "'?'"), (.allow, "'allow'"), (.false, "'false'"),
    (.function, "'function'"), (.if, "'if'"), (.import, "'import'"), (.in, "'in'"),
    (.is, "'is'"), (.match, "'match'"), (.null, "'null'"), (.service, "'service'"),
    (.true, "'true'"), (.rulesVersion, "'rules_version'"), (.pathSegment, "PATH_SEGMENT"),
    (.identifier, "IDENTIFIER"), (.int, "NUM_INT"), (.float, "NUM_FLOAT"),
    (.unclosedString, "UNPAIRED_DOUBLE_QUOTE"), (.unclosedString, "UNPAIRED_SINGLE_QUOTE"),
    (.string, "STRING"), (.bytes, "BYTES"),
  ]
}

extension TokenSet {
  /// Tokens that can begin a path.
  static let path: TokenSet = [.slash, .pathSegment]
  /// Tokens that can follow a unary minus.
  static let negated: TokenSet = [
    .leftBrace, .leftBracket, .leftParen, .slash, .false, .null, .true, .pathSegment, .identifier,
    .int, .float, .unclosedString, .string, .bytes,
  ]
  /// Tokens that can begin an expression.
  static let operand: TokenSet = negated.union([.minusMinus, .plusPlus, .minus, .bang])
  /// Tokens that can follow a complete operand, without those of postfix forms.
  static let operators: TokenSet = [
    .andAnd, .equalEqual, .greater, .greaterEqual, .less, .lessEqual, .minus, .percent, .notEqual,
    .orOr, .plus, .slash, .star, .question, .in, .is,
  ]
  /// Tokens that can follow a complete operand.
  static let continuation: TokenSet = operators.union([.dot, .leftBracket])
  /// Tokens that can begin a member of a service.
  static let serviceMember: TokenSet = path.union([.function, .match])
  /// Tokens that can begin a member of a match block.
  static let matchMember: TokenSet = serviceMember.union([.allow])
  /// Tokens that can begin a declaration after the version.
  static let fileMember: TokenSet = [.function, .import, .service]
}
