/// An option of a command: one row of the table from which parsing, help and suggestions come.
struct Option: Sendable {
  /// The name with its dashes.
  var name: String
  /// A one-letter form, with its dash.
  var short: String?
  /// What the value is called in help; nil if the option takes none.
  var value: String?
  /// The words that the value may be; empty for any.
  var choices: [String] = []
  /// Whether the option may be given more than once.
  var isRepeatable = false
  /// One line of help.
  var summary: String
}

/// A command: its name, what it takes, and what it does.
struct Command: Sendable {
  /// The name.
  var name: String
  /// The operands as help shows them.
  var operands: String
  /// How many operands there may be.
  var operandCount: ClosedRange<Int>
  /// One line of help.
  var summary: String
  /// Paragraphs for `help COMMAND`.
  var details: String
  /// Its options, the common ones not included.
  var options: [Option]
  /// The report formats, the default first.
  var formats: [String]
  /// Whether an operand may begin with one dash, as `-1` does.
  var takesNegatives = false
  /// Runs it.
  var run: @Sendable (Invocation) throws(UsageProblem) -> ExitStatus

  /// Every option with the common ones.
  var allOptions: [Option] { options + commonOptions }

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

/// Why a command line cannot be run.
struct UsageProblem: Error {
  /// What is wrong, in one line.
  var message: String
  /// How to mend it.
  var help: String?

  /// Makes a problem.
  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }

  /// A file that cannot be read or written.
  init(_ problem: FileProblem) { message = problem.message }
}
