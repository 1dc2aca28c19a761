public import RulesLang

/// How loud a lint is.
public enum LintLevel: Hashable, Sendable {
  /// It is not looked for.
  case off
  /// It is reported with this severity.
  case on(Diagnostic.Severity)

  /// The words for levels, the quietest first.
  public static let words = ["off", "info", "warning", "error"]

  /// The level that a word names.
  public static func named(_ word: String) -> LintLevel? {
    switch word {
    case "off": .off
    case "info": .on(.info)
    case "warning": .on(.warning)
    case "error": .on(.error)
    default: nil
    }
  }

  /// The word for it.
  public var word: String {
    switch self {
    case .off: "off"
    case .on(let severity): severity.word
    }
  }
}

/// A lint: something that compiles and is probably not meant.
///
/// A lint's whole page stands beside the code that finds it, as data: from it come the page in
/// `Docs/Lints`, `rules-check help CODE`, and the tests that run its two examples.
public struct Lint: Sendable {
  /// Its stable name, a kebab-case noun.
  public var code: Code
  /// How loud it is unless the settings say otherwise.
  public var level: LintLevel
  /// What it finds, in one line, lower case, no full stop.
  public var summary: String
  /// Why that matters: paragraphs of Markdown.
  public var reason: String
  /// Rules in which it finds something: what stands inside `service cloud.firestore`.
  public var avoid: String
  /// The same rules as they should be, in which it finds nothing.
  public var prefer: String
  /// Whether finding it takes proofs about all requests, so that it is looked for only on demand.
  public private(set) var isProved = false
  /// Finds it, unless that takes proofs. The reports do not carry the lint's code yet, and get its
  /// severity unless they are errors.
  let find: @Sendable (LintSubject) -> [Diagnostic]

  init(
    _ name: String, level: LintLevel, summary: String, reason: String, avoid: String,
    prefer: String, find: @escaping @Sendable (LintSubject) -> [Diagnostic]
  ) {
    code = Code(name)
    self.level = level
    self.summary = summary
    self.reason = reason
    self.avoid = avoid
    self.prefer = prefer
    self.find = find
  }

  /// A lint whose findings others prove.
  init(
    proved name: String, level: LintLevel, summary: String, reason: String, avoid: String,
    prefer: String
  ) {
    self.init(name, level: level, summary: summary, reason: reason, avoid: avoid, prefer: prefer) {
      _ in []
    }
    isProved = true
  }

  /// A whole rules file around the statements of an example.
  public static func file(of example: String) -> String {
    if example.hasPrefix("service ") || example.hasPrefix("rules_version") { return example + "\n" }
    var text = "rules_version = '2';\nservice cloud.firestore {\n"
    text += "  match /databases/{database}/documents {\n"
    for line in example.split(separator: "\n", omittingEmptySubsequences: false) {
      text += line.isEmpty ? "\n" : "    " + line + "\n"
    }
    return text + "  }\n}\n"
  }

  /// The page of the lint, in Markdown.
  public var page: String {
    """
    # \(code.name)

    \(summary.first.map { $0.uppercased() } ?? "")\(summary.dropFirst()). (\(kind), \(level.word))

    \(reason)

    ## Avoid

    ```
    \(avoid)
    ```

    ## Prefer

    ```
    \(prefer)
    ```

    ## Silence

    On the line before, with the reason: `// rules-check: ignore \(code.name) REASON`.
    Everywhere, in `.rulescheck.json`: `"levels": {"\(code.name)": "\(silenced)"}`.

    """
  }

  private var kind: String { isProved ? "lint, with `check --deep`" : "lint" }

  private var silenced: String { level == .off ? "warning" : "off" }
}

extension Diagnostic {
  /// Something that a lint found; the linter adds code and severity.
  static func finding(
    _ message: String, at range: SourceRange?, label: String? = nil, help: String? = nil
  ) -> Diagnostic {
    Diagnostic(.lint, severity: .warning, message: message, at: range, label: label, help: help)
  }
}

extension Code {
  /// Stands in reports of lints until the linter puts the lint's own code there.
  static let lint = Code("lint")
}
