import RulesHost
import RulesReport

extension ExitStatus {
  /// How a run ends whose report comes to this.
  init(_ conclusion: Conclusion) {
    self =
      switch conclusion {
      case .success: .success
      case .failure: .failure
      case .undecided: .undecided
      }
  }
}
