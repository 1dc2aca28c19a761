#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The exit code of a run.
package enum ExitStatus: Int32 {
  /// Everything that was requested holds.
  case success = 0
  /// The run completed, and something does not hold.
  case failure = 1
  /// The run was not possible.
  case unusable = 2
  /// Something could not be decided, and nothing else is wrong.
  case undecided = 4
  /// A defect of rules-check itself.
  case defect = 70

  /// Returns the exit code of two parts of a run, in ascending order: success, undecided, failure, unusable,
  /// defect.
  package func and(_ other: ExitStatus) -> ExitStatus {
    let order: [ExitStatus] = [.success, .undecided, .failure, .unusable, .defect]
    for status in order.reversed() where self == status || other == status { return status }
    return self
  }

  /// Ends the process with this code. Objects are not released.
  package func leave() -> Never { exit(rawValue) }

  /// Ends the process with the exit code of a command that it ran.
  package static func leave(with code: Int32) -> Never { exit(code) }
}
