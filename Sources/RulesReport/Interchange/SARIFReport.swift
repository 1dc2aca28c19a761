import RulesEval
package import RulesLang

/// Annotations in the static-analysis interchange format SARIF 2.1.0.
package struct SARIFReport {
  /// A kind of annotation, as an entry of the report's table of rules.
  package struct Rule: Sendable {
    /// The stable name.
    package var code: String
    /// The summary, one sentence.
    package var summary: String
    /// The default severity.
    package var severity: Diagnostic.Severity

    /// Creates a rule.
    package init(code: String, summary: String, severity: Diagnostic.Severity) {
      self.code = code
      self.summary = summary
      self.severity = severity
    }
  }

  private let annotations: [Annotation]
  private let rules: [Rule]

  /// Creates a report of annotations; `known` are the rules for the table. Annotations of other kinds get
  /// rules of their own.
  package init(_ annotations: [Annotation], rules known: [Rule]) {
    self.annotations = annotations
    var rules: [Rule] = []
    for annotation in annotations where !rules.contains(where: { $0.code == annotation.code }) {
      rules.append(
        known.first { $0.code == annotation.code }
          ?? Rule(
            code: annotation.code, summary: annotation.code, severity: annotation.severity))
    }
    self.rules = rules
  }

  /// The text of the report.
  package var text: String {
    let driver = JSONText.object([
      ("name", .string("rules-check")), ("version", .string(Product.version)),
      ("rules", .array(rules.map { Self.json($0) })),
    ])
    return JSONText.object([
      ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
      ("version", .string("2.1.0")),
      (
        "runs",
        .array([
          .object([
            ("tool", .object([("driver", driver)])),
            (
              "originalUriBaseIds",
              .object([
                (
                  Self.base,
                  .object([
                    ("description", .object([("text", .string("The root of the repository."))]))
                  ])
                )
              ])
            ), ("columnKind", .string("unicodeCodePoints")), ("results", .array(results)),
          ])
        ])
      ),
    ]).pretty
  }

  private static func json(_ rule: Rule) -> JSONText {
    .object([
      ("id", .string(rule.code)),
      ("shortDescription", .object([("text", .string(rule.summary))])),
      ("defaultConfiguration", .object([("level", .string(level(rule.severity)))])),
    ])
  }

  private var results: [JSONText] {
    zip(annotations, annotations.fingerprints).map { result($0, fingerprint: $1) }
  }

  private func result(_ annotation: Annotation, fingerprint: String) -> JSONText {
    let text = ([annotation.message] + annotation.remarks).joined(separator: "\n")
    // A finding about the whole file is at its beginning: code scanning requires a line.
    let place = annotation.place ?? .init(line: 1, column: 1, endLine: 1, endColumn: 1)
    var members: [(String, JSONText)] = [
      ("ruleId", .string(annotation.code)),
      ("ruleIndex", .int(rules.firstIndex { $0.code == annotation.code } ?? -1)),
      ("level", .string(Self.level(annotation.severity))),
      ("message", .object([("text", .string(text))])),
    ]
    // A problem with the command line has no file.
    if !annotation.file.isEmpty {
      members.append(
        ("locations", .array([.object([Self.location(in: annotation.file, at: place)])])))
    }
    if !annotation.related.isEmpty {
      let related = annotation.related.map { other in
        JSONText.object([
          Self.location(in: other.file, at: other.place),
          ("message", .object([("text", .string(other.message))])),
        ])
      }
      members.append(("relatedLocations", .array(related)))
    }
    members.append(
      ("partialFingerprints", .object([("rulesCheck/v2", .string(fingerprint))])))
    return .object(members)
  }

  private static func location(
    in file: String, at place: Annotation.Place
  ) -> (String, JSONText) {
    let location: [(String, JSONText)] = [
      ("artifactLocation", .object(artifact(file))),
      (
        "region",
        .object([
          ("startLine", .int(place.line)), ("startColumn", .int(place.column)),
          ("endLine", .int(place.endLine)), ("endColumn", .int(place.endColumn)),
        ])
      ),
    ]
    return ("physicalLocation", .object(location))
  }

  /// Returns the location of a file: its path relative to the root of the sources, or a URI if it is outside.
  private static func artifact(_ file: String) -> [(String, JSONText)] {
    if file.utf8.first == UInt8(ascii: "/") { return [("uri", .string("file://" + uri(file)))] }
    return [("uri", .string(uri(file))), ("uriBaseId", .string(base))]
  }

  /// The name of the root of the sources in code scanning.
  private static let base = "%SRCROOT%"

  private static func level(_ severity: Diagnostic.Severity) -> String {
    switch severity {
    case .error: "error"
    case .warning: "warning"
    case .info: "note"
    }
  }

  /// Returns a path as a relative URI reference; other characters are percent-encoded.
  private static func uri(_ path: String) -> String {
    var text = ""
    for byte in path.utf8 {
      let isPlain =
        (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
        || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "/-._~".utf8.contains(byte)
      if isPlain {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
      }
    }
    return text
  }
}
