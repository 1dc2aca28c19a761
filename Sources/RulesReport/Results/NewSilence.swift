package import RulesLang
package import RulesStyle

/// A new silence since an older revision: an `ignore` comment, or a setting of `.rulescheck.json`.
package struct NewSilence: Sendable {
  /// The file with the comment or setting.
  package var file: String
  /// The place in the file; nil for a setting.
  package var place: Annotation.Place?
  /// The message, one line: how findings are quieter than before.
  package var message: String
  /// The texts that identify it: the setting, or the code and the line that a comment silences.
  private let subject: [String]

  /// The stable name of its kind.
  static let code = "new-ignore"

  /// Creates the silence of a setting in a file.
  package init(of setting: String, in file: String, saying message: String) {
    self.file = file
    subject = [setting]
    self.message = message
  }

  /// Creates the silence of an `ignore` comment that is not in the text of the older revision.
  package init(_ comment: IgnoreComment, in source: SourceText, since revision: String) {
    file = source.name
    place = Annotation.Place(comment.range, in: source)
    subject = [comment.code, source.string(source.lineRange(comment.line))]
    message =
      "line \(comment.line) is silenced for `\(comment.code)`, which it was not at `\(revision)`"
  }

  /// The silence as an annotation.
  package var annotation: Annotation {
    Annotation(
      file: file, place: place, severity: .warning, code: Self.code, message: message,
      remarks: ["help: rules-check check --no-ignore shows what is silenced"],
      help: "rules-check check --no-ignore shows what is silenced", subject: subject)
  }

  /// Returns the silence with its file name mapped by a function.
  package func naming(_ name: (String) -> String) -> NewSilence {
    var silence = self
    silence.file = name(file)
    return silence
  }
}
