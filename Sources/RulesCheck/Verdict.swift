extension Rules {
  /// The verdict of the prover on a claim.
  public struct Verdict: Sendable, CustomStringConvertible {
    /// The kinds of verdicts.
    public enum Outcome: String, Sendable {
      /// The claim holds for all requests.
      case proved
      /// A request violates the claim.
      case violated
      /// The claim could not be decided.
      case undecided
      /// The claim's scope contains no request.
      case vacuous
    }

    /// The kind of the verdict.
    public let outcome: Outcome
    /// The statements that make a claim safe, or the violating request as a test, or the reason why the
    /// prover stopped.
    public let description: String
  }
}
