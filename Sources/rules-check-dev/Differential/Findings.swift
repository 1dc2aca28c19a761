import RulesEval
import RulesHost
import RulesLang

/// The differences of a run, each minimised, printed and recorded.
final class Findings {
  private let referee: Referee
  private let folder: String?
  private var files: Set<String> = []
  /// The number of differences that are still minimised; later ones are only counted.
  private var patience: Int

  /// Creates an empty collection; with a folder, cases are recorded there.
  init(_ referee: Referee, folder: String?, patience: Int) {
    self.referee = referee
    self.folder = folder
    self.patience = patience
  }

  /// Adds a judgement with differences.
  func add(_ judgement: Referee.Judgement) throws(EmulatorClient.Problem) {
    guard let first = judgement.differences.first, patience > 0 else { return }
    patience -= 1
    var shrinker = Shrinker(referee, kind: first.kind)
    let small = try shrinker.shrink(judgement)
    guard let difference = small.differences.first(where: { $0.kind == first.kind }) else { return }
    let found = RegressionCase(small, difference: difference)
    tell(found, difference: difference)
    let kind = found.about.split(separator: " ").first.map(String.init) ?? "case"
    let content = JSONText.object([("about", .string(found.about))]).compact + found.trial.rules
    record(found.json, kind: kind, content: content)
  }

  /// Adds a source about which the compilers differ, minimised line by line.
  func add(
    _ comparison: SourceComparison, difference: AnswerDifference, named name: String,
    referee: Referee
  ) throws(EmulatorClient.Problem) {
    guard patience > 0 else { return }
    patience -= 1
    let small =
      try SourceShrinker.shrink(comparison.source, kind: difference.kind, against: referee)
      ?? comparison
    let told = small.difference ?? difference
    Terminal.print(
      """
      \(difference.kind.rawValue) of \(Printable.text(name))
      \(small.source.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
        ours     \(told.ours)
        emulator \(told.theirs)

      """)
    record(small.json, kind: "\(difference.kind.rawValue)", content: small.source)
  }

  private func tell(_ found: RegressionCase, difference: AnswerDifference) {
    Terminal.print(
      """
      \(found.about)
      \(found.trial.rules.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
        request  \(found.trial.request.compact)
        ours     \(difference.ours)
        emulator \(difference.theirs)

      """)
  }

  /// Writes a case to the folder, named by a hash of its content.
  private func record(_ json: JSONText, kind: String, content: String) {
    guard let folder else { return }
    let name = String(Base16.text(of: Array(MD5.hash(Array(content.utf8)).prefix(5)))).lowercased()
    guard files.insert(name).inserted else { return }
    do throws(FileProblem) {
      try FileSystem.write(
        Array(json.pretty.utf8), to: FilePath.join(folder, with: "\(kind)-\(name).json"))
    } catch {
      Terminal.complain("rules-check-dev: \(error.message)\n")
    }
  }
}
