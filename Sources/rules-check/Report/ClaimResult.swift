import RulesEval
import RulesLang

/// What came of one claim of a suite.
struct ClaimResult {
  /// What the prover found.
  enum Verdict: String {
    case proved, violated, undecided
  }

  /// The claim.
  var claim: Claim
  /// What was found.
  var verdict: Verdict
  /// How long it took.
  var nanoseconds: UInt64
  /// For a violated claim a test that shows it, ready to paste into a suite.
  var counterexample: JSON?
  /// Why, a sentence each: the statements that were considered, or the construct that stopped it.
  var sentences: [String]

  /// Whether the verdict is the one that the suite expects.
  var isPassed: Bool {
    switch verdict {
    case .proved: claim.expectation == .proved
    case .violated: claim.expectation == .violated
    case .undecided: false
    }
  }

  /// How it ended, as the exit code of a run: not knowing is no failure.
  var status: ExitStatus {
    if isPassed { return .success }
    return verdict == .undecided ? .undecided : .failure
  }

  /// What is wrong, in one line; nil if the claim passed.
  var complaint: String? {
    switch verdict {
    case _ where isPassed: nil
    case .undecided: "the claim is undecided"
    case .proved: "the claim is expected to be violated, and is proved"
    case .violated: "the claim is violated"
    }
  }

  /// The time in milliseconds with one decimal.
  var milliseconds: String {
    let microseconds = nanoseconds / 1000
    return "\(microseconds / 1000).\(microseconds / 100 % 10)"
  }
}
