package import RulesEval
import RulesLang
import RulesProof
import RulesReport

extension MutationReport {
  /// The machine-readable report, schema `rules-check.mutate/1`.
  package var json: JSONText { Self.form.json(self) }

  /// The form of the report.
  static let form = JSONForm<Self>(
    "The report of mutate.",
    [
      .schema("mutate"), .list("files", "The rules files.", of: file) { $0.files },
      .errors { $0.refusals },
      // Without files there is no score.
      .member("summary?", summary) { $0.files.isEmpty ? nil : $0.counts },
    ])

  private static let summary = JSONForm<Counts>(
    "The numbers of mutants.",
    [
      .count("killed", "Mutants that a test detects.") { $0.killed },
      .count("survived", "Mutants that no test detects.") { $0.survived },
      .count("equivalent", "Mutants that change no decision.") { $0.equivalent },
      .count("undecided", "Mutants for which that is undecided.") { $0.unknown },
      .number("score", "The share of mutants that tests detect, in percent.") {
        MutationReport.percent($0.score)
      },
      // The proof checker states claims about one version of rules.
      .count("unchecked", "Equivalent mutants that the proof checker has not confirmed.") {
        $0.equivalent
      },
    ])

  private static let file = JSONForm<File>(
    "The mutants of a rules file.",
    [
      .text("rules", "The file.") { $0.path }, .database { $0.database },
      .count("milliseconds", "The duration.") { Int($0.nanoseconds / 1_000_000) },
      .list("mutants", "The mutants.", of: mutant) { file in
        file.mutants.map { ($0, file.source) }
      },
      .texts("failing?", "Tests that fail on the unchanged rules.", of: "A name.") { $0.failing },
    ])

  private static let mutant = JSONForm<(Mutant, SourceText)>(
    "A mutant: one change of the rules.",
    [.text("mutator", "The kind of change.") { mutant, _ in mutant.edit.mutator.rawValue }],
    .place { $1.position(of: $0.edit.range.start) },
    [
      .text("change", "The change in words.") { mutant, _ in mutant.edit.summary },
      .text("replacement", "The new text.") { mutant, _ in mutant.edit.replacement },
      .word("fate", "The result.", among: fates) { mutant, _ in mutant.word },
      .flag("checked?", "True if the proof checker has confirmed that the mutant is equivalent.") {
        mutant, _ in
        if case .equivalent = mutant.fate { false } else { nil }
      },
      .text("killedBy?", "The test that detects the mutant.") { mutant, _ in
        if case .killed(let test) = mutant.fate { test } else { nil }
      },
      .texts("reasons?", "The reasons why the mutant is undecided.") { $0.reasons(in: $1) },
      .text("summary?", "The request that detects it, in a sentence.") { mutant, _ in
        mutant.sentence
      },
      .test("test?", "A test that would detect it.") { mutant, _ in mutant.test.map { JSONText($0) }
      },
    ])

  private static let fates = ["killed", "survived", "equivalent", "undecided", "invalid"]
}

extension MutationReport.Mutant {
  fileprivate var word: String {
    switch fate {
    case .killed: "killed"
    case .survived: "survived"
    case .equivalent: "equivalent"
    case .unknown: "undecided"
    case .invalid: "invalid"
    }
  }
}
