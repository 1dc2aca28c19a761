import RulesEval
import RulesLang

/// The differences of a run, each made as small as possible, told, and recorded.
final class Findings {
  private let referee: Referee
  private let folder: String?
  private var files: Set<String> = []
  /// How many more are made small; after that they are only counted.
  private var patience: Int

  /// Collects what a referee finds; with a folder, records cases there.
  init(_ referee: Referee, folder: String?, patience: Int) {
    self.referee = referee
    self.folder = folder
    self.patience = patience
  }

  /// Takes up a judgement with differences.
  func add(_ judgement: Referee.Judgement) throws(EmulatorClient.Problem) {
    guard let first = judgement.differences.first, patience > 0 else { return }
    patience -= 1
    var shrinker = Shrinker(referee, first.kind)
    let small = try shrinker.shrink(judgement)
    guard let difference = small.differences.first(where: { $0.kind == first.kind }) else { return }
    let found = RegressionCase(small, difference)
    tell(found, difference)
    record(found)
  }

  private func tell(_ found: RegressionCase, _ difference: Difference) {
    Terminal.print(
      """
      \(found.about)
      \(found.trial.rules.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
        request  \(found.trial.request.compact)
        ours     \(difference.ours)
        emulator \(difference.theirs)

      """)
  }

  private func record(_ found: RegressionCase) {
    guard let folder else { return }
    let text = found.json.pretty
    let content = JSONText.object([("about", .string(found.about))]).compact + found.trial.rules
    let name = String(Base16.text(of: Array(MD5.hash(Array(content.utf8)).prefix(5)))).lowercased()
    guard files.insert(name).inserted else { return }
    let kind = found.about.split(separator: " ").first.map(String.init) ?? "case"
    do throws(FileProblem) {
      try FileSystem.write(Array(text.utf8), to: Path.join(folder, "\(kind)-\(name).json"))
    } catch {
      Terminal.complain("rules-check: \(error.message)\n")
    }
  }
}
