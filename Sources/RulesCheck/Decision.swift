extension Rules {
  /// The expected decision on a request.
  public enum Expectation: Sendable {
    case allow, deny
  }

  /// The decision of rules on a request, with an explanation.
  public struct Decision: Sendable, CustomStringConvertible {
    /// True if the request is allowed.
    public let isAllowed: Bool
    /// The line of the `allow` statement that grants it; nil if none does.
    public let line: Int?
    /// True if a condition that was tried ended in an error.
    public let hasErrors: Bool
    /// The verdict, the client and request, and the conditions with the value of each part.
    public let description: String
  }
}
