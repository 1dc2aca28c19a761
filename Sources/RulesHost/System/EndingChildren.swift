#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ends the child processes when this process is ended by Ctrl-C or a supervisor; nothing else would.
enum EndingChildren {
  /// Maximum child processes.
  private static let places = 16

  /// The process IDs, 0 for an unused place. A signal handler must not wait for a lock, so they are plain
  /// words in memory that is never freed.
  // Safe: `PrivateDescriptors.whileNoneIsMade` lets one thread at a time write to it.
  nonisolated(unsafe) private static let known: UnsafeMutablePointer<pid_t> = {
    let memory = UnsafeMutablePointer<pid_t>.allocate(capacity: places)
    memory.initialize(repeating: 0, count: places)
    return memory
  }()

  /// The signals that end a process by default.
  private static let signals = [SIGTERM, SIGINT, SIGHUP]

  /// Installs the handler, once. An ignored signal stays ignored, as `nohup` requires.
  static func watch() { _ = isWatching }

  private static let isWatching: Bool = {
    _ = known
    var blocked = sigset_t()
    sigemptyset(&blocked)
    for number in signals {
      sigaddset(&blocked, number)
      // Safe: handlers are pointers, which only their bits distinguish.
      let before = unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
      if before != unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, end) }
    }
    // The parent process may have blocked these signals.
    pthread_sigmask(SIG_UNBLOCK, &blocked, nil)
    return true
  }()

  /// Adds a child process, inside `PrivateDescriptors.whileNoneIsMade`.
  static func add(_ process: pid_t) { replace(0, with: process) }

  /// Removes a child process that has ended, inside `PrivateDescriptors.whileNoneIsMade`.
  static func remove(_ process: pid_t) { replace(process, with: 0) }

  private static func replace(_ old: pid_t, with new: pid_t) {
    // Safe: the memory has `places` words, and the callers hold a lock.
    for place in 0..<places where known[place] == old {
      known[place] = new
      return
    }
  }

  private static let end: @convention(c) (Int32) -> Void = { number in
    // Safe: a signal handler may make these calls; the memory was allocated before it was installed.
    for place in 0..<places where known[place] > 0 { kill(known[place], SIGTERM) }
    signal(number, SIG_DFL)
    raise(number)
  }
}
