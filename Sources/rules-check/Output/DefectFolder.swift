import RulesHost
import RulesProofReport
import RulesReport

/// Where what is to be reported goes should the prover contradict itself.
struct DefectFolder {
  /// Where bundles go.
  static let option = Option(
    name: "--defects", value: "DIR",
    summary: "should the prover contradict itself: write what to report to this folder")

  /// Says on standard error that so many answers were put right by an attack. They are true as they
  /// are reported; that the search alone would have been wrong nobody may overlook.
  static func tell(missed count: Int) {
    if count == 0 { return }
    let answers = count == 1 ? "an answer was" : "\(count) answers were"
    Terminal.complain(
      "rules-check: \(answers) wrong until a request showed it; this is a defect of rules-check: "
        + "please report it with the rules, or with what `\(option.name) DIR` of prove and diff writes\n"
    )
  }

  /// Writes bundles to a folder if there is one, numbered: `1.rules`, `1.suite.json`,
  /// `1.txt` and so on. Without a defect nothing is written.
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
