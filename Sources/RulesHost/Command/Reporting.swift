package import RulesLang

/// How a command reports: in which formats, to where, and with which colours.
package struct Reporting<Format: ReportFormat>: Sendable {
  /// Where one report goes.
  package struct Destination: Sendable {
    /// The format.
    package var format: Format
    /// The file; nil for standard output.
    package var file: String?
  }

  /// The reports that were asked for, in order; never none.
  package let destinations: [Destination]
  /// The terminal, with colour or without.
  package let terminal: Terminal
  /// Whether only what is wrong is to be printed.
  package let isQuiet: Bool
  /// The colours of the reports.
  package var palette: Palette { terminal.palette }

  /// Reports as a command line asks for them: each `--output` belongs to the `--format` before it.
  package init(_ invocation: Invocation) throws(UsageProblem) {
    let asked = try invocation.destinations.compactMap { destination in
      Format(rawValue: destination.format).map { Destination(format: $0, file: destination.file) }
    }
    destinations = asked
    terminal = Terminal(color: try invocation[CommonOptions.color] ?? .auto)
    isQuiet = invocation.has(CommonOptions.quiet)
  }

  /// Whether a report is asked for in one of some formats.
  package func isAsked(for wanted: (Format) -> Bool) -> Bool {
    destinations.contains { wanted($0.format) }
  }

  /// Writes each report that was asked for to where it belongs; nothing where there is none to write.
  package func emit(_ render: (Format) -> String?) throws(UsageProblem) {
    for destination in destinations {
      guard let text = render(destination.format) else { continue }
      try write(destination.file) { $0.write(text) }
    }
  }

  /// The same for reports that are written piece by piece.
  package func emit(_ write: (Format, inout ReportWriter) -> Void) throws(UsageProblem) {
    for destination in destinations {
      try self.write(destination.file) { write(destination.format, &$0) }
    }
  }

  private func write(
    _ file: String?, _ body: (inout ReportWriter) -> Void
  ) throws(UsageProblem) {
    do throws(FileProblem) {
      var writer = try ReportWriter(file)
      body(&writer)
      try writer.finish()
    } catch {
      throw UsageProblem(error)
    }
  }
}
