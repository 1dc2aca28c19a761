import RulesEval
import RulesHost
import RulesLang
import RulesReport

/// `rules-check fmt`: rules files in one style.
enum FormatCommand {
  /// The command.
  static let command = Command(
    name: "fmt", operands: "[FILE…|-]", operandCount: 0...Int.max,
    summary: "lay out rules files in one style",
    details: """
      Rewrites rules files in one style; a folder is searched for *.rules, and - reads standard
      input and writes to standard output. Without a file: those of the nearest .rulescheck.json
      or firebase.json.

      Only blanks and line ends change. Tokens and comments stay as they are and in their order,
      which is checked before a file is written: what the rules mean, and whether they compile,
      cannot change. These comments leave what is between them alone:
        // rules-check: fmt off
        // rules-check: fmt on

      --check writes nothing, shows what would change as a diff, and exits 1 if there is anything.
      Exits 2 if a file cannot be read or written.
      """,
    run: FormatCommand.run)

  private static func run(_ options: FormatOptions) throws(UsageProblem) -> ExitStatus {
    var report = FormatReport(isCheck: options.isCheck)
    var status = ExitStatus.success
    let files = try RulesSearch.files(options.paths, of: Configuration.find())
    for path in files {
      do throws(FileProblem) {
        let source = try FileSystem.read(path)
        guard let file = layOut(path, source, options, &status) else { continue }
        report.files.append(file)
        if !options.isCheck, path != "-", file.isChanged {
          try FileSystem.replace(path, with: file.after)
        }
      } catch {
        Complaints(options.reporting.terminal).print(error.message)
        status = status.and(.unusable)
      }
    }
    if !options.isCheck, files == ["-"] {
      try write(report, options)
    } else {
      try print(report, options)
    }
    return options.isCheck && report.changed > 0 ? status.and(.failure) : status
  }

  /// A file before and after; nil, after a complaint, if it is to stay as it is.
  private static func layOut(
    _ path: String, _ bytes: [UInt8], _ options: FormatOptions, _ status: inout ExitStatus
  ) -> FormatReport.File? {
    let complaints = Complaints(options.reporting.terminal)
    let source = SourceText(name: path, bytes: bytes)
    let foreign = Checker.checkFirestore(source).diagnostics.filter { $0.code == .foreignService }
    guard foreign.isEmpty else {
      complaints.print(foreign, in: source)
      status = status.and(.unusable)
      return nil
    }
    switch RulesFormatter.format(source) {
    case .formatted(let text):
      return FormatReport.File(path: path, before: bytes, after: text)
    case .notUTF8(let place):
      complaints.print("\(path): is no UTF-8 from byte \(place) on; it is left as it is")
      status = status.and(.unusable)
    case .defect:
      complaints.print(
        "\(path): its tokens would not stay the same, so it is left as it is; "
          + "this is a defect of rules-check, please report it with the file")
      status = status.and(.defect)
    }
    return nil
  }

  /// Writes the text that came from standard input.
  private static func write(
    _ report: FormatReport, _ options: FormatOptions
  ) throws(UsageProblem) {
    guard let text = report.files.first?.after else { return }
    do throws(FileProblem) {
      for destination in options.reporting.destinations {
        try ReportOutput(destination.file).write(text)
      }
    } catch {
      throw UsageProblem(error)
    }
  }

  private static func print(
    _ report: FormatReport, _ options: FormatOptions
  ) throws(UsageProblem) {
    try options.reporting.emit { format in
      switch format {
      case .json: report.json.pretty
      case .pretty:
        FormatText(options.reporting.palette, isQuiet: options.reporting.isQuiet).render(report)
      }
    }
  }
}
