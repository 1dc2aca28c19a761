/// A reason why a file is no part of an export.
public struct ExportProblem: Error, Sendable, Equatable {
  /// The byte of the file at which the record with the problem begins.
  public var offset: Int
  /// The problem, as the end of a sentence about the record.
  public var reason: String

  /// Creates a problem.
  public init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }

  /// Creates a problem of a message that a record holds.
  init(_ problem: WireProblem, offset: Int) {
    self.offset = offset
    reason = problem.place.isEmpty ? problem.detail : "\(problem.place): \(problem.detail)"
  }
}
