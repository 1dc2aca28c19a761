package import RulesLang

/// The reporting of a command: formats, files and colours.
package struct Reporting<Format: ReportFormat>: Sendable {
  /// The destination of one report.
  package struct Destination: Sendable {
    /// The format.
    package var format: Format
    /// The file; nil for standard output.
    package var file: String?
  }

  /// The requested reports, in order; never empty, except in `sparingFiles`.
  package private(set) var destinations: [Destination]
  /// The terminal, with or without colours.
  package let terminal: Terminal
  /// True if only what is wrong is printed.
  package let isQuiet: Bool
  /// The colours of reports: the terminal's for a report to the terminal, otherwise those that were
  /// requested.
  package let palette: Palette

  /// Creates the reporting that a command line requests; each `--output` belongs to the `--format` before it.
  package init(_ invocation: Invocation) throws(UsageProblem) {
    let asked = try invocation.destinations.compactMap { destination in
      Format(rawValue: destination.format).map {
        Destination(format: $0, file: destination.file == "-" ? nil : destination.file)
      }
    }
    destinations = asked
    let color = try invocation[CommonOptions.color] ?? .auto
    terminal = Terminal(color: color)
    let isForTerminal = asked.contains { $0.format.rawValue == "pretty" && $0.file == nil }
    palette = isForTerminal || color != .auto ? terminal.palette : .plain
    isQuiet = invocation.has(CommonOptions.quiet)
  }

  /// The reporting without files that exist already: while the command line is invalid, they may not be
  /// reports.
  package var sparingFiles: Reporting {
    var copy = self
    copy.destinations.removeAll { destination in
      destination.file.map { FileSystem.kind(of: $0) != .missing && !FileSystem.isStream($0) }
        ?? false
    }
    return copy
  }

  /// True if a report in a wanted format is requested.
  package func isAsked(for wanted: (Format) -> Bool) -> Bool {
    destinations.contains { wanted($0.format) }
  }

  /// Writes each requested report to its destination; nil skips one.
  package func emit(_ render: (Format) -> String?) throws(UsageProblem) {
    try each { destination throws(UsageProblem) in
      guard let text = render(destination.format) else { return }
      try write(destination) { $0.write(text) }
    }
  }

  /// Writes each requested report piece by piece to its destination, if its format is written.
  package func emit(
    where isWritten: (Format) -> Bool, _ write: (Format, inout ReportWriter) -> Void
  ) throws(UsageProblem) {
    try each { destination throws(UsageProblem) in
      guard isWritten(destination.format) else { return }
      try self.write(destination) { write(destination.format, &$0) }
    }
  }

  /// Writes each report, even if another one fails, and throws the first problem.
  private func each(
    _ body: (Destination) throws(UsageProblem) -> Void
  ) throws(UsageProblem) {
    var problem: UsageProblem?
    for destination in destinations {
      do throws(UsageProblem) {
        try body(destination)
      } catch {
        problem = problem ?? error
      }
    }
    if let problem { throw problem }
  }

  private func write(
    _ destination: Destination, _ body: (inout ReportWriter) -> Void
  ) throws(UsageProblem) {
    do throws(FileProblem) {
      var writer = try ReportWriter(destination.file, format: destination.format.rawValue)
      body(&writer)
      try writer.finish()
    } catch {
      throw UsageProblem(error)
    }
  }
}
