/// One thing to say about a source text. Data only; `TextRenderer` turns it into lines.
public struct Diagnostic: Sendable {
  /// How bad it is. A ruleset with an error is not evaluated.
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

    /// Orders by how bad it is.
    public static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// Who says it: the compiler, with Google's wording where there is one, or lint.
  public enum Origin: UInt8, Sendable {
    case compile, lint

    /// The word that reports print.
    public var word: String { self == .compile ? "compile" : "lint" }
  }

  /// A further place with a short remark.
  public struct Label: Sendable {
    /// The place.
    public var range: SourceRange
    /// The remark, lower case, no full stop.
    public var text: String
    /// False if only formats for programs show the place: pictures of many places hide the rest.
    public var isPictured = true
  }

  /// A change of the text that does what the help says.
  public struct Fix: Sendable {
    /// What is replaced; an empty range is a place where something is put in.
    public var range: SourceRange
    /// What takes its place.
    public var text: String

    /// Makes a replacement.
    public init(replacing range: SourceRange, with text: String) {
      self.range = range
      self.text = text
    }
  }

  /// Its stable name.
  public var code: Code
  /// How bad it is.
  public var severity: Severity
  /// Who says it.
  public var origin: Origin = .compile
  /// What is wrong, in one line.
  public var message: String
  /// The smallest piece of source that is wrong; nil for a remark about the whole file.
  public var range: SourceRange?
  /// A few words under the carets.
  public var label: String?
  /// Other places involved.
  public var related: [Label] = []
  /// What it does, above all to access.
  public var notes: [String] = []
  /// How to mend it.
  public var help: String?
  /// What editors offer to do about it.
  public var fix: Fix?
  /// True if the code it is about decides nothing, so that `check` never takes the warning for an error by
  /// itself.
  var isUnreached = false

  /// Makes a diagnostic of the compiler.
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

  /// The diagnostic with one more note.
  public func noting(_ note: String) -> Diagnostic {
    var copy = self
    copy.notes.append(note)
    return copy
  }

  /// The diagnostic with a fix that writes `text` where it points, or in place of `range`.
  package func fixing(_ range: SourceRange? = nil, with text: String?) -> Diagnostic {
    guard let text, let place = range ?? self.range else { return self }
    var copy = self
    copy.fix = Fix(replacing: place, with: text)
    return copy
  }

  /// The diagnostic with the name that was probably meant, as help and as a fix.
  package func suggesting(_ meant: String?, for range: SourceRange? = nil) -> Diagnostic {
    guard let meant else { return self }
    var copy = fixing(range, with: meant)
    copy.help = "did you mean `\(meant)`?"
    return copy
  }

  /// The diagnostic with one more place.
  public func relating(
    _ range: SourceRange, as text: String, isPictured: Bool = true
  ) -> Diagnostic {
    var copy = self
    copy.related.append(Label(range: range, text: text, isPictured: isPictured))
    return copy
  }
}

extension [Diagnostic] {
  /// Sorted by place, at one place by message, as Google's compiler prints them; remarks about the
  /// whole file come first. What is said of one place twice is kept once.
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

  /// How many are told of one file.
  static var maximumTold: Int { 1000 }

  /// The first thousand, errors before warnings, sorted by place, and a remark if there are more.
  package func limited() -> [Diagnostic] {
    guard count > Self.maximumTold else { return self }
    let errors = filter { $0.severity == .error }.prefix(Self.maximumTold)
    let others = filter { $0.severity != .error }.prefix(Self.maximumTold - errors.count)
    return (errors + others + [.moreDiagnostics()]).sortedByPlace()
  }

  /// Whether any of them keeps the rules from being used.
  public var hasErrors: Bool { contains { $0.severity == .error } }
}
