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
///
/// Of the mistakes of a file the first one has Google's wording and place (Docs/Language.md §10);
/// `Parser+Mistakes` knows how that compiler arrives at them.
public struct Parser {
  var ruleset: Ruleset
  var diagnostics: [Diagnostic] = []
  var isRecovering = false
  /// The current nesting of expressions.
  var nesting = 0
  /// The first token of each expression node, by `ExprID`.
  var firstTokens: [SourceRange] = []
  /// The context of the expression that is being parsed, for messages.
  var surroundings = Surroundings()
  let tokens: [Token]
  var index = 0
  /// The index in `tokens` of the first token of the current statement.
  var statementStart = 0
  /// The offset of the first mistake that the grammar does not foresee.
  var firstFailure: UInt32?
  /// The index in `tokens` of the last token that failed.
  var failedIndex: Int?
  private var unknownCharacters: [Diagnostic]

  /// The result of parsing a text.
  public struct Outcome: Sendable {
    /// The syntax, as far as it was understood.
    public var ruleset: Ruleset
    /// The mistakes, sorted by place.
    public var diagnostics: [Diagnostic]
    /// True if the tree covers all of the text: every mistake is one that the grammar foresees.
    public var isUnderstood: Bool
  }

  /// Parses a whole rules file.
  public static func parse(_ source: SourceText) -> Outcome {
    // In another encoding each character would be a separate mistake.
    if source.isUTF16 {
      return Outcome(
        ruleset: Ruleset(source: source),
        diagnostics: [.utf16()],
        isUnderstood: false)
    }
    var parser = Parser(source)
    parser.parseRuleset()
    parser.pointAtWhatIsMissing()
    return parser.finish()
  }

  /// Parses a text that is one expression, as the condition of a file of its own.
  ///
  /// The ruleset has one service with one match block `match` and one allow statement for every
  /// operation, whose condition is the expression.
  public static func parseExpression(
    _ source: SourceText, match pattern: [PathPart]
  ) -> Outcome {
    var parser = Parser(source)
    parser.parseLoneExpression(pattern)
    return parser.finish()
  }

  /// Parses sections of the ruleset's own text as further expressions.
  ///
  /// Each becomes the result of a function with the given parameters that is declared in its owner, but
  /// that no other expression can call. The ruleset is not copied for each of them: reports state
  /// thousands of claims at once.
  static func parse(_ sections: [Section], of ruleset: Ruleset) -> Outcome {
    var all = Outcome(ruleset: ruleset, diagnostics: [], isUnderstood: true)
    var firstTokens = ruleset.expressions.map { $0.mark }
    let nothing = Ruleset(source: SourceText(name: "", bytes: []))
    for section in sections {
      var parser = Parser(ruleset.source, section: section.range)
      parser.ruleset = all.ruleset
      parser.firstTokens = firstTokens
      // While something is added there must be only one owner.
      (all.ruleset, firstTokens) = (nothing, [])
      parser.parseCondition(named: section.name, taking: section.parameters, in: section.owner)
      firstTokens = parser.firstTokens
      let next = parser.finish()
      all.ruleset = next.ruleset
      all.diagnostics += next.diagnostics
      all.isUnderstood = all.isUnderstood && next.isUnderstood
    }
    return all
  }

  /// A section of a text that is one expression.
  struct Section {
    /// The range of the text.
    var range: SourceRange
    /// The name in messages.
    var name: Name
    /// The variables.
    var parameters: [Name]
    /// The scope in which it is declared.
    var owner: ScopeOwner
  }

  private init(_ source: SourceText, section: SourceRange? = nil) {
    ruleset = Ruleset(source: source)
    (tokens, unknownCharacters) = Lexer.tokens(of: source, section)
    ruleset.expressions.reserveCapacity(tokens.count / 2)
    firstTokens.reserveCapacity(tokens.count / 2)
  }

  /// Maximum mistakes; the rest of the text is then not parsed.
  static let maximumErrors = 100

