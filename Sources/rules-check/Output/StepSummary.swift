import RulesHost
import RulesReport

/// The summary of a step of GitHub Actions.
enum StepSummary {
  /// Appends the annotations beyond GitHub's maximum to the summary file that GitHub Actions names; does
  /// nothing elsewhere.
  static func write(_ annotations: [Annotation]) throws(UsageProblem) {
    guard let summary = GitHubReport(annotations).summary,
      let file = ProcessEnvironment.value("GITHUB_STEP_SUMMARY")
    else { return }
    do throws(FileProblem) {
      try FileSystem.append(Array(summary.utf8), to: file)
    } catch {
      throw UsageProblem(error)
    }
  }
}
