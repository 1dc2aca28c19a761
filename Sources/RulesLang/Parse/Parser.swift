// The grammar (Docs/Language.md §3). Capitals are tokens; `binary(p)` climbs precedences.
//
//   ruleset    = [ RULES_VERSION "=" STRING [";"] ] { import } ( function | service )+ EOF
//   import     = "import" STRING [ "as" NAME ] ";"                     (parsed, then refused)
//   service    = "service" SERVICE_NAME "{" ( function | match )+ "}"
//   match      = "match" segment+ "{" ( function | match | allow )+ "}"
//   allow      = "allow" NAME { "," NAME } [ ":" "if" expression ] [ ";" ]
//   function   = "function" NAME "(" [ NAME { "," NAME } ] ")"
//                "{" { let } "return" expression [ ";" ] "}"
//   let        = "let" NAME "=" expression ";"
//
//   expression = binary(1) [ "?" expression ":" expression ]
//   binary(p)  = unary { OPERATOR binary(its precedence + 1) | "is" TYPE }
//   unary      = { "!" } [ "-" ] postfix
//   postfix    = primary { "." MEMBER [ arguments ] | "[" expression "]"
//                        | "[" [ expression ] ":" [ expression ] "]" }
//   primary    = INT | FLOAT | STRING | BYTES | "true" | "false" | "null"
//              | NAME [ arguments ] | NAMESPACE "." NAME arguments
//              | "(" expression ")" | list | map | segment+
//   segment    = PATH_SEGMENT | "/" "{" NAME [ "=" ( "*" | "**" ) ] "}"
//              | "/" "$" "(" expression ")"                            (not in a match path)

/// Parses a rules text, or a single expression, and goes on after a mistake.
///
/// After an error the parser is *recovering*: it reports nothing more until it has found the end
/// of the statement, so one mistake gives one report. Nesting beyond what the engine accepts is
/// reported and skipped, never followed, so no text can exhaust the stack.
public struct Parser {
  var ruleset: Ruleset
  var diagnostics: [Diagnostic]
  var isRecovering = false
  /// How many expressions are being parsed one inside the other.
  var nesting = 0
  /// The first token of each expression node, by `ExprID`.
  var firstTokens: [SourceRange] = []
  private let tokens: [Token]
  private var index = 0

  /// Parses a whole rules file. Diagnostics come in source order.
  public static func parse(_ source: SourceText) -> (ruleset: Ruleset, diagnostics: [Diagnostic]) {
    var parser = Parser(source)
    parser.parseRuleset()
    return (parser.ruleset, parser.diagnostics.sortedByPlace())
  }

  /// Parses a text that is one expression, as the condition of a file of its own.
  ///
  /// The ruleset has one service with one match block `match` and one allow statement for every
  /// operation, whose condition is the expression.
  public static func parseExpression(
    _ source: SourceText, match pattern: [PathPart]
  ) -> (ruleset: Ruleset, diagnostics: [Diagnostic]) {
    var parser = Parser(source)
    parser.parseLoneExpression(pattern)
    return (parser.ruleset, parser.diagnostics.sortedByPlace())
  }

  /// Parses a section of the ruleset's own text as one more expression.
  ///
  /// The expression becomes the result of a function with the given parameters that is declared in
  /// `owner`, but that no other expression can call.
  static func parse(
    _ section: SourceRange, of ruleset: Ruleset, name: Name, parameters: [Name], owner: ScopeOwner
  ) -> (ruleset: Ruleset, diagnostics: [Diagnostic]) {
    var parser = Parser(ruleset.source, section)
    parser.ruleset = ruleset
    parser.parseCondition(name, parameters, owner)
    return (parser.ruleset, parser.diagnostics.sortedByPlace())
  }

  private init(_ source: SourceText, _ section: SourceRange? = nil) {
    ruleset = Ruleset(source: source)
    (tokens, diagnostics) = Lexer.tokens(of: source, section)
    if diagnostics.count > Self.maximumErrors {
      diagnostics.removeLast(diagnostics.count - Self.maximumErrors)
      diagnostics.append(.tooManyErrors(at: diagnostics[diagnostics.count - 1].range))
      index = tokens.count - 1
    }
  }

  /// After so many mistakes the rest is not looked at.
  static let maximumErrors = 100

  // MARK: Tokens

  /// The token that is next, or one further ahead.
  func peek(_ ahead: Int = 0) -> Token {
    index + ahead < tokens.count ? tokens[index + ahead] : tokens[tokens.count - 1]
  }

  /// The kind of the next token.
  var kind: TokenKind { peek().kind }

  /// Takes the next token; the end of the file is never passed.
  @discardableResult
  mutating func take() -> Token {
    let token = peek()
    if index < tokens.count - 1 { index += 1 }
    return token
  }

  /// Takes the next token if it is of this kind.
  mutating func take(if wanted: TokenKind) -> Token? {
    kind == wanted ? take() : nil
  }

  /// Takes a token of this kind, or reports what stands there instead.
  @discardableResult
  mutating func expect(_ wanted: TokenKind) -> Token? {
    if let token = take(if: wanted) { return token }
    report(.unexpected(text(peek()), at: peek().range))
    return nil
  }

  /// Where the last token that was taken ends.
  var lastEnd: UInt32 { index > 0 ? tokens[index - 1].range.end : 0 }

  /// The source text of a token; `<EOF>` for the end.
  func text(_ token: Token) -> String {
    token.kind == .endOfFile ? "<EOF>" : ruleset.source.string(token.range)
  }

  /// The bytes of a token.
  func bytes(_ token: Token) -> ArraySlice<UInt8> {
    ruleset.source.bytes[Int(token.range.start)..<Int(token.range.end)]
  }

  /// The name that a word token spells.
  func name(_ token: Token) -> Name {
    Name(Text(wellFormed: Array(bytes(token))), token.range)
  }

  // MARK: Errors

  /// Reports a syntax error, unless one was just reported and the parser is still recovering.
  mutating func report(_ diagnostic: Diagnostic) {
    guard !isRecovering else { return }
    isRecovering = true
    note(diagnostic)
  }

  /// Reports something that does not disturb the parser's understanding of what follows.
  mutating func note(_ diagnostic: Diagnostic) {
    diagnostics.append(diagnostic)
    guard diagnostics.count == Self.maximumErrors else { return }
    diagnostics.append(.tooManyErrors(at: diagnostic.range))
    index = tokens.count - 1
    isRecovering = true
  }

  /// After an error: skips to the end of the statement, leaving the braces balanced.
  mutating func recover() {
    guard isRecovering else { return }
    var depth = 0
    while kind != .endOfFile {
      switch kind {
      case .leftBrace:
        depth += 1
      case .rightBrace:
        if depth == 0 { return endRecovery() }
        depth -= 1
      case .semicolon where depth == 0:
        take()
        return endRecovery()
      case .allow, .match, .function, .service, .let, .return:
        if depth == 0, !isAfterDot { return endRecovery() }
      default: break
      }
      take()
    }
    endRecovery()
  }

  private var isAfterDot: Bool { index > 0 && tokens[index - 1].kind == .dot }

  /// Ends recovery, but not when the rest of the file is being ignored.
  private mutating func endRecovery() {
    isRecovering = diagnostics.count > Self.maximumErrors
  }

  /// Skips from a `{` to its partner without looking inside.
  mutating func skipBlock() {
    var depth = 0
    while kind != .endOfFile {
      let token = take()
      if token.kind == .leftBrace { depth += 1 }
      if token.kind == .rightBrace {
        depth -= 1
        if depth <= 0 { return }
      }
    }
  }
}
