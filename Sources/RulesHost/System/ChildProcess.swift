#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A child process. It is ended when this object is released.
///
/// The child's standard input is empty, because that of this process can be a protocol. The child inherits no
/// descriptor, no blocked signal and few variables.
final class ChildProcess {
  private let pid: pid_t
  private var hasEnded = false

  /// The environment variables that a child process inherits.
  private static let inherited = ["PATH", "HOME", "JAVA_HOME", "LANG", "LD_LIBRARY_PATH"]
  /// Maximum nanoseconds between SIGTERM and SIGKILL.
  private static let patience: UInt64 = 5_000_000_000

  /// Starts a program, found by its name, without its output.
  init(_ arguments: [String]) throws(FileProblem) {
    pid = try Self.start(arguments, output: nil)
  }

  deinit { stop() }

  /// True if the process is still running.
  var isRunning: Bool {
    if hasEnded { return false }
    hasEnded = Self.ended(pid, WNOHANG) != nil
    if hasEnded { Self.forget(pid) }
    return !hasEnded
  }

  /// Ends the process: by SIGTERM, and after five seconds by SIGKILL.
  func stop() {
    guard isRunning else { return }
    kill(pid, SIGTERM)
    let begin = Clock.nanoseconds
    while isRunning, Clock.nanoseconds - begin < Self.patience { usleep(10_000) }
    guard isRunning else { return }
    kill(pid, SIGKILL)
    _ = Self.ended(pid, 0)
    hasEnded = true
    Self.forget(pid)
  }

  /// Returns the standard output of a program; nil if it cannot be started, cannot be read or fails.
  static func output(of arguments: [String]) -> [UInt8]? {
    guard let ends = try? PrivateDescriptors.pipe() else { return nil }
    let started = try? start(arguments, output: ends.writing)
    close(ends.writing)
    defer { close(ends.reading) }
    guard let pid = started else { return nil }
    var bytes: [UInt8] = []
    var count: Int? = 1
    while let last = count, last > 0 {
      count = try? FileSystem.read(ends.reading, of: arguments[0], upTo: 1 << 14, into: &bytes)
    }
    // A program that prints more would wait for a reader.
    if count == nil { kill(pid, SIGKILL) }
    let status = ended(pid, 0)
    forget(pid)
    return count == 0 && status == 0 ? bytes : nil
  }

  /// Returns the status of a process that has ended, -1 if there is no such child; nil if it runs.
  static func ended(_ pid: pid_t, _ options: Int32) -> Int32? {
    var status: Int32 = 0
    while true {
      let answer = waitpid(pid, &status, options)
      if answer < 0, errno == EINTR { continue }
      return answer == 0 ? nil : answer == pid ? status : -1
    }
  }

  private static func forget(_ pid: pid_t) {
    PrivateDescriptors.whileNoneIsMade { EndingChildren.remove(pid) }
  }

  private static func start(
    _ arguments: [String], output: Int32?
  ) throws(FileProblem) -> pid_t {
    if Confinement.isActive {
      throw FileProblem(path: arguments[0], reason: "no program is started here")
    }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // The output comes first: it can be any descriptor, also that of a stream which this process lacks.
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    // This process ignores SIGPIPE, and its threads may block the signals that end a program.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let variables = inherited.compactMap { name in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
    defer { for word in words + settings { free(word) } }
    EndingChildren.watch()
    var pid: pid_t = 0
    let failure = PrivateDescriptors.whileNoneIsMade {
      let failure = posix_spawnp(&pid, arguments[0], &actions, &attributes, &words, &settings)
      if failure == 0 { EndingChildren.add(pid) }
      return failure
    }
    guard failure == 0 else {
      throw FileProblem(path: arguments[0], reason: String(cString: strerror(failure)).lowercased())
    }
    return pid
  }
}
