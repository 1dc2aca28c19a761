package import RulesLang
package import RulesProof
package import RulesReport

/// What `check` found in each file.
package struct CheckReport: Sendable {
  /// One file.
  package struct File: Sendable {
    /// The path, as the user typed it.
    package var path: String
    /// The text.
    package var source: SourceText
    /// Whether the rules can be evaluated.
    package var compiles: Bool
    /// What there is to say, sorted by place.
    package var diagnostics: [Diagnostic]
    /// Findings that a comment or a level silences, sorted by place.
    package var silenced: [Diagnostic] = []
    /// The databases that the rules are deployed to; never none.
    package var databases = [DatabaseName.standard]
    /// True if what they decide can depend on which one it is.
    package var dependsOnDatabase = false
    /// How much was asked about what decides nothing; nil if nothing was.
    package var deep: DeepCounts?
    /// What was taken out, by place.
    package var removed: [Removed] = []

    /// What there is to say about a file.
    package init(path: String, source: SourceText, compiles: Bool, diagnostics: [Diagnostic]) {
      self.path = path
      self.source = source
      self.compiles = compiles
      self.diagnostics = diagnostics
    }
  }

  /// How much was asked about what decides nothing.
  package struct DeepCounts: Sendable {
    /// How many questions were asked.
    package var questions: Int
    /// How many of them were left open.
    package var open: Int

    /// So many questions, and so many of them open.
    package init(questions: Int, open: Int) {
      self.questions = questions
      self.open = open
    }
  }

  /// Something that was taken out of a file.
  package struct Removed: Sendable {
    /// Why.
    package var code: Code
    /// What is proved of it.
    package var message: String
    /// Where it stood before.
    package var place: SourceText.Position
    /// The same as an offset in bytes.
    package var offset: UInt32
    /// The text that it was found in.
    package var text: String

    /// What was taken out of a text, with what was said of it.
    package init(_ part: RedundancyRepair.Part, in source: SourceText, saying said: Diagnostic) {
      code = said.code
      message = said.message
      place = source.position(of: part.range.start)
      offset = part.range.start
      text = source.string(part.range)
    }
  }

  /// The files, in the order in which they were named.
  package var files: [File]
  /// Why something could not be looked at, in order.
  package var refusals: [Annotation]
  /// Rules that are skipped, or that the project does not deploy.
  package var notices: [ProjectNotice] = []
  /// Comments and settings that silence findings, and did not at the revision of `--base`.
  package var silences: [NewSilence] = []

  /// What was found in some files, and what could not be looked at.
  package init(files: [File], refusals: [Annotation] = []) {
    self.files = files
    self.refusals = refusals
  }

  /// Returns the number of findings of a severity.
  func count(_ severity: Diagnostic.Severity) -> Int { severities.count { $0 == severity } }

  /// Number of silenced findings.
  package var silencedCount: Int { files.reduce(0) { $0 + $1.silenced.count } }

  /// Silenced findings by severity with their places, the worst first: "1 error silenced, firestore.rules:6".
  var silencedParts: [String] {
    [Diagnostic.Severity.error, .warning, .info].compactMap { severity in
      let places = files.flatMap { $0.silenced.places(severity, of: $0.path, $0.source) }
      return severity.silencedPart(at: places)
    }
  }

  /// The severities of all that is told.
  package var severities: [Diagnostic.Severity] {
    files.flatMap { $0.diagnostics.map { $0.severity } } + notices.map { $0.severity }
      + silences.map { _ in .warning }
  }

  /// How much was found, in one line.
  package var summary: String {
    var parts = [files.count.of("file")]
    parts.append(Self.count(count(.error), of: "error"))
    parts.append(Self.count(count(.warning), of: "warning"))
    if !refusals.isEmpty { parts.append("\(refusals.count) could not be used") }
    if count(.info) > 0 { parts.append(Self.count(count(.info), of: "remark")) }
    let removed = files.reduce(0) { $0 + $1.removed.count }
    if removed > 0 { parts.append("\(removed) removed, proved to change no decision") }
    let deep = files.compactMap { $0.deep }
    if !deep.isEmpty {
      parts.append(Self.count(deep.reduce(0) { $0 + $1.questions }, of: "question"))
      parts.append("\(deep.reduce(0) { $0 + $1.open }) open")
    }
    return ([parts.joined(separator: ", ")] + silencedParts).joined(separator: "; ")
  }

  private static func count(_ number: Int, of noun: String) -> String {
    number.of(noun)
  }
}

extension [Diagnostic] {
  /// Returns the silenced findings of one file with their places, a part for each severity.
  func parts(of path: String, _ source: SourceText) -> [String] {
    [Diagnostic.Severity.error, .warning, .info].compactMap {
      $0.silencedPart(at: places($0, of: path, source))
    }
  }

  /// The places of the findings that have a severity.
  fileprivate func places(
    _ severity: Diagnostic.Severity, of path: String, _ source: SourceText
  ) -> [String] {
    filter { $0.severity == severity }.map { finding in
      finding.range.map { "\(path):\(source.line(of: $0.start))" } ?? path
    }
  }
}

extension Diagnostic.Severity {
  /// Returns the number of silenced findings with their places; nil if there are none.
  fileprivate func silencedPart(at places: [String]) -> String? {
    if places.isEmpty { return nil }
    let noun = self == .info ? "remark" : word
    return "\(places.count.of(noun)) silenced, \(places.joined(separator: ", "))"
  }
}
