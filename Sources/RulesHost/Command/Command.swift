/// What a command is asked: its options and operands as values with types, made of the command line in
/// one place. The rest of the command takes these and never sees the command line.
package protocol CommandOptions: SendableMetatype {
  /// The formats that the command reports in, the default first.
  associatedtype Format: ReportFormat = PlainFormat
  /// The options in the order of help, the common ones not included. Others are not to be read.
  static var table: [any OptionRow] { get }
  /// Reads a command line. Throws what is wrong with the values.
  init(_ invocation: Invocation) throws(UsageProblem)
  /// Writes the reports of a run that could not begin: the command line is not understood, or a file that
  /// the options depend on cannot be used. Whoever calls says the same to people. Commands whose reports
  /// have no place for that write none.
  static func report(
    _ refusal: UsageProblem, to reporting: Reporting<Format>
  ) throws(UsageProblem)
}

extension CommandOptions {
  /// Nothing: these reports have no place for it.
  package static func report(
    _ refusal: UsageProblem, to reporting: Reporting<Format>
  ) throws(UsageProblem) {}
}

/// The formats of a command's reports, the default first.
package protocol ReportFormat: RawRepresentable<String>, CaseIterable, Sendable {}

/// The only format of commands that report in text.
package enum PlainFormat: String, ReportFormat { case pretty }

/// A command: its name, what it takes, and what it does.
package struct Command: Sendable {
  /// The name.
  package let name: String
  /// The operands as help shows them.
  package let operands: String
  /// How many operands there may be.
  package let operandCount: ClosedRange<Int>
  /// One line of help.
  package let summary: String
  /// Paragraphs for `help COMMAND`.
  package let details: String
  /// Its options, the common ones last.
  package let options: [any OptionRow]
  /// The options that help and completions name.
  package var listedOptions: [any OptionRow] { options.filter { $0.isListed } }
  /// The report formats, the default first.
  let formats: [String]
  /// Whether an operand may begin with one dash, as `-1` does.
  let takesNegatives: Bool
  /// Runs it.
  let run: @Sendable (Invocation) throws(UsageProblem) -> ExitStatus
  /// Writes the reports that say why it cannot be run, as far as what is understood asks for any.
  let refuse: @Sendable (UsageProblem, Invocation) -> Void

  /// A command that runs with options of its own type, which has the table of them.
  package init<Options: CommandOptions>(
    name: String, operands: String, operandCount: ClosedRange<Int>, summary: String,
    details: String, takesNegatives: Bool = false,
    run: @escaping @Sendable (Options) throws(UsageProblem) -> ExitStatus
  ) {
    self.name = name
    self.operands = operands
    self.operandCount = operandCount
    self.summary = summary
    self.details = details
    self.takesNegatives = takesNegatives
    formats = Options.Format.allCases.map(\.rawValue)
    let common: [any OptionRow] = [
      CommonOptions.format(formats), CommonOptions.output, CommonOptions.color,
      CommonOptions.quiet, CommonOptions.help,
    ]
    options = Options.table + common
    // What cannot be written is nothing new: the code is that of what could not be run.
    let refuse: @Sendable (UsageProblem, Invocation) -> Void = { problem, invocation in
      guard let reporting = try? Reporting<Options.Format>(invocation) else { return }
      try? Options.report(
        problem, to: problem.file == nil ? reporting.sparingFiles : reporting)
    }
    self.refuse = refuse
    self.run = { invocation throws(UsageProblem) in
      let options: Options
      do throws(UsageProblem) {
        options = try Options(invocation)
      } catch {
        refuse(error, invocation)
        throw error
      }
      return try run(options)
    }
  }
}
