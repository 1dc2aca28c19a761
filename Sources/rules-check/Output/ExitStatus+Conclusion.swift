import RulesHost
import RulesReport

extension ExitStatus {
  /// Creates the exit status of a run with an outcome.
  init(_ conclusion: Conclusion) {
    self =
      switch conclusion {
      case .success: .success
      case .failure: .failure
      case .undecided: .undecided
      }
  }
}
