#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a run ended, as the exit code of the process.
package enum ExitStatus: Int32 {
  /// Everything asked for holds.
  case success = 0
  /// It ran, and something does not hold.
  case failure = 1
  /// It could not run.
  case unusable = 2
  /// Nothing is known to be wrong, but something could not be decided.
  case undecided = 4
  /// A defect of rules-check itself.
  case defect = 70

  /// What two parts of a run come to: not being able to run outweighs a failure, which outweighs
  /// not knowing.
  package func and(_ other: ExitStatus) -> ExitStatus {
    let order: [ExitStatus] = [.success, .undecided, .failure, .unusable, .defect]
    for status in order.reversed() where self == status || other == status { return status }
    return self
  }

  /// Ends the process with this code, and leaves what it has built as it is.
  package func leave() -> Never { exit(rawValue) }

  /// Ends the process with the code of a command that it has run.
  package static func leave(with code: Int32) -> Never { exit(code) }
}
