#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A command that this program runs for its user, with the standard streams, the environment and the signals
/// of this process.
package struct ForegroundCommand {
  private let pid: pid_t

  /// The signals that are forwarded.
  package static let passed = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  /// The signal that a child process has ended.
  package static let ending = SIGCHLD

  /// Starts a command, found by its name, with additional environment variables.
  ///
  /// - Throws: `FileProblem` about the name if there is no such program.
  package init(
    _ arguments: [String], adding variables: [(name: String, value: String)]
  ) throws(FileProblem) {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
    #else
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals that this program ignores or handles have their default action in the command.
    var usual = sigset_t()
    sigemptyset(&usual)
    for signal in Self.passed + [SIGPIPE, SIGCHLD] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let kept = Self.environment.filter { setting in
      !variables.contains { setting.hasPrefix($0.name + "=") }
    }
    let settings = kept + variables.map { "\($0.name)=\($0.value)" }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var values: [UnsafeMutablePointer<CChar>?] = settings.map { strdup($0) } + [nil]
    defer { for word in words + values { free(word) } }
    var started: pid_t = 0
    let failure = PrivateDescriptors.whileNoneIsMade {
      posix_spawnp(&started, arguments[0], nil, &attributes, &words, &values)
    }
    guard failure == 0 else {
      throw FileProblem(path: arguments[0], reason: String(cString: strerror(failure)).lowercased())
    }
    pid = started
  }

  /// The environment of this process, as `NAME=VALUE`.
  private static var environment: [String] {
    var found: [String] = []
    // Safe: the environment ends with a null pointer, and nothing here changes it.
    var next = environ
    while let setting = next.pointee {
      found.append(String(cString: setting))
      next += 1
    }
    return found
  }

  /// Forwards a signal.
  package func send(_ signal: Int32) { kill(pid, signal) }

  /// Returns the exit code if the command has ended: 128 plus the signal's number if a signal ended it; nil
  /// if it runs.
  package func exitCode() -> Int32? {
    guard let status = ChildProcess.ended(pid, WNOHANG) else { return nil }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }
}
