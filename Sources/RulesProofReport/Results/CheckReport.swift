package import RulesLang
package import RulesProof
package import RulesReport

/// The results of `check` for each file.
package struct CheckReport: Sendable {
  /// One file.
  package struct File: Sendable {
    /// The path, as the user typed it.
    package var path: String
    /// The text.
    package var source: SourceText
    /// True if the rules compile.
    package var compiles: Bool
    /// The diagnostics to report, sorted by place.
    package var diagnostics: [Diagnostic]
    /// Findings that a comment or a level silences, sorted by place.
    package var silenced: [Diagnostic] = []
    /// The databases that the rules are deployed to; at least one.
    package var databases = [DatabaseName.standard]
    /// True if decisions may depend on the name of the database.
    package var dependsOnDatabase = false
    /// Counts of the questions about redundant parts; nil if none were asked.
    package var deep: DeepCounts?
    /// The parts that were removed, by place.
    package var removed: [Removed] = []

    /// Creates the result of a file.
    package init(path: String, source: SourceText, compiles: Bool, diagnostics: [Diagnostic]) {
      self.path = path
      self.source = source
      self.compiles = compiles
      self.diagnostics = diagnostics
    }
  }

  /// Counts of the questions about parts that decide nothing.
  package struct DeepCounts: Sendable {
    /// The number of questions.
    package var questions: Int
    /// The number of questions that could not be decided.
    package var open: Int

    /// Creates counts.
    package init(questions: Int, open: Int) {
      self.questions = questions
      self.open = open
    }
  }

  /// A part that was removed from a file.
  package struct Removed: Sendable {
    /// The code of its finding.
    package var code: Code
    /// The proved statement about it.
    package var message: String
    /// The position before the removal.
    package var place: SourceText.Position
    /// The offset of that position, in bytes.
    package var offset: UInt32
    /// The name of the text.
    package var text: String

    /// Creates the record of a part that was removed because of a diagnostic.
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
  /// Errors of files that could not be checked, in order.
  package var refusals: [Annotation]
  /// Notices about rules that are skipped, or that the project does not deploy.
  package var notices: [ProjectNotice] = []
  /// Comments and settings that silence findings and did not at the revision of `--base`.
  package var silences: [NewSilence] = []

  /// Creates the report of some files, with the errors of others.
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

  /// The severities of all reported findings.
  package var severities: [Diagnostic.Severity] {
    files.flatMap { $0.diagnostics.map { $0.severity } } + notices.map { $0.severity }
      + silences.map { _ in .warning }
  }

  /// The number of findings, in one line.
  package var summary: String {
    var parts = [files.count.of("file")]
    parts.append(Self.count(count(.error), of: "error"))
    parts.append(Self.count(count(.warning), of: "warning"))
    if !refusals.isEmpty { parts.append("\(refusals.count) could not be used") }
    if count(.info) > 0 { parts.append("\(count(.info)) info") }
    let removed = files.reduce(0) { $0 + $1.removed.count }
    if removed > 0 { parts.append("\(removed) removed, proved to change no decision") }
    let deep = files.compactMap { $0.deep }
    if !deep.isEmpty {
      parts.append(Self.count(deep.reduce(0) { $0 + $1.questions }, of: "deep check"))
      parts.append("\(deep.reduce(0) { $0 + $1.open }) undecided")
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

  /// Returns the places of the findings with a severity.
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
    let count = self == .info ? "\(places.count) info" : places.count.of(word)
    return "\(count) silenced, \(places.joined(separator: ", "))"
  }
}
