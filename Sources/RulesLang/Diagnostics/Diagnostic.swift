/// One message about a source text. Data only; `TextRenderer` turns it into lines.
public struct Diagnostic: Sendable {
  /// The severity. A ruleset with an error is not evaluated.
  public enum Severity: UInt8, Comparable, Sendable {
    case info, warning, error

    /// The word that reports print.
    public var word: String {
      switch self {
      case .info: "info"
      case .warning: "warning"
      case .error: "error"
      }
    }

    /// Orders by severity.
    public static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The source of a diagnostic: the compiler, with Google's wording where there is one, or lint.
  public enum Origin: UInt8, Sendable {
    case compile, lint

    /// The word that reports print.
    public var word: String { self == .compile ? "compile" : "lint" }
  }

  /// A further place with a short note.
  public struct Label: Sendable {
    /// The place.
    public var range: SourceRange
    /// The note, in lower case, without a full stop.
    public var text: String
    /// False if only machine-readable formats show the place, because pictures of many places hide the rest.
    public var isPictured = true
  }

  /// A change of the text that follows the help.
  public struct Fix: Sendable {
    /// The range that is replaced; empty for an insertion.
    public var range: SourceRange
    /// The new text.
    public var text: String

    /// Creates a replacement.
    public init(replacing range: SourceRange, with text: String) {
      self.range = range
      self.text = text
    }
  }

  /// The stable name of its kind.
  public var code: Code
  /// The severity.
  public var severity: Severity
  /// The source.
  public var origin: Origin = .compile
  /// The mistake, in one line.
  public var message: String
  /// The smallest piece of source that is wrong; nil for a diagnostic of the whole file.
  public var range: SourceRange?
  /// A few words under the carets.
  public var label: String?
  /// Other places involved.
  public var related: [Label] = []
  /// The consequences, above all for access.
  public var notes: [String] = []
  /// The advice how to fix it.
  public var help: String?
  /// The quick fix that editors offer.
  public var fix: Fix?
  /// True if the code in question decides nothing, so that `check` by default does not treat the warning as
  /// an error.
  var isUnreached = false

  /// Creates a diagnostic of the compiler.
  public init(
    _ code: Code, severity: Severity, message: String, at range: SourceRange?,
    label: String? = nil, help: String? = nil
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.range = range
    self.label = label
    self.help = help
  }

  /// Returns the diagnostic with one more note.
  public func noting(_ note: String) -> Diagnostic {
    var copy = self
    copy.notes.append(note)
    return copy
  }

  /// Returns the diagnostic with a fix that replaces its own range, or `range`, by `text`.
  package func fixing(_ range: SourceRange? = nil, with text: String?) -> Diagnostic {
    guard let text, let place = range ?? self.range else { return self }
    var copy = self
    copy.fix = Fix(replacing: place, with: text)
    return copy
  }

  /// Returns the diagnostic with the name that was probably meant, as help and as a fix.
  package func suggesting(_ meant: String?, for range: SourceRange? = nil) -> Diagnostic {
    guard let meant else { return self }
    var copy = fixing(range, with: meant)
    copy.help = "did you mean `\(meant)`?"
    return copy
  }

  /// Returns the diagnostic with one more place.
  public func relating(
    _ range: SourceRange, as text: String, isPictured: Bool = true
  ) -> Diagnostic {
    var copy = self
    copy.related.append(Label(range: range, text: text, isPictured: isPictured))
    return copy
  }
}

extension [Diagnostic] {
  /// Returns the diagnostics sorted by place, then by message, as Google's compiler prints them; those of the
  /// whole file come first. Repetitions at one place are dropped.
  public func sortedByPlace() -> [Diagnostic] {
    var result: [Diagnostic] = []
    for diagnostic in sortedWithRepetitions() {
      if let last = result.last, last.range?.start == diagnostic.range?.start,
        last.message == diagnostic.message
      {
        continue
      }
      result.append(diagnostic)
    }
    return result
  }

  private func sortedWithRepetitions() -> [Diagnostic] {
    enumerated().sorted { left, right in
      let one = left.element.range.map { Int64($0.start) } ?? -1
      let other = right.element.range.map { Int64($0.start) } ?? -1
      if one != other { return one < other }
      let (text, otherText) = (Text(left.element.message), Text(right.element.message))
      if text != otherText { return Text.precedesByCodePoint(text, otherText) }
      return left.offset < right.offset
    }.map { $0.element }
  }

  /// Maximum diagnostics shown of one file.
  static var maximumTold: Int { 1000 }

  /// Returns the first thousand diagnostics, errors before warnings, sorted by place, and a note if there are
  /// more.
  package func limited() -> [Diagnostic] {
    guard count > Self.maximumTold else { return self }
    let errors = filter { $0.severity == .error }.prefix(Self.maximumTold)
    let others = filter { $0.severity != .error }.prefix(Self.maximumTold - errors.count)
    return (errors + others + [.moreDiagnostics()]).sortedByPlace()
  }

  /// True if any of them is an error, so that the rules cannot be used.
  public var hasErrors: Bool { contains { $0.severity == .error } }
}
