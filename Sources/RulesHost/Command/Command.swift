/// The options and operands of a command as typed values, parsed from the command line in one place. The
/// command itself never sees the command line.
package protocol CommandOptions: SendableMetatype {
  /// The formats that the command reports in, the default first.
  associatedtype Format: ReportFormat = PlainFormat
  /// The options in the order of help, without the common ones. No others may be read.
  static var table: [any OptionRow] { get }
  /// The names of the common options that the command does not take, because they would have no effect.
  static var withoutCommon: [String] { get }
  /// Parses a command line.
  ///
  /// - Throws: `UsageProblem` about an invalid value.
  init(_ invocation: Invocation) throws(UsageProblem)
  /// Writes the reports of a run that could not start, because the command line is invalid or a file that the
  /// options name is unusable. The caller prints the problem for people. Commands whose reports have no place
  /// for it write none.
  static func report(
    _ refusal: UsageProblem, to reporting: Reporting<Format>
  ) throws(UsageProblem)
}

extension CommandOptions {
  /// Empty by default. A command with one format never takes `--format`.
  package static var withoutCommon: [String] { [] }

  /// Writes nothing: these reports have no place for the problem.
  package static func report(
    _ refusal: UsageProblem, to reporting: Reporting<Format>
  ) throws(UsageProblem) {}
}

/// The formats of a command's reports, the default first.
package protocol ReportFormat: RawRepresentable<String>, CaseIterable, Sendable {}

/// The only format of commands that report in text.
package enum PlainFormat: String, ReportFormat { case pretty }

/// A command: its name, its operands and options, and its action.
package struct Command: Sendable {
  /// The name.
  package let name: String
  /// The operands as help shows them.
  package let operands: String
  /// The allowed numbers of operands.
  package let operandCount: ClosedRange<Int>
  /// One line of help.
  package let summary: String
  /// Paragraphs for `help COMMAND`.
  package let details: String
  /// The options, the common ones last.
  package let options: [any OptionRow]
  /// The options that help and completions name.
  package var listedOptions: [any OptionRow] { options.filter { $0.isListed } }
  /// The report formats, the default first.
  let formats: [String]
  /// True if an operand may begin with one dash, as `-1` does.
  let takesNegatives: Bool
  /// Runs the command.
  let run: @Sendable (Invocation) throws(UsageProblem) -> ExitStatus
  /// Writes reports that say why the command cannot run, as far as the command line requests any.
  let refuse: @Sendable (UsageProblem, Invocation) -> Void

  /// Creates a command with options of its own type, which has their table.
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
    let common = CommonOptions.rows(formats)
    let refused =
      Options.withoutCommon + (formats.count == 1 ? [CommonOptions.format([]).name] : [])
    options = Options.table + common.filter { !refused.contains($0.name) }
    // If the reports cannot be written, the exit code is the same.
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
