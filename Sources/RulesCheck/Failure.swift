extension Rules {
  /// A failed expectation, or one that could not be checked; `description` explains it in full, as test
  /// reports do.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The reason of a failure.
    public enum Reason: Sendable {
      /// The rules decide otherwise.
      case unexpected
      /// The rules do not compile, or the request or claim is malformed or not supported.
      case unusable
      /// The prover could not decide the claim.
      case undecided
    }

    /// The reason.
    public let reason: Reason
    /// The explanation, in lines.
    public let description: String

    /// Creates a failure.
    init(_ reason: Reason, saying description: String) {
      self.reason = reason
      self.description = description
    }

    /// Returns the failure with the place of a test, `MODULE/FILE:LINE`, in front of its explanation.
    package func at(_ file: StaticString, _ line: UInt) -> Failure {
      Failure(reason, saying: "\(file):\(line): \(description)")
    }
  }
}
