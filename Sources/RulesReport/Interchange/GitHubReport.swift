import RulesLang

/// Annotations as GitHub Actions reads them off a step's output: they show on the lines of a pull
/// request. What is beyond GitHub's cap goes into the step's summary.
package struct GitHubReport {
  /// How many annotations of one step GitHub shows; the rest would be dropped without a word.
  static let cap = 10

  private let shown: [Annotation]
  private let rest: [Annotation]

  /// Sorts the worst remarks to the front.
  package init(_ annotations: [Annotation]) {
    let sorted = annotations.worstFirst
    shown = Array(sorted.prefix(Self.cap))
    rest = Array(sorted.dropFirst(Self.cap))
  }

  /// The workflow commands, one a line.
  package var text: String {
    var text = shown.reduce("") { $0 + Self.command($1) + "\n" }
    if !rest.isEmpty {
      let noun = rest.count.of("more remark")
      text += "\(noun) beyond GitHub's cap of \(Self.cap) annotations: see the step summary\n"
    }
    return text
  }

  /// What the step's summary says, in Markdown: every remark that is not an annotation; nil if all
  /// are.
  package var summary: String? {
    guard !rest.isEmpty else { return nil }
    var text = "### rules-check: beyond the first \(Self.cap) annotations\n\n"
    text += "| where | severity | code | message |\n|---|---|---|---|\n"
    for annotation in rest {
      let location = annotation.file + (annotation.place.map { ":\($0.line):\($0.column)" } ?? "")
      let cells = [
        Markdown.text(location), annotation.severity.word, "`\(annotation.code)`",
        Markdown.sentence(annotation.message, isInTable: true),
      ]
      text += "| " + cells.joined(separator: " | ") + " |\n"
    }
    return text
  }

  private static func command(_ annotation: Annotation) -> String {
    let word =
      switch annotation.severity {
      case .error: "error"
      case .warning: "warning"
      case .info: "notice"
      }
    var properties = annotation.file.isEmpty ? [] : [("file", annotation.file)]
    if let place = annotation.place {
      properties += [
        ("line", "\(place.line)"), ("col", "\(place.column)"), ("endLine", "\(place.endLine)"),
      ]
      // GitHub refuses columns that end before they begin, which a range over lines may do.
      if place.endLine == place.line { properties.append(("endColumn", "\(place.endColumn)")) }
    }
    properties.append(("title", annotation.code))
    let list = properties.map { "\($0.0)=\(escaped($0.1, isProperty: true))" }
    let body = ([annotation.message] + annotation.remarks).joined(separator: "\n")
    return "::\(word) " + list.joined(separator: ",") + "::" + escaped(body, isProperty: false)
  }

  /// The characters that would end the command or one of its properties, as GitHub writes them, and
  /// nothing that could drive the terminal of who reads the log.
  private static func escaped(_ text: String, isProperty: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where isProperty: result += "%3A"
      case "," where isProperty: result += "%2C"
      default: result += Printable.text(String(scalar))
      }
    }
    return result
  }
}
