import RulesLang

/// `rules-check check`: compile errors and warnings.
enum CheckCommand {
  static let command = Command(
    name: "check", operands: "RULES…", operandCount: 1...Int.max,
    summary: "compile errors and warnings",
    details: """
      Checks rules files; a folder is searched for *.rules. Says what Google's compiler would say,
      in its words. Exits 2 if a file does not compile.
      """,
    options: [
      Option(
        name: "--profile", value: "PROFILE", choices: Profile.allCases.map(\.rawValue),
        summary: "whose limits to apply: emulator, testapi or strict")
    ],
    formats: ["pretty", "json", "github", "sarif"],
    run: { invocation throws(UsageProblem) in try run(invocation) })

  private struct File {
    var path: String
    var outcome: Checker.Outcome
  }

  private static func run(_ invocation: Invocation) throws(UsageProblem) -> ExitStatus {
    var rules = RulesFiles(profile: invocation.profile)
    var files: [File] = []
    do throws(FileProblem) {
      for path in try paths(invocation.operands) {
        files.append(File(path: path, outcome: try rules.load(path)))
      }
    } catch {
      throw UsageProblem(error)
    }
    if files.isEmpty {
      throw UsageProblem("there is no rules file", help: "a folder needs *.rules")
    }
    try invocation.emit { format in
      switch format {
      case "json": json(files)
      case "github": GitHubReport(annotations(files)).text
      case "sarif": SARIFReport(annotations(files), rules: []).text
      default: pretty(files, invocation)
      }
    }
    if invocation.destinations.contains(where: { $0.format == "github" }) {
      do throws(FileProblem) {
        try GitHubReport(annotations(files)).writeSummary()
      } catch {
        throw UsageProblem(error)
      }
    }
    return files.contains { $0.outcome.checked == nil } ? .unusable : .success
  }

  private static func annotations(_ files: [File]) -> [Annotation] {
    files.flatMap { file in
      file.outcome.diagnostics.map { Annotation($0, in: file.outcome.ruleset.source) }
    }
  }

  private static func paths(_ operands: [String]) throws(FileProblem) -> [String] {
    var paths: [String] = []
    for operand in operands {
      if FileSystem.kind(of: operand) == .folder {
        paths += try FileSystem.files(below: operand, suffix: ".rules")
      } else {
        paths.append(operand)
      }
    }
    return paths
  }

  private static func pretty(_ files: [File], _ invocation: Invocation) -> String {
    let terminal = invocation.terminal
    let renderer = TextRenderer { terminal.paint($0, $1) }
    var text = ""
    var errors = 0
    var warnings = 0
    for file in files {
      for diagnostic in file.outcome.diagnostics {
        if diagnostic.severity == .error { errors += 1 } else { warnings += 1 }
        if invocation.isQuiet, diagnostic.severity != .error { continue }
        text += renderer.render(diagnostic, in: file.outcome.ruleset.source) + "\n"
      }
    }
    if invocation.isQuiet, errors == 0 { return text }
    let what = files.count == 1 ? "1 file" : "\(files.count) files"
    return text + "\(what), \(count(errors, "error")), \(count(warnings, "warning"))\n"
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private static func json(_ files: [File]) -> String {
    JSONText.object([
      ("schema", .string("rules-check.check/1")),
      ("files", .array(files.map { json($0) })),
    ]).pretty
  }

  private static func json(_ file: File) -> JSONText {
    let source = file.outcome.ruleset.source
    return .object([
      ("rules", .string(file.path)), ("compiles", .bool(file.outcome.checked != nil)),
      ("diagnostics", .array(file.outcome.diagnostics.map { json($0, source) })),
    ])
  }

  private static func json(_ diagnostic: Diagnostic, _ source: SourceText) -> JSONText {
    var members: [(String, JSONText)] = [
      ("severity", .string(diagnostic.severity.word)), ("kind", .string(diagnostic.origin.word)),
      ("code", .string(diagnostic.code.name)), ("message", .string(diagnostic.message)),
    ]
    // A remark about the whole file stands at its beginning.
    let range = diagnostic.range ?? .none
    let place = source.position(of: range.start)
    members.append(("line", .int(place.line)))
    members.append(("column", .int(place.column)))
    let offset = source.characterOffset(of: range.start)
    members.append(("offset", .int(offset)))
    // Like Google's positions: the offset of the last character, not the one past it.
    let end = source.characterOffset(of: range.end)
    members.append(("endOffset", .int(max(offset, end - 1))))
    if let help = diagnostic.help { members.append(("help", .string(help))) }
    if !diagnostic.notes.isEmpty {
      members.append(("notes", .array(diagnostic.notes.map { .string($0) })))
    }
    return .object(members)
  }
}
