extension Rules {
  /// What rules must say to a request.
  public enum Expectation: Sendable {
    case allow, deny
  }

  /// What rules say to a request, and why.
  public struct Decision: Sendable, CustomStringConvertible {
    /// Whether the request is allowed.
    public let isAllowed: Bool
    /// The line of the `allow` statement that grants it; nil if none does.
    public let line: Int?
    /// Whether a condition that was tried ended in an error.
    public let hasErrors: Bool
    /// The verdict, who asked for what, and the conditions with the value under each part.
    public let description: String
  }
}
