import RulesEval
import RulesLang

extension CoverageReport {
  /// The form of coverage: figures by file, and the gaps by place.
  package static let form = JSONForm<Self>(
    "The coverage of the tests.", figures.inside { $0.summary },
    [
      .number("required?", "The required coverage, in percent.") { $0.required?.plain },
      .flag("passed?", "True if the coverage is as required.") {
        $0.required == nil ? nil : !$0.isTooLow
      },
      .list("files", "The rules files.", of: file) { $0.files },
    ])

  private static let figures: [JSONMember<CoverageSummary>] = [
    .number("percent", "The coverage, in percent.") { CoverageReport.text($0.total.percent) },
    .count("seen", "The outcomes seen.") { $0.total.seen },
    .count("possible", "All possible outcomes.") { $0.total.possible },
    .member("statements", count("The outcomes of statements.")) { $0.statements },
    .member("conditions", count("The outcomes of conditions.")) { $0.conditions },
    .member("expressions", count("The outcomes of other expressions.")) { $0.expressions },
  ]

  private static func count(_ what: String) -> JSONForm<CoverageSummary.Count> {
    JSONForm(
      what,
      [
        .count("seen", "The outcomes seen.") { $0.seen },
        .count("possible", "All possible outcomes.") { $0.possible },
      ])
  }

  private static let file = JSONForm<File>(
    "A rules file.",
    [
      .text("rules", "The file.") { $0.path },
      .flag("untested?", "True if the rules are deployed and no test was run on them.") {
        $0.isUntested ? true : nil
      },
      .texts(
        "untestedDatabases?",
        "The databases without a test, if the rules depend on the database.",
        of: "A database."
      ) { $0.isUntested ? [] : $0.untestedDatabases },
    ], figures.inside { $0.summary },
    [
      .list("uncovered", "The parts that are not covered.", of: gap) { file in
        file.coverage.gaps(in: file.rules).map { ($0, file.rules.ruleset.source) }
      }
    ])

  private static let gap = JSONForm<((range: SourceRange, gap: CoveragePlace.Gap), SourceText)>(
    "A part that is not covered.", .place { $1.position(of: $0.range.start) },
    [
      .count("endLine", "The last line.") { $1.position(of: $0.range.end).line },
      .count("endColumn", "The column past its end.") { $1.position(of: $0.range.end).column },
      .text("gap", "The outcome that was not seen.") { gap, _ in gap.gap.words },
      .text("source", "The text.") { SourceSnippet.text($0.range, in: $1) },
    ])
}
