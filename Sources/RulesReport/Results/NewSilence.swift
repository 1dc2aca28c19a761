package import RulesLang
package import RulesStyle

/// Something that silences findings and did not at an older revision: an `ignore` comment, or a setting of
/// `.rulescheck.json`.
package struct NewSilence: Sendable {
  /// The file that it stands in.
  package var file: String
  /// The place in the file; nil for a setting.
  package var place: Annotation.Place?
  /// One line that says how findings are quieter than before.
  package var message: String

  /// The stable name of its kind.
  static let code = "new-ignore"

  /// A setting of a file.
  package init(in file: String, saying message: String) {
    self.file = file
    self.message = message
  }

  /// An `ignore` comment of a text, which was not in the text of the older revision.
  package init(_ comment: IgnoreComment, in source: SourceText, since revision: String) {
    file = source.name
    place = Annotation.Place(comment.range, in: source)
    message =
      "line \(comment.line) is silenced for `\(comment.code)`, which it was not at `\(revision)`"
  }

  /// The silence as a remark about its place.
  package var annotation: Annotation {
    Annotation(
      file: file, place: place, severity: .warning, code: Self.code, message: message,
      remarks: ["help: rules-check check --no-ignore shows what is silenced"],
      help: "rules-check check --no-ignore shows what is silenced")
  }

  /// Returns the silence with its file called what a function says.
  package func naming(_ name: (String) -> String) -> NewSilence {
    var silence = self
    silence.file = name(file)
    return silence
  }
}
