import RulesEncoding
package import RulesEval
import RulesLang
import RulesProof
import RulesReport

extension DiffReport {
  /// The machine-readable report, schema `rules-check.diff/1`.
  package var json: JSONText { Self.form.json(self) }

  /// The form of the report.
  static let form = JSONForm<Self>(
    "The report of diff.",
    [
      .schema("diff"), .list("files", "The files that were compared.", of: pair) { $0.pairs },
      .errors { $0.refusals }, .notices { $0.notices }, .silences { $0.silences },
      .member("summary", JSONForm("The numbers of methods of paths, and of files.", counts)) { $0 },
    ])

  private static let counts: [JSONMember<DiffReport>] =
    DiffVerdict.allCases.map { verdict in
      .count(verdict.rawValue, "Methods that are \(verdict.rawValue).") { $0.count(verdict) }
    } + [
      .count("unmanaged", "Rules files that are no longer managed.") { $0.unmanagedCount },
      .count("first", "Rules files that had no rules before.") { $0.firstCount },
      .count("unchecked", "Equivalent methods that the proof checker has not confirmed.") {
        $0.unchecked
      },
    ]

  private static let pair = JSONForm<Pair>(
    "An older file and a newer one.",
    [
      .text("old", "The older file.") { $0.old.source.name },
      .text("new", "The newer file.") { $0.new.source.name }, .database { $0.database }, .databases,
      .flag("first?", "True if there were no rules before.") { $0.isFirst ? true : nil },
      .flag("unmanaged?", "True if the rules in force are no longer managed here.") {
        $0.unmanagedSentence == nil ? nil : true
      },
      .text("message?", "The sentence about rules that are no longer managed.") {
        $0.unmanagedSentence
      },
      .count("milliseconds", "The duration.") { Int($0.nanoseconds / 1_000_000) },
      .list("paths", "The effect of the change, path by path.", of: path) { pair in
        pair.paths.map { ($0, pair) }
      },
    ])

  private static let path = JSONForm<(path: PathDiff, pair: Pair)>(
    "The effect of the change on the documents of a path.",
    [
      .text("path", "The path.") { $0.path.path },
      .list("methods", "The effect on each method.", of: method) { one in
        one.path.methods.map { ($0, one.pair) }
      },
      .list("differences", "The decisions that differ.", of: difference) { one in
        one.path.differences.map { ($0, one.path, one.pair) }
      },
    ])

  private static let method = JSONForm<(MethodDiff, Pair)>(
    "A method.",
    [
      .method { method, _ in method.method },
      .word(
        "verdict", "The effect of the change, or the decision of first rules.",
        among: DiffVerdict.allCases.map { $0.rawValue } + ["allowed", "denied"]
      ) { $1.word($0.verdict) },
      .flag("complete", "True if all differences are listed.") { method, _ in !method.isPartial },
      .flag("checked?", "True if the proof checker has confirmed that the method is equivalent.") {
        method, _ in method.isProvedEquivalent ? method.unchecked == nil : nil
      },
      .text("uncheckedBecause?", "Why the proof checker has not confirmed it.") { method, _ in
        method.isProvedEquivalent ? method.unchecked?.sentence : nil
      },
      .list("reasons?", "Why something is undecided.", of: OpenReasonJSON.form) { method, pair in
        method.openReasons.map {
          OpenReasonJSON($0.openReason, in: pair.rules($0.side).source, namesFile: true)
        }
      },
    ])

  private static let difference = JSONForm<(change: AccessChange, path: PathDiff, pair: Pair)>(
    "A difference.",
    [
      .word("kind", "The kind of difference.", among: ["loosened", "tightened", "allowed"]) {
        $0.pair.isFirst ? "allowed" : $0.change.isLoosened ? "loosened" : "tightened"
      },
      .text("sentence", "The difference in words.") { $0.pair.sentence($0.change, at: $0.path) },
      .list("requests", "Requests that show it.", of: request) { one in
        one.change.witnesses.map { ($0, one.change, one.pair) }
      },
    ])

  private static let request = JSONForm<(one: DiffWitness, change: AccessChange, pair: Pair)>(
    "A request.",
    [
      .method { $0.one.method }, .text("summary", "The request in a sentence.") { $0.one.sentence },
      .lines("oldLines", "The lines of the older file that decide it.") {
        $0.pair.lines(of: $0.one, $0.change).old
      },
      .lines("newLines", "The lines of the newer file that decide it.") {
        $0.pair.lines(of: $0.one, $0.change).new
      },
      .test("test") { JSONText($0.one.test(of: $0.change)) },
      .test("closing?", "The test that passes once the rules deny the request.") {
        $0.change.isLoosened && !$0.pair.isFirst ? JSONText($0.one.closingTest) : nil
      },
    ])
}
