import RulesEval
import RulesHost
import RulesLang

/// A comparison of both compilers on sources as they are, or damaged: acceptance, and diagnostics.
struct SourceCampaign {
  private let seed: UInt64
  private let findings: Findings

  /// Damages sources by a seed; reports and records through findings.
  init(seed: UInt64, _ findings: Findings) {
    self.seed = seed
    self.findings = findings
  }

  /// Compares `wanted` damaged sources.
  func run(
    _ wanted: Int, against referee: Referee
  ) throws(EmulatorClient.Problem) -> Tally {
    var tally = Tally("sources")
    for number in 0..<wanted {
      var dice = Dice(seed: seed, 4, UInt64(number))
      let source = SourceMaker.make(&dice)
      try compare(source, named: "source \(number)", against: referee, tally: &tally)
    }
    return tally
  }

  /// Compares files as they are.
  func run(_ files: [String], against referee: Referee) throws(EmulatorClient.Problem) -> Tally {
    var tally = Tally("files")
    for path in files {
      guard let bytes = try? FileSystem.read(path) else {
        throw EmulatorClient.Problem(message: "\(path) cannot be read")
      }
      try compare(
        String(decoding: bytes, as: UTF8.self), named: path, against: referee, tally: &tally)
    }
    return tally
  }

  private func compare(
    _ source: String, named name: String, against referee: Referee, tally: inout Tally
  ) throws(EmulatorClient.Problem) {
    tally.files += 1
    guard let comparison = try SourceComparison(source, against: referee) else {
      tally.unanswered += 1
      return
    }
    tally.compared += 1
    tally.denials += 1
    if comparison.isAccepted { tally.allowed += 1 }
    guard let difference = comparison.difference else { return }
    tally.add(difference.kind)
    try findings.add(comparison, difference: difference, named: name, referee: referee)
  }
}

/// The answers of both compilers to a source.
struct SourceComparison {
  /// The source.
  let source: String
  /// True if the emulator accepts it.
  let isAccepted: Bool
  /// The emulator's diagnostics: `error 3:5 text`.
  let theirs: [String]
  /// Our diagnostics, in the same form.
  let ours: [String]
  private let isOurs: Bool

  /// Compiles a source on both sides; nil if the emulator itself fails on it.
  init?(_ source: String, against referee: Referee) throws(EmulatorClient.Problem) {
    let compiled = try referee.compile(source)
    if compiled.hasFailed { return nil }
    let theirs =
      compiled.isAccepted
      ? compiled.issues.map {
        Self.line(
          $0.severity == "ERROR" ? "error" : "warning", at: $0.line, column: $0.column,
          text: $0.text)
      } : Self.lines(of: compiled.message)
    self.init(source, ours: referee.ours(source), isAccepted: compiled.isAccepted, theirs: theirs)
  }

  private init(_ source: String, ours side: OurSide, isAccepted: Bool, theirs: [String]) {
    self.source = source
    self.isAccepted = isAccepted
    self.theirs = theirs
    isOurs = side.checked != nil
    let text = SourceText(name: "trial.rules", source)
    ours = side.diagnostics.map { diagnostic in
      let place = diagnostic.range.map { text.position(of: $0.start) }
      return Self.line(
        diagnostic.severity.word, at: place?.line ?? 0, column: place?.column ?? 0,
        text: diagnostic.message)
    }
  }

  private static func line(_ severity: String, at line: Int, column: Int, text: String) -> String {
    "\(severity) \(line):\(column) \(text)"
  }

  /// Returns the lines of a refusal: `L3:5 text`, in which warnings and errors cannot be distinguished.
  private static func lines(of message: String) -> [String] {
    message.split(separator: "\n").dropFirst().map(String.init)
  }

  /// The difference: of acceptance, else of diagnostics; nil if there is none.
  ///
  /// For a source that does not compile only the first error counts: after it the parsers recover differently
  /// (Docs/Language.md §10).
  var difference: AnswerDifference? {
    guard isAccepted == isOurs else {
      return AnswerDifference(
        kind: .acceptance, span: nil, ours: ours.joined(separator: " | "),
        theirs: theirs.joined(separator: " | "))
    }
    if isAccepted ? Set(ours) == Set(theirs) : saysSameFirst { return nil }
    let (one, other) = (
      ours.filter { !theirs.contains($0) }, theirs.filter { !ours.contains($0) }
    )
    return AnswerDifference(
      kind: .message, span: nil, ours: (isAccepted ? one : ours).joined(separator: " | "),
      theirs: (isAccepted ? other : theirs).joined(separator: " | "))
  }

  private var saysSameFirst: Bool {
    guard let first = ours.first(where: { $0.hasPrefix("error ") }) else { return false }
    let words = first.dropFirst("error ".count)
    return theirs.contains { $0 == "L" + words || $0.hasSuffix(" " + words) }
  }
}

extension SourceComparison {
  /// The source with the emulator's answer, as JSON.
  var json: JSONText {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    return .object([
      ("about", .string(difference.map { "\($0.kind.rawValue) of a source" } ?? "a source")),
      ("source", .array(lines.map { .string(String($0)) })), ("compiles", .bool(isAccepted)),
      ("emulator", .array(theirs.map { .string($0) })),
    ])
  }

  /// Compares a recorded answer with our present one; nil if the file is not a source.
  init?(recorded json: JSON) {
    guard let lines = json.member("source")?.list, let compiles = json.member("compiles"),
      let theirs = json.member("emulator")?.list
    else { return nil }
    let source = lines.map { $0.plainText ?? "" }.joined(separator: "\n")
    self.init(
      source, ours: OurSide(source), isAccepted: compiles.isTrue,
      theirs: theirs.map { $0.plainText ?? "" })
  }
}
