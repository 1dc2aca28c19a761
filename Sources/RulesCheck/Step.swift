extension Rules {
  /// One request of several, with the expected decision: `.allow(.get("/users/alice", as: "alice"))`.
  public struct Step: Sendable, CustomStringConvertible {
    /// The expected decision.
    public let expectation: Expectation
    /// The request.
    public let request: Request
    /// The place where the step was made.
    package let place: Place

    /// The step as a sentence: `allow: alice reads /users/alice`.
    public var description: String { "\(expectation): \(request)" }

    /// Creates a step whose request is expected to be allowed.
    public static func allow(
      _ request: Request, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
      line: UInt = #line, column: UInt = #column
    ) -> Step {
      let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
      return Step(expectation: .allow, request: request, place: place)
    }

    /// Creates a step whose request is expected to be denied.
    public static func deny(
      _ request: Request, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
      line: UInt = #line, column: UInt = #column
    ) -> Step {
      let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
      return Step(expectation: .deny, request: request, place: place)
    }
  }
}
