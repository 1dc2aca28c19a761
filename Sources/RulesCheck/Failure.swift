extension Rules {
  /// Why an expectation does not hold, or could not be examined; `description` is the whole story, with
  /// the picture of the denial, as test reports print it.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// Which of the two it is.
    public enum Reason: Sendable {
      /// The rules say something else.
      case unexpected
      /// The rules do not compile, or what was asked cannot be understood or is not supported.
      case unusable
      /// The prover came to no end.
      case undecided
    }

    /// Whether the rules say something else, or could not be asked.
    public let reason: Reason
    /// What is wrong, in lines for people.
    public let description: String

    /// A failure with its story.
    init(_ reason: Reason, saying description: String) {
      self.reason = reason
      self.description = description
    }

    /// The same with the place in a test from which it came, `MODULE/FILE:LINE`, before its story.
    func at(_ file: StaticString, _ line: UInt) -> Failure {
      Failure(reason, saying: "\(file):\(line): \(description)")
    }
  }
}
