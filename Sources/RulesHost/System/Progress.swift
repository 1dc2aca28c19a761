import RulesLang
import Synchronization

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
package final class Progress {
  private static let patience: UInt64 = 500_000_000
  private static let interval: UInt64 = 100_000_000

  private let isShown: Bool
  private var next: UInt64
  private var isDirty = false

  /// Shows nothing unless it is wanted and standard error is a terminal.
  package init(isWanted: Bool) {
    isShown = isWanted && isatty(STDERR_FILENO) != 0 && !Terminal.isDumb
    next = Clock.nanoseconds + Self.patience
  }

  /// Replaces the line, unless that was done a moment ago.
  package func show(_ text: @autoclosure () -> String) {
    guard isShown, Clock.nanoseconds >= next else { return }
    next = Clock.nanoseconds + Self.interval
    isDirty = true
    Terminal.complain("\r\u{1B}[K" + text())
  }

  /// Shows how long something has been going on of which nobody knows how much is left.
  ///
  /// - Parameters:
  ///   - text: What is done.
  ///   - isWanted: Whether anything is to be shown.
  ///   - work: What takes long; it is done by the calling thread.
  package static func during<Result>(
    _ text: String, isWanted: Bool, _ work: () -> Result
  ) -> Result {
    let progress = Progress(isWanted: isWanted)
    guard progress.isShown else { return work() }
    let clock = Ticker()
    let start = Clock.nanoseconds
    let thread = WorkerThread {
      let line = Progress(isWanted: true)
      while !clock.hasEnded {
        line.show("\(Printable.text(text)): \((Clock.nanoseconds - start) / 1_000_000_000) s")
        usleep(UInt32(Self.interval / 1000))
      }
      line.clear()
    }
    defer {
      clock.end()
      thread?.join()
    }
    return work()
  }

  /// Tells a thread that shows the time when to end.
  private final class Ticker: Sendable {
    private let ended = Mutex(false)

    var hasEnded: Bool { ended.withLock { $0 } }

    func end() { ended.withLock { $0 = true } }
  }

  /// Removes the line, so that reports and complaints begin on an empty one.
  package func clear() {
    if isDirty { Terminal.complain("\r\u{1B}[K") }
    isDirty = false
  }
}
