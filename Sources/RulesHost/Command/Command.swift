/// An option of a command: one row of the table from which parsing, help and suggestions come.
public struct Option: Sendable {
  /// The name with its dashes.
  public var name: String
  /// A one-letter form, with its dash.
  public var short: String?
  /// What the value is called in help; nil if the option takes none.
  public var value: String?
  /// The words that the value may be; empty for any.
  public var choices: [String] = []
  /// Whether the option may be given more than once.
  public var isRepeatable = false
  /// One line of help.
  public var summary: String

  /// An option that may be given once, with any value, unless said otherwise.
  public init(
    name: String, short: String? = nil, value: String? = nil, choices: [String] = [],
    isRepeatable: Bool = false, summary: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.choices = choices
    self.isRepeatable = isRepeatable
    self.summary = summary
  }
}

/// A command: its name, what it takes, and what it does.
public struct Command: Sendable {
  /// The name.
  public var name: String
  /// The operands as help shows them.
  public var operands: String
  /// How many operands there may be.
  public var operandCount: ClosedRange<Int>
  /// One line of help.
  public var summary: String
  /// Paragraphs for `help COMMAND`.
  public var details: String
  /// Its options, the common ones not included.
  public var options: [Option]
  /// The report formats, the default first.
  public var formats: [String]
  /// Whether an operand may begin with one dash, as `-1` does.
  public var takesNegatives = false
  /// Runs it.
  public var run: @Sendable (Invocation) throws(UsageProblem) -> ExitStatus

  /// A command with these options besides the common ones.
  public init(
    name: String, operands: String, operandCount: ClosedRange<Int>, summary: String,
    details: String, options: [Option], formats: [String], takesNegatives: Bool = false,
    run: @escaping @Sendable (Invocation) throws(UsageProblem) -> ExitStatus
  ) {
    self.name = name
    self.operands = operands
    self.operandCount = operandCount
    self.summary = summary
    self.details = details
    self.options = options
    self.formats = formats
    self.takesNegatives = takesNegatives
    self.run = run
  }

  /// Every option with the common ones.
  public var allOptions: [Option] { options + commonOptions }

  private var commonOptions: [Option] {
    [
      Option(
        name: "--format", value: "FORMAT", choices: formats, isRepeatable: true,
        summary: "how to report: \(formats.joined(separator: ", "))"),
      Option(
        name: "--output", short: "-o", value: "FILE", isRepeatable: true,
        summary: "where the report of the --format before it goes"),
      Option(
        name: "--color", value: "WHEN", choices: Terminal.Color.allCases.map(\.rawValue),
        summary: "auto, always or never"),
      Option(name: "--quiet", short: "-q", value: nil, summary: "print only what is wrong"),
      Option(name: "--help", short: "-h", value: nil, summary: "print this help"),
    ]
  }
}
