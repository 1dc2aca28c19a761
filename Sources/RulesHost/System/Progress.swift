import RulesLang
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One line on a terminal that shows the progress of a long run and disappears at its end.
///
/// Nothing is shown for a short run, or if standard error is not a terminal.
package final class Progress {
  private static let patience: UInt64 = 500_000_000
  private static let interval: UInt64 = 100_000_000

  private let isShown: Bool
  private var next: UInt64
  private var isDirty = false

  /// Creates a progress line, which shows nothing unless it is wanted and standard error is a terminal.
  package init(isWanted: Bool) {
    isShown = isWanted && isatty(STDERR_FILENO) != 0 && !Terminal.isDumb
    next = Clock.nanoseconds + Self.patience
  }

  /// Replaces the line, unless it was replaced a moment ago.
  package func show(_ text: @autoclosure () -> String) {
    guard isShown, Clock.nanoseconds >= next else { return }
    next = Clock.nanoseconds + Self.interval
    isDirty = true
    Terminal.complain("\r\u{1B}[K" + text())
  }

  /// Shows the elapsed time of work with an unknown end.
  ///
  /// - Parameters:
  ///   - text: The name of the work.
  ///   - isWanted: True if anything is shown.
  ///   - work: The work, which the calling thread does.
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

  /// A flag that ends the thread which shows the time.
  private final class Ticker: Sendable {
    private let ended = Mutex(false)

    var hasEnded: Bool { ended.withLock { $0 } }

    func end() { ended.withLock { $0 = true } }
  }

  /// Removes the line, so that reports and messages begin on an empty one.
  package func clear() {
    if isDirty { Terminal.complain("\r\u{1B}[K") }
    isDirty = false
  }
}
