public import RulesLang
public import RulesProof

/// What `check` found in each file.
public struct CheckReport: Sendable {
  /// One file.
  public struct File: Sendable {
    /// The path, as the user typed it.
    public var path: String
    /// The text.
    public var source: SourceText
    /// Whether the rules can be evaluated.
    public var compiles: Bool
    /// What there is to say, sorted by place.
    public var diagnostics: [Diagnostic]
    /// How much was asked about what decides nothing; nil if nothing was.
    public var deep: DeepCounts?
    /// What was taken out, by place.
    public var removed: [Removed] = []

    /// What there is to say about a file.
    public init(path: String, source: SourceText, compiles: Bool, diagnostics: [Diagnostic]) {
      self.path = path
      self.source = source
      self.compiles = compiles
      self.diagnostics = diagnostics
    }
  }

  /// How much was asked about what decides nothing.
  public struct DeepCounts: Sendable {
    /// How many questions were asked.
    public var questions: Int
    /// How many of them were left open.
    public var open: Int

    /// So many questions, and so many of them open.
    public init(questions: Int, open: Int) {
      self.questions = questions
      self.open = open
    }
  }

  /// Something that was taken out of a file.
  public struct Removed: Sendable {
    /// Why.
    public var code: Code
    /// What is proved of it.
    public var message: String
    /// Where it stood before.
    public var place: SourceText.Position
    /// The same as an offset in bytes.
    public var offset: UInt32
    /// The text that it was found in.
    public var text: String

    /// What was taken out of a text, with what was said of it.
    public init(_ part: RedundancyRepair.Part, in source: SourceText, saying said: Diagnostic) {
      code = said.code
      message = said.message
      place = source.position(of: part.range.start)
      offset = part.range.start
      text = source.string(part.range)
    }
  }

  /// The files, in the order in which they were named.
  public var files: [File]
  /// Why something could not be looked at, in order.
  public var refusals: [Annotation]

  /// What was found in some files, and what could not be looked at.
  public init(files: [File], refusals: [Annotation] = []) {
    self.files = files
    self.refusals = refusals
  }

  /// How many diagnostics have a severity.
  func count(_ severity: Diagnostic.Severity) -> Int {
    files.reduce(0) { $0 + $1.diagnostics.filter { $0.severity == severity }.count }
  }

  /// How much was found, in one line.
  public var summary: String {
    var parts = [files.count.of("file")]
    parts.append(Self.count(count(.error), of: "error"))
    parts.append(Self.count(count(.warning), of: "warning"))
    if !refusals.isEmpty { parts.append("\(refusals.count) could not be used") }
    if count(.info) > 0 { parts.append(Self.count(count(.info), of: "remark")) }
    let removed = files.reduce(0) { $0 + $1.removed.count }
    if removed > 0 { parts.append("\(removed) removed, proved to change no decision") }
    let deep = files.compactMap { $0.deep }
    if !deep.isEmpty {
      parts.append(Self.count(deep.reduce(0) { $0 + $1.questions }, of: "question"))
      parts.append("\(deep.reduce(0) { $0 + $1.open }) open")
    }
    return parts.joined(separator: ", ")
  }

  private static func count(_ number: Int, of noun: String) -> String {
    number.of(noun)
  }
}
