/// The reason why a file is not a valid part of an export.
public struct ExportProblem: Error, Sendable, Equatable {
  /// The offset in the file of the record with the problem.
  public var offset: Int
  /// The problem, as the end of a sentence about the record.
  public var reason: String

  /// Creates a problem.
  public init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }

  /// Creates the problem of a message in a record.
  init(_ problem: WireProblem, offset: Int) {
    self.offset = offset
    reason = problem.place.isEmpty ? problem.detail : "\(problem.place): \(problem.detail)"
  }
}
