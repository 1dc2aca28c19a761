import RulesEval
package import RulesLang

/// A message about a place in a file, for reports that other programs read: a diagnostic, a failed test, a
/// violated claim.
package struct Annotation: Sendable {
  /// A range by lines and columns, the end not included.
  package struct Place: Sendable {
    /// The line, from 1.
    package var line: Int
    /// The column, from 1, in code points.
    package var column: Int
    /// The line of the end.
    package var endLine: Int
    /// The column just past the last character.
    package var endColumn: Int

    /// Creates a place.
    package init(line: Int, column: Int, endLine: Int, endColumn: Int) {
      self.line = line
      self.column = column
      self.endLine = endLine
      self.endColumn = endColumn
    }
  }

  /// A related place with a message.
  package struct Related: Sendable {
    /// The file, as the user named it.
    package var file: String
    /// The place in the file.
    package var place: Place
    /// The message.
    package var message: String

    /// Creates a further place.
    package init(file: String, place: Place, message: String) {
      self.file = file
      self.place = place
      self.message = message
    }
  }

  /// The file, as the user named it.
  package var file: String
  /// The place in the file; nil for a message about the whole file.
  package var place: Place?
  /// The severity.
  package var severity: Diagnostic.Severity
  /// The stable name of its kind.
  package var code: String
  /// The message, in one line.
  package var message: String
  /// Consequences and advice, a sentence each.
  package var remarks: [String] = []
  /// The advice, which is also one of `remarks`.
  package var help: String?
  /// The texts that identify its subject, whatever its message and wherever its line is: a source line and
  /// the marked part of it, or the name of a test or claim.
  package var subject: [String] = []
  /// Related places.
  package var related: [Related] = []

  /// Creates an annotation.
  package init(
    file: String, place: Place? = nil, severity: Diagnostic.Severity, code: String, message: String,
    remarks: [String] = [], help: String? = nil, subject: [String] = [], related: [Related] = []
  ) {
    self.file = file
    self.place = place
    self.severity = severity
    self.code = code
    self.message = message
    self.remarks = remarks
    self.help = help
    self.subject = subject
    self.related = related
  }
}

extension Annotation {
  /// Creates an annotation about a whole file: an error that keeps it from being used.
  package init(about file: String, message: String, code: Code) {
    self.init(file: file, severity: .error, code: code.name, message: message)
  }

  /// Creates an annotation of a diagnostic.
  package init(_ diagnostic: Diagnostic, in source: SourceText) {
    self.init(
      file: source.name, place: diagnostic.range.map { Place($0, in: source) },
      severity: diagnostic.severity, code: diagnostic.code.name, message: diagnostic.message)
    related = diagnostic.related.map { label in
      Related(file: source.name, place: Place(label.range, in: source), message: label.text)
    }
    remarks = diagnostic.related.filter { $0.isPictured }.map {
      "line \(source.line(of: $0.range.start)): \($0.text)"
    }
    remarks += diagnostic.notes
    help = diagnostic.help
    if let help { remarks.append("help: " + help) }
    if let place { subject = place.subject(in: source) }
  }

  /// Returns a text that depends on code, file and subject, not on message or line numbers. `ordinal`
  /// distinguishes annotations that agree in all three.
  func fingerprint(ordinal: Int) -> String {
    let words = subject.map { text in
      text.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
    }
    let parts = [code, file] + words + ["\(ordinal)"]
    let hash = SHA256.hash(Array(parts.joined(separator: "\u{0}").utf8))
    return String(Base16.text(of: Array(hash.prefix(16)))).lowercased()
  }
}

extension Annotation.Place {
  /// Creates the place of a range in a source text.
  package init(_ range: SourceRange, in source: SourceText) {
    let start = source.position(of: range.start)
    let end = source.position(of: range.end)
    self.init(
      line: start.line, column: start.column, endLine: end.line, endColumn: end.column)
  }

  /// Returns the texts that identify the place when lines move: its first line, and the marked part of that.
  package func subject(in source: SourceText) -> [String] {
    let text = source.string(source.lineRange(line))
    let end = endLine == line ? endColumn - 1 : Int.max
    let marked = text.unicodeScalars.prefix(end).dropFirst(column - 1)
    return [text, String(String.UnicodeScalarView(marked))]
  }
}

extension [Annotation] {
  /// A unique fingerprint for each annotation, in order.
  var fingerprints: [String] {
    var seen: [String: Int] = [:]
    return map { annotation in
      let first = annotation.fingerprint(ordinal: 0)
      let ordinal = seen[first, default: 0]
      seen[first] = ordinal + 1
      return annotation.fingerprint(ordinal: ordinal)
    }
  }

  /// The annotations sorted by severity, the worst first; the order of equal ones is kept.
  var worstFirst: [Annotation] {
    enumerated().sorted {
      if $0.element.severity != $1.element.severity {
        return $0.element.severity > $1.element.severity
      }
      return $0.offset < $1.offset
    }.map { $0.element }
  }
}
