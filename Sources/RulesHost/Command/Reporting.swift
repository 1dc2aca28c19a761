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

  /// The reports that were asked for, in order; never none, but where files are spared.
  package private(set) var destinations: [Destination]
  /// The terminal, with colour or without.
  package let terminal: Terminal
  /// Whether only what is wrong is to be printed.
  package let isQuiet: Bool
  /// The colours of the reports: those of the terminal, and of a file those that are asked for.
  package let palette: Palette

  /// Reports as a command line asks for them: each `--output` belongs to the `--format` before it.
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

  /// The same without the files that are there already: while a command line is not understood, nobody knows
  /// whether they are reports.
  package var sparingFiles: Reporting {
    var copy = self
    copy.destinations.removeAll { destination in
      destination.file.map { FileSystem.kind(of: $0) != .missing && !FileSystem.isStream($0) }
        ?? false
    }
    return copy
  }

  /// Whether a report is asked for in one of some formats.
  package func isAsked(for wanted: (Format) -> Bool) -> Bool {
    destinations.contains { wanted($0.format) }
  }

  /// Writes each report that was asked for to where it belongs; nothing where there is none to write.
  package func emit(_ render: (Format) -> String?) throws(UsageProblem) {
    try each { destination throws(UsageProblem) in
      guard let text = render(destination.format) else { return }
      try write(destination) { $0.write(text) }
    }
  }

  /// The same for reports that are written piece by piece; of some formats there may be none to write.
  package func emit(
    where isWritten: (Format) -> Bool, _ write: (Format, inout ReportWriter) -> Void
  ) throws(UsageProblem) {
    try each { destination throws(UsageProblem) in
      guard isWritten(destination.format) else { return }
      try self.write(destination) { write(destination.format, &$0) }
    }
  }

  /// One report that cannot be written keeps none of the others from being written. Throws why the first
  /// one was not.
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
      var writer = try ReportWriter(
        destination.file, isCommands: destination.format.rawValue == "github")
      body(&writer)
      try writer.finish()
    } catch {
      throw UsageProblem(error)
    }
  }
}
