#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ends the programs that this one has started when it is told to end itself, by Ctrl-C or by a supervisor:
/// else nobody would.
enum EndingChildren {
  /// So many programs at a time are looked after; nobody starts more.
  private static let places = 16

  /// The processes; 0 where there is none. The signal handler must not wait for a lock, so these are plain
  /// words in memory that is never freed.
  // Safe: only this process's one thread that starts programs writes to it.
  nonisolated(unsafe) private static let known: UnsafeMutablePointer<pid_t> = {
    let memory = UnsafeMutablePointer<pid_t>.allocate(capacity: places)
    memory.initialize(repeating: 0, count: places)
    return memory
  }()

  /// The signals that end a process that does not listen to them.
  private static let signals = [SIGTERM, SIGINT, SIGHUP]

  /// Installs the handler, once; a signal that is ignored stays ignored, as `nohup` wants it.
  static func watch() { _ = isWatching }

  private static let isWatching: Bool = {
    _ = known
    var blocked = sigset_t()
    sigemptyset(&blocked)
    for number in signals {
      sigaddset(&blocked, number)
      // Safe: handlers are pointers, which nothing but their bits tells apart.
      let before = unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
      if before != unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, end) }
    }
    // Who started this program may have held them back for itself.
    pthread_sigmask(SIG_UNBLOCK, &blocked, nil)
    return true
  }()

  /// Adds a process.
  static func add(_ process: pid_t) { replace(0, with: process) }

  /// Removes a process that has ended.
  static func remove(_ process: pid_t) { replace(process, with: 0) }

  private static func replace(_ old: pid_t, with new: pid_t) {
    // Safe: the memory has so many words, and one thread starts programs.
    for place in 0..<places where known[place] == old {
      known[place] = new
      return
    }
  }

  private static let end: @convention(c) (Int32) -> Void = { number in
    // Safe: only calls that a signal handler may make; the memory was made before it was installed.
    for place in 0..<places where known[place] > 0 { kill(known[place], SIGTERM) }
    signal(number, SIG_DFL)
    raise(number)
  }
}
