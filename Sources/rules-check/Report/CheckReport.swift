import RulesLang

/// What `check` found in each file.
struct CheckReport {
  /// One file.
  struct File {
    /// The path, as the user typed it.
    var path: String
    /// The text.
    var source: SourceText
    /// Whether the rules can be evaluated.
    var compiles: Bool
    /// What there is to say, sorted by place.
    var diagnostics: [Diagnostic]
  }

  /// The files, in the order in which they were named.
  var files: [File]

  /// How many diagnostics have a severity.
  func count(_ severity: Diagnostic.Severity) -> Int {
    files.reduce(0) { $0 + $1.diagnostics.filter { $0.severity == severity }.count }
  }

  /// Everything found, for reports that other programs read.
  var annotations: [Annotation] {
    files.flatMap { file in file.diagnostics.map { Annotation($0, in: file.source) } }
  }

  /// What SARIF says about the kinds of findings.
  static let sarifRules: [SARIFReport.Rule] = Lints.all.map { lint in
    var severity = Diagnostic.Severity.warning
    if case .on(let level) = lint.level { severity = level }
    return SARIFReport.Rule(code: lint.code.name, summary: lint.summary, severity: severity)
  }

  // MARK: For people

  /// The diagnostics with their source lines, and a line that counts them; when quiet only errors.
  func pretty(_ terminal: Terminal, isQuiet: Bool) -> String {
    let renderer = TextRenderer { terminal.paint($0, $1) }
    var text = ""
    for file in files {
      for diagnostic in file.diagnostics where !isQuiet || diagnostic.severity == .error {
        text += renderer.render(diagnostic, in: file.source) + "\n"
      }
    }
    return isQuiet && count(.error) == 0 ? text : text + summary + "\n"
  }

  /// How much was found, in one line.
  var summary: String {
    var parts = [files.count == 1 ? "1 file" : "\(files.count) files"]
    parts.append(Self.count(count(.error), "error"))
    parts.append(Self.count(count(.warning), "warning"))
    if count(.info) > 0 { parts.append(Self.count(count(.info), "remark")) }
    return parts.joined(separator: ", ")
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  // MARK: JSON

  /// The report as `rules-check.check/1`.
  var json: String {
    JSONText.object([
      ("schema", .string("rules-check.check/1")),
      ("files", .array(files.map { Self.json($0) })),
    ]).pretty
  }

  private static func json(_ file: File) -> JSONText {
    .object([
      ("rules", .string(file.path)), ("compiles", .bool(file.compiles)),
      ("diagnostics", .array(file.diagnostics.map { json($0, file.source) })),
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
