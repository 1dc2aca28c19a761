public import RulesLang

/// The level of a lint.
public enum LintLevel: Hashable, Sendable {
  /// The lint is off.
  case off
  /// Findings are reported with this severity.
  case on(Diagnostic.Severity)

  /// The names of the levels, the quietest first.
  public static let words = ["off", "info", "warning", "error"]

  /// Returns the level with a name.
  public static func named(_ word: String) -> LintLevel? {
    switch word {
    case "off": .off
    case "info": .on(.info)
    case "warning": .on(.warning)
    case "error": .on(.error)
    default: nil
    }
  }

  /// The name of the level.
  public var word: String {
    switch self {
    case .off: "off"
    case .on(let severity): severity.word
    }
  }
}

/// A lint: a check for rules that compile and are probably not meant.
///
/// Its documentation is data beside the code that finds it: from it come the page in `Docs/Lints`,
/// `rules-check help CODE`, and the tests that run its two examples.
public struct Lint: Sendable {
  /// The stable name, a kebab-case noun.
  public var code: Code
  /// The default level.
  public var level: LintLevel
  /// The finding in general terms: one line, lower case, no full stop.
  public var summary: String
  /// The reason why it matters: paragraphs of Markdown.
  public var reason: String
  /// Rules with a finding: the content of `service cloud.firestore`.
  public var avoid: String
  /// The example's rules as they should be, without a finding.
  public var prefer: String
  /// True if its findings take proofs about all requests, so that they are searched only on demand.
  public private(set) var isProved = false
  /// Returns the findings; none if these take proofs. They do not have the lint's code yet, and get the
  /// lint's severity unless they are errors.
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

  /// Creates a lint whose findings are proved elsewhere.
  init(
    proved name: String, level: LintLevel, summary: String, reason: String, avoid: String,
    prefer: String
  ) {
    self.init(name, level: level, summary: summary, reason: reason, avoid: avoid, prefer: prefer) {
      _ in []
    }
    isProved = true
  }

  /// Returns a whole rules file around the statements of an example.
  public static func file(of example: String) -> String {
    if example.hasPrefix("service ") || example.hasPrefix("rules_version") { return example + "\n" }
    var text = "rules_version = '2';\nservice cloud.firestore {\n"
    text += "  match /databases/{database}/documents {\n"
    for line in example.split(separator: "\n", omittingEmptySubsequences: false) {
      text += line.isEmpty ? "\n" : "    " + line + "\n"
    }
    return text + "  }\n}\n"
  }

  /// The page of documentation, in Markdown.
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
  /// Makes a finding of a lint; the linter adds code and severity.
  static func finding(
    _ message: String, at range: SourceRange?, label: String? = nil, help: String? = nil
  ) -> Diagnostic {
    Diagnostic(.lint, severity: .warning, message: message, at: range, label: label, help: help)
  }
}

extension Code {
  /// The placeholder for the code of a finding, until the linter sets it.
  static let lint = Code("lint")
}
