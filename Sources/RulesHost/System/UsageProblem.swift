/// Why a command line cannot be run.
public struct UsageProblem: Error {
  /// What is wrong, in one line.
  public var message: String
  /// How to mend it.
  public var help: String?
  /// The file that it is about, if it is about one.
  public var file: String?

  /// Makes a problem.
  public init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }

  /// A file that cannot be read or written.
  public init(_ problem: FileProblem) {
    message = problem.message
    file = problem.path
  }
}
