#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One line on a terminal that says how far a long run has come; gone when the run is done.
///
/// Nothing is shown of a run that is over in a moment, nor when standard error is no terminal.
public final class Progress {
  private static let patience: UInt64 = 500_000_000
  private static let interval: UInt64 = 100_000_000

  private let isShown: Bool
  private var next: UInt64
  private var isDirty = false

  /// Shows nothing unless it is wanted and standard error is a terminal.
  public init(isWanted: Bool) {
    isShown = isWanted && isatty(STDERR_FILENO) != 0
    next = Clock.nanoseconds + Self.patience
  }

  /// Replaces the line, unless that was done a moment ago.
  public func show(_ text: @autoclosure () -> String) {
    guard isShown, Clock.nanoseconds >= next else { return }
    next = Clock.nanoseconds + Self.interval
    isDirty = true
    Terminal.complain("\r\u{1B}[K" + text())
  }

  /// Removes the line, so that reports and complaints begin on an empty one.
  public func clear() {
    if isDirty { Terminal.complain("\r\u{1B}[K") }
    isDirty = false
  }
}
