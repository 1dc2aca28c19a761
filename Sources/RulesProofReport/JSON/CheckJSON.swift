package import RulesEval
import RulesLang
import RulesProof
import RulesReport

extension CheckReport {
  /// The report as `rules-check.check/1`.
  package var json: JSONText { Self.form.json(self) }

  /// The form of the report.
  static let form = JSONForm<Self>(
    "The report of check.",
    [
      .schema("check"), .list("files", "The files.", of: file.defined("checkedFile")) { $0.files },
      .errors { $0.refusals }, .notices { $0.notices }, .silences { $0.silences },
      .member("summary", summary) { $0 },
    ])

  /// The definitions of the schema.
  static let definitions = [("checkedFile", file.schema), ("diagnostic", diagnostic.schema)]

  private static let summary = JSONForm<Self>(
    "The numbers of files and findings.",
    [
      .count("files", "Files.") { $0.files.count },
      .count("errors", "Errors.") { $0.count(.error) },
      .count("warnings", "Warnings.") { $0.count(.warning) },
      .count("infos", "Infos.") { $0.count(.info) },
      .count("silenced", "Findings that a comment or a level silences.") { $0.silencedCount },
      .count("unchecked", "Proved findings that the proof checker has not confirmed.") {
        $0.files.reduce(0) { $0 + $1.diagnostics.count { $0.isProved } }
      },
    ])

  private static let file = JSONForm<File>(
    "The findings in a file.",
    [
      .text("rules", "The file.") { $0.path },
      .database("database?") { $0.databases.count == 1 ? $0.databases[0] : nil }, .databases,
      .flag("compiles", "True if the rules compile.") { $0.compiles },
      .list("diagnostics", "The findings.", of: diagnostic.defined("diagnostic")) { file in
        file.diagnostics.map { ($0, file.source) }
      },
      .list(
        "silenced?", "The findings that a comment or a level silences.",
        of: diagnostic.defined("diagnostic")
      ) { file in file.silenced.map { ($0, file.source) } },
      .member("deep?", deep) { $0.deep },
      .list("removed?", "The parts that were removed.", of: removed) { $0.removed },
    ])

  private static let deep = JSONForm<DeepCounts>(
    "The checks of --deep.",
    [
      .count("questions", "All deep checks.") { $0.questions },
      .count("open", "Deep checks that are undecided.") { $0.open },
    ])

  private static let removed = JSONForm<Removed>(
    "A part that was removed.",
    [
      .text("code", "The code of the finding.") { $0.code.name },
      .text("message", "The proved statement about the part.") { $0.message },
    ], .place { $0.place },
    [
      .text("text", "The text of the part.") { $0.text },
      .flag("checked", "True if the proof checker has confirmed that.") { _ in false },
    ])

  private static let diagnostic = JSONForm<(Diagnostic, SourceText)>(
    "A finding.",
    [
      .word("severity", "The severity.", among: ["error", "warning", "info"]) { one, _ in
        one.severity.word
      },
      .word("kind", "The origin of the finding.", among: ["compile", "lint"]) { one, _ in
        one.origin.word
      },
      .text("code", "The stable name of the code.") { one, _ in one.code.name },
      .text("message", "The message.") { one, _ in one.message },
    ],
    // A diagnostic of the whole file is at its beginning.
    range.inside { ($0.range ?? .none, $1) },
    [
      .flag("checked?", "True if the proof checker has confirmed a proved finding.") { one, _ in
        one.isProved ? false : nil
      },
      .text("help?", "How to fix it.") { one, _ in one.help },
      .texts("notes?", "The consequences.") { one, _ in one.notes },
      .list("related?", "Other places.", of: related) { one, source in
        one.related.map { ($0, source) }
      },
    ])

  private static let related = JSONForm<(Diagnostic.Label, SourceText)>(
    "Another place.",
    [.text("message", "The role of the place in the finding.") { label, _ in label.text }],
    range.inside { ($0.range, $1) })

  private static let range: [JSONMember<(SourceRange, SourceText)>] =
    .place { $1.position(of: $0.start) } + [
      .count("offset", "The offset of the first character.") {
        $1.characterOffset(of: $0.start)
      },
      // Google's positions end at the last character, too, not past it.
      .count("endOffset", "The offset of the last character.") {
        max($1.characterOffset(of: $0.start), $1.characterOffset(of: $0.end) - 1)
      },
    ]
}

extension Diagnostic {
  /// True if the finding rests on a proof, which the proof checker does not confirm: it is about two versions
  /// of rules.
  fileprivate var isProved: Bool { RedundancyReport.provedCodes.contains(code) }
}
