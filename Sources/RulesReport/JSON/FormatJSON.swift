package import RulesEval

extension FormatReport {
  /// The report as `rules-check.fmt/1`.
  package var json: JSONText { Self.form.json(self) }

  /// The form of the report.
  package static let form = JSONForm<Self>(
    "The report of fmt.",
    [
      .schema("fmt"), .list("files", "The files that could be formatted.", of: file) { $0.files },
      .errors { $0.refusals }, .notices { $0.notices },
    ])

  private static let file = JSONForm<File>(
    "A file.",
    [
      .text("rules", "The file.") { $0.path },
      .flag("changed", "True if formatting changes it.") { $0.isChanged },
      .text("diff?", "The changes as a unified diff.") {
        $0.isChanged ? FormatText.diff(of: $0) : nil
      },
    ])
}
