/// The stable name of a kind of diagnostic, a kebab-case noun: `unknown-variable`.
///
/// These constants are the registry: `check` prints them, `// rules-check: ignore CODE` names them, and each
/// has a `CodePage`.
public struct Code: Hashable, Sendable {
  /// The name.
  public let name: String

  /// The code of that name.
  package init(_ name: String) { self.name = name }

  /// A suite, a document or another JSON text with a mistake.
  public static let suite = Code("suite")
  /// A file that cannot be read or written.
  public static let unreadable = Code("unreadable")
  /// A project's configuration with a mistake.
  public static let configuration = Code("configuration")
  /// An older version of a file that git cannot provide.
  public static let git = Code("git")
  /// A command that cannot be executed as asked.
  public static let usage = Code("usage")
  /// A document, path or token in a suite that Firestore or Firebase could never have.
  public static let impossibleData = Code("impossible-data")
  /// Tests without an `as`.
  public static let missingAsker = Code("missing-asker")
  /// A path in a suite with a segment like `{uid}`.
  public static let literalVariable = Code("literal-variable")
  /// More mistakes than are shown.
  public static let tooManyErrors = Code("too-many-errors")

  // Syntax.
  static let emptyRules = Code("empty-rules")
  static let syntax = Code("syntax")
  static let unknownCharacter = Code("unknown-character")
  static let unclosedString = Code("unclosed-string")
  static let invalidNumber = Code("invalid-number")
  static let invalidBytes = Code("invalid-bytes")
  static let incrementOperator = Code("increment-operator")
  static let misplacedPath = Code("misplaced-path")
  static let incompletePath = Code("incomplete-path")
  static let missingOperation = Code("missing-operation")
  static let missingCondition = Code("missing-condition")
  static let missingBody = Code("missing-body")
  static let emptyBlock = Code("empty-block")
  static let unsupportedVersion = Code("unsupported-version")
  static let importStatement = Code("import-statement")
  static let serviceName = Code("service-name")
  // Names.
  static let duplicateService = Code("duplicate-service")
  static let duplicateFunction = Code("duplicate-function")
  static let duplicateVariable = Code("duplicate-variable")
  static let duplicateCapture = Code("duplicate-capture")
  static let namespaceAsVariable = Code("namespace-as-variable")
  /// A variable that does not exist.
  public static let unknownVariable = Code("unknown-variable")
  /// A function that does not exist.
  public static let unknownFunction = Code("unknown-function")
  static let unknownOperation = Code("unknown-operation")
  static let unknownService = Code("unknown-service")
  /// Rules of another product than Firestore.
  public static let foreignService = Code("foreign-service")
  static let lookupScope = Code("lookup-scope")
  static let unusedFunction = Code("unused-function")
  static let unusedVariable = Code("unused-variable")
  // Types.
  static let unknownType = Code("unknown-type")
  /// A value of a type that its context does not take.
  package static let typeMismatch = Code("type-mismatch")
  /// A condition that is not a bool.
  package static let conditionType = Code("condition-type")
  static let contradictoryUse = Code("contradictory-use")
  /// A comparison with the same result for every request.
  package static let constantComparison = Code("constant-comparison")
  static let differentBranches = Code("different-branches")
  static let argumentCount = Code("argument-count")
  static let invalidPattern = Code("invalid-pattern")
  // Structure and limits.
  static let oldVersion = Code("old-version")
  static let letVersion = Code("let-version")
  static let misplacedGlob = Code("misplaced-glob")
  static let globChildren = Code("glob-children")
  static let recursion = Code("recursion")
  static let limitNesting = Code("limit-nesting")
  static let limitMatchDepth = Code("limit-match-depth")
  static let limitPathLength = Code("limit-path-length")
  static let limitCaptures = Code("limit-captures")
  static let limitParameters = Code("limit-parameters")
  static let limitLets = Code("limit-lets")
  static let limitCallDepth = Code("limit-call-depth")
  static let limitSource = Code("limit-source")
  // Text.
  static let byteOrderMark = Code("byte-order-mark")
  static let invalidUTF8 = Code("invalid-utf8")

  /// True if the code is about text that could not be parsed, so that its meaning cannot be checked.
  var isSyntax: Bool {
    [
      .emptyRules, .syntax, .unknownCharacter, .unclosedString, .incrementOperator,
      .misplacedPath, .incompletePath, .missingOperation, .missingCondition, .missingBody,
      .emptyBlock, .serviceName, .unknownType, .invalidUTF8, .tooManyErrors, .limitNesting,
      .limitMatchDepth,
    ].contains(self)
  }
}