  /// Ends parsing and adds the lexer's diagnostics. Google's compiler reads a file that does not parse a
  /// second time, and then reports only the characters that it did not reach the first time.
  private mutating func finish() -> Outcome {
    let isUnderstood = firstFailure == nil && diagnostics.count <= Self.maximumErrors
    if !isUnderstood { diagnostics.removeAll { !$0.code.isSyntax && $0.severity == .error } }
    diagnostics = diagnostics.sortedByPlace()
    let limit = firstFailure ?? 0
    let place = diagnostics.firstIndex { $0.range?.start == firstFailure }
    for unknown in unknownCharacters {
      if let place, let range = unknown.range, range.start < limit {
        diagnostics[place] = diagnostics[place].relating(range, as: unknown.message)
      } else {
        diagnostics.append(unknown)
      }
    }
    if unknownCharacters.count == Self.maximumErrors, let last = unknownCharacters.last {
      diagnostics.append(.tooManyErrors(at: last.range))
    }
    return Outcome(
      ruleset: ruleset, diagnostics: diagnostics.sortedByPlace(), isUnderstood: isUnderstood)
  }

  // MARK: Tokens

  /// Returns the next token, or one further ahead.
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

  /// The end of the last token that was taken.
  var lastEnd: UInt32 { index > 0 ? tokens[index - 1].range.end : 0 }

  /// Returns the source text of a token for messages; `<EOF>` for the end.
  func text(_ token: Token) -> String {
    guard token.kind != .endOfFile else { return "<EOF>" }
    return Diagnostic.quoting(ruleset.source.string(token.range))
  }

  /// Returns the bytes of a token.
  func bytes(_ token: Token) -> ArraySlice<UInt8> {
    ruleset.source.bytes[Int(token.range.start)..<Int(token.range.end)]
  }

  /// Returns the name that a word token spells.
  func name(_ token: Token) -> Name {
    Name(Text(wellFormed: Array(bytes(token))), at: token.range)
  }

  // MARK: Errors

  /// Reports a mistake that the grammar does not foresee, unless one was just reported and the
  /// parser is still recovering.
  mutating func report(_ diagnostic: Diagnostic) {
    guard !isRecovering else { return }
    isRecovering = true
    // A token that was reported at the end of one block is not reported again at the next.
    if index == failedIndex { return }
    failedIndex = index
    var diagnostic = diagnostic
    diagnostic.help = diagnostic.help ?? habit(at: diagnostic)
    noteFailure(diagnostic)
    isRecovering = true
  }

  /// Reports such a mistake without entering recovery.
  mutating func noteFailure(_ diagnostic: Diagnostic) {
    if let start = diagnostic.range?.start { firstFailure = min(firstFailure ?? start, start) }
    note(diagnostic)
  }

  /// Reports a mistake that does not affect parsing.
  mutating func note(_ diagnostic: Diagnostic) {
    diagnostics.append(diagnostic)
    guard diagnostics.count == Self.maximumErrors else { return }
    diagnostics.append(.tooManyErrors(at: diagnostic.range))
    ignoreRest()
  }

  private mutating func ignoreRest() {
    index = tokens.count - 1
    isRecovering = true
  }

  /// Recovers from an error: skips to the end of the statement, leaving the braces balanced.
  mutating func recover() {
    guard isRecovering else { return }
    let open = openBraces
    var depth = open
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
        if depth <= open, beginsStatement { return endRecovery() }
      default: break
      }
      take()
    }
    endRecovery()
  }

  /// The number of open braces of map literals in the failed statement.
  private var openBraces: Int {
    var depth = 0
    for token in tokens[min(statementStart, index)..<index] {
      if token.kind == .leftBrace { depth += 1 }
      if token.kind == .rightBrace { depth = max(0, depth - 1) }
    }
    return depth
  }

  /// True if the keyword that comes next can begin a statement: not after a dot, and not as the first token
  /// of the statement that has just failed.
  private var beginsStatement: Bool {
    index > statementStart && tokens[index - 1].kind != .dot
  }

  /// Ends recovery, but not when the rest of the file is being ignored.
  mutating func endRecovery() {
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
