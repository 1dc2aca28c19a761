import RulesLang

/// Annotations as workflow commands of GitHub Actions: they show on the lines of a pull request. Those beyond
/// GitHub's maximum go into the step's summary.
package struct GitHubReport {
  /// Maximum annotations of one step that GitHub shows; it drops the rest silently.
  static let cap = 10

  private let shown: [Annotation]
  private let rest: [Annotation]

  /// Creates a report of annotations, sorted by severity.
  package init(_ annotations: [Annotation]) {
    let sorted = annotations.worstFirst
    shown = Array(sorted.prefix(Self.cap))
    rest = Array(sorted.dropFirst(Self.cap))
  }

  /// The workflow commands, one a line.
  package var text: String {
    var text = shown.reduce("") { $0 + Self.command($1) + "\n" }
    if !rest.isEmpty {
      let noun = rest.count.of("more annotation")
      text += "\(noun) beyond GitHub's cap of \(Self.cap): see the step summary\n"
    }
    return text
  }

  /// The step's summary in Markdown, with every annotation beyond the maximum; nil if there is none.
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

  /// Escapes the characters that would end the command or one of its properties, as GitHub does, and control
  /// characters, which could control the terminal of a reader of the log.
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
