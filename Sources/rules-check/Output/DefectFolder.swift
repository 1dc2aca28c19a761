import RulesHost
import RulesProofReport
import RulesReport

/// The folder for defect reports when the prover contradicts the evaluator.
struct DefectFolder {
  /// `--defects DIR`.
  static let option = Option(
    name: "--defects", value: "DIR",
    summary: "folder for a bug report if the prover contradicts itself"
  ).reachingOut

  /// Prints to standard error how many wrong answers of the prover were corrected by testing. The reported
  /// answers are right, but the defect must not be overlooked.
  static func tell(missed count: Int) {
    if count == 0 { return }
    let answers = count == 1 ? "an answer was" : "\(count) answers were"
    Terminal.complain(
      "rules-check: \(answers) wrong until a request showed it; this is a defect of "
        + "rules-check: please report it with the rules, or with the output of `\(option.name) "
        + "DIR` of prove and diff\n"
    )
  }

  /// Prints to standard error how many proofs the proof checker refuses.
  static func tell(refused count: Int) {
    if count == 0 { return }
    let proofs = count == 1 ? "a proof" : "\(count) proofs"
    Terminal.complain(
      "rules-check: the proof checker refuses a step of \(proofs); this is a defect of rules-check: "
        + "please report it with the rules, or with what `\(option.name) DIR` of prove writes\n")
  }

  /// Writes defect bundles to the folder, numbered `1.rules`, `1.suite.json`, `1.txt` and so on. Does nothing
  /// without bundles or without a folder.
  static func write(
    _ bundles: [DefectBundle], to folder: String?
  ) throws(UsageProblem) {
    guard let folder, !bundles.isEmpty else { return }
    do throws(FileProblem) {
      try FileSystem.makeFolder(folder)
      for (place, bundle) in bundles.enumerated() {
        for file in bundle.files(named: "\(place + 1)") {
          try FileSystem.write(file.bytes, to: FilePath.join(folder, with: file.name))
        }
      }
    } catch {
      throw UsageProblem(error)
    }
  }
}
