import RulesEval
import RulesHost
import RulesLang
import RulesProof

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
    /// How much was asked about what decides nothing; nil if nothing was.
    var deep: DeepCounts?
    /// What was taken out, by place.
    var removed: [Removed] = []
  }

  /// How many questions were asked, and how many of them were left open.
  struct DeepCounts {
    var questions: Int
    var open: Int
  }

  /// Something that was taken out of a file.
  struct Removed {
    /// Why.
    var code: Code
    /// What is proved of it.
    var message: String
    /// Where it stood before.
    var place: SourceText.Position
    /// The same as an offset in bytes.
    var offset: UInt32
    /// The text that it was found in.
    var text: String

    /// What was taken out of a text, with what was said of it.
    init(_ part: IdleRepair.Part, in source: SourceText, _ said: Diagnostic) {
      code = said.code
      message = said.message
      place = source.position(of: part.range.start)
      offset = part.range.start
      text = source.string(part.range)
    }
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
    let renderer = TextRenderer { terminal.paint($0, as: $1) }
    var text = ""
    for file in files {
      if !isQuiet { text += removals(file, terminal) }
      for diagnostic in file.diagnostics where !isQuiet || diagnostic.severity == .error {
        text += renderer.render(diagnostic, in: file.source) + "\n"
      }
    }
    return isQuiet && count(.error) == 0 ? text : text + summary + "\n"
  }

  private func removals(_ file: File, _ terminal: Terminal) -> String {
    var text = ""
    for part in file.removed {
      let place = "\(Printable.text(file.path)):\(part.place.line):\(part.place.column): "
      let words = part.text.split { $0.isWhitespace }.joined(separator: " ")
      text += place + terminal.paint("removed[\(part.code.name)]", as: .good) + ": "
      text += Printable.text(words) + "\n"
      text += "   = note: \(Printable.text(part.message))\n\n"
    }
    return text
  }

  /// How much was found, in one line.
  var summary: String {
    var parts = [files.count == 1 ? "1 file" : "\(files.count) files"]
    parts.append(Self.count(count(.error), "error"))
    parts.append(Self.count(count(.warning), "warning"))
    if count(.info) > 0 { parts.append(Self.count(count(.info), "remark")) }
    let removed = files.reduce(0) { $0 + $1.removed.count }
    if removed > 0 { parts.append("\(removed) removed, proved to change no decision") }
    let deep = files.compactMap(\.deep)
    if !deep.isEmpty {
      parts.append(Self.count(deep.reduce(0) { $0 + $1.questions }, "question"))
      parts.append("\(deep.reduce(0) { $0 + $1.open }) open")
    }
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
    var members: [(String, JSONText)] = [
      ("rules", .string(file.path)), ("compiles", .bool(file.compiles)),
      ("diagnostics", .array(file.diagnostics.map { json($0, file.source) })),
    ]
    if let deep = file.deep {
      members.append(
        ("deep", .object([("questions", .int(deep.questions)), ("open", .int(deep.open))])))
    }
    if !file.removed.isEmpty { members.append(("removed", .array(file.removed.map(json)))) }
    return .object(members)
  }

  private static func json(_ removed: Removed) -> JSONText {
    .object([
      ("code", .string(removed.code.name)), ("message", .string(removed.message)),
      ("line", .int(removed.place.line)), ("column", .int(removed.place.column)),
      ("text", .string(removed.text)),
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
    if !diagnostic.related.isEmpty {
      members.append(("related", .array(diagnostic.related.map { json($0, source) })))
    }
    return .object(members)
  }

  private static func json(_ label: Diagnostic.Label, _ source: SourceText) -> JSONText {
    let place = source.position(of: label.range.start)
    let offset = source.characterOffset(of: label.range.start)
    let end = source.characterOffset(of: label.range.end)
    return .object([
      ("message", .string(label.text)), ("line", .int(place.line)), ("column", .int(place.column)),
      ("offset", .int(offset)), ("endOffset", .int(max(offset, end - 1))),
    ])
  }
}
