import RulesEval
import RulesHost
import RulesLang

/// Repeats recorded cases, or trials without an answer yet, on an emulator.
struct Replay {
  private let referee: Referee

  /// Creates a replay through a referee.
  init(_ referee: Referee) { self.referee = referee }

  /// Judges every file of a folder and prints the differences; with a second folder, records the emulator's
  /// answers there. Returns the number of files, and of those that differ.
  func run(
    _ folder: String, recordingTo target: String?
  ) throws(EmulatorClient.Problem) -> (files: Int, different: Int) {
    var count = 0
    var different = 0
    let paths = (try? FileSystem.files(below: folder, suffix: ".json")) ?? []
    for path in paths {
      guard let bytes = try? FileSystem.read(path), let json = EmulatorClient.json(bytes),
        let trial = Trial(json), let judgement = try referee.judge(trial)
      else {
        Terminal.complain("rules-check-dev: \(path) is no case\n")
        different += 1
        continue
      }
      count += 1
      let difference = judgement.differences.first
      if let difference {
        different += 1
        Terminal.print("\(path)\n  ours     \(difference.ours)\n  emulator \(difference.theirs)\n")
      }
      guard let target else { continue }
      let about = json.member("about")?.plainText
      let recorded = RegressionCase(judgement, difference: difference, about: about)
      let name = path.split(separator: "/").last.map(String.init) ?? "case.json"
      try? FileSystem.write(Array(recorded.json.pretty.utf8), to: FilePath.join(target, with: name))
    }
    return (count, different)
  }
}
