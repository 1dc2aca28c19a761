/// The documentation of a diagnostic code: its meaning, rules that have it, and equivalent rules without it.
///
/// Docs/Diagnostics.md is made from these, and so is `rules-check help CODE`. The examples are checked by the
/// tests.
public struct CodePage: Sendable {
  /// The place of an example in a file.
  enum Place: Sendable {
    /// The example is a whole file.
    case file
    /// The example is the content of a match block.
    case block
    /// The example is the condition of an allow statement.
    case condition
  }

  /// The code.
  public let code: Code
  /// The severity.
  public let severity: Diagnostic.Severity
  /// The meaning and the effect on access, in a few sentences.
  public let meaning: String
  let place: Place
  let bad: String?
  let good: String?

  init(
    _ code: Code, severity: Diagnostic.Severity, meaning: String, at place: Place = .block,
    bad: String? = nil, good: String? = nil
  ) {
    self.code = code
    self.severity = severity
    self.meaning = meaning
    self.place = place
    self.bad = bad
    self.good = good
  }

  /// Every page, in the order of the documentation.
  public static let table: [CodePage] = text + syntax + structure + names + types + limits

  /// Returns the page of the code with a name.
  public static func named(_ name: String) -> CodePage? {
    table.first { $0.code.name == name }
  }

  /// The bad example as a whole file; nil if there is no short one.
  public var rulesToAvoid: String? { bad.map { whole($0) } }

  /// The good example as a whole file.
  public var rulesToPrefer: String? { good.map { whole($0) } }

  private func whole(_ example: String) -> String {
    let lines = example.split(separator: "\n", omittingEmptySubsequences: false)
    let body = lines.map { $0.isEmpty ? "" : "      " + $0 }.joined(separator: "\n")
    switch place {
    case .file: return example + "\n"
    case .block: return Self.opening + body + Self.closing
    case .condition: return Self.opening + "      allow read: if " + example + ";" + Self.closing
    }
  }

  private static let opening =
    "rules_version = '2';\nservice cloud.firestore {\n"
    + "  match /databases/{database}/documents {\n    match /notes/{note} {\n"

  private static let closing = "\n    }\n  }\n}\n"
}

extension CodePage {
  /// The first sentence of the meaning.
  public var summary: String {
    let bytes = Array(meaning.utf8)
    let stop = bytes.indices.dropLast().first {
      bytes[$0] == UInt8(ascii: ".") && bytes[$0 + 1] == UInt8(ascii: " ")
    }
    return stop.map { String(decoding: bytes[...$0], as: UTF8.self) } ?? meaning
  }

  /// The page in Markdown, with the output of `check` for the bad example.
  public var markdown: String {
    let kind =
      severity == .error
      ? "An error"
      : code == .limitSource
        ? "An error of `check`, and a warning elsewhere"
        : code.isStrict ? "A warning of Google's compiler, an error of `check`" : "A warning"
    var page = "## \(code.name)\n\n" + Self.wrap("\(kind). \(meaning)")
    if let bad, let rules = rulesToAvoid {
      page += "\nAvoid:\n\n```\n\(shown(bad))\n```\n"
      let source = SourceText(name: "firestore.rules", rules)
      let compiler = Checker.check(source).diagnostics
      let all = compiler + Checker.checkFirestore(source).diagnostics
      let others = compiler.filter { $0.code != code && $0.isUnreached }
      for said in all.filter({ $0.code == code }).prefix(1) + others {
        page += "\n```\n\(TextRenderer().render(said.asStrict, in: source))```\n"
      }
    }
    if let good { page += "\nPrefer:\n\n```\n\(shown(good))\n```\n" }
    return page
  }

  /// Breaks a text into lines of at most 100 bytes, each with a line end.
  private static func wrap(_ text: String) -> String {
    var lines = ""
    var width = 0
    for word in text.split(separator: " ") {
      let isFull = width + 1 + word.utf8.count > 100
      lines += width == 0 ? "" : isFull ? "\n" : " "
      width = isFull || width == 0 ? word.utf8.count : width + 1 + word.utf8.count
      lines += word
    }
    return lines + "\n"
  }

  private func shown(_ example: String) -> String {
    place == .condition ? "allow read: if \(example);" : example
  }
}

extension Code {
  /// Every code of the compiler, in the order of the documentation.
  public static var all: [Code] { CodePage.table.map { $0.code } }
}
