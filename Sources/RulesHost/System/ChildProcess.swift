#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A child process. It is ended when this object is released.
final class ChildProcess {
  private let pid: pid_t
  private var hasEnded = false

  /// The environment variables that a child process inherits.
  private static let inherited = ["PATH", "HOME", "JAVA_HOME", "LANG", "LD_LIBRARY_PATH"]

  /// Starts a program, found by its name, without its output.
  init(_ arguments: [String]) throws(FileProblem) {
    pid = try Self.start(arguments, output: nil)
  }

  deinit { stop() }

  /// True if the process is still running.
  var isRunning: Bool {
    if hasEnded { return false }
    var status: Int32 = 0
    hasEnded = waitpid(pid, &status, WNOHANG) != 0
    if hasEnded { EndingChildren.remove(pid) }
    return !hasEnded
  }

  /// Ends the process: by SIGTERM, and after five seconds by SIGKILL.
  func stop() {
    guard isRunning else { return }
    kill(pid, SIGTERM)
    for _ in 0..<500 where isRunning { usleep(10_000) }
    guard isRunning else { return }
    kill(pid, SIGKILL)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    hasEnded = true
    EndingChildren.remove(pid)
  }

  /// Returns the standard output of a program; nil if it cannot be started or fails.
  static func output(of arguments: [String]) -> [UInt8]? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0, let pid = try? start(arguments, output: ends[1]) else { return nil }
    close(ends[1])
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = read(ends[0], &chunk, chunk.count)
      guard count > 0 else { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    close(ends[0])
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    EndingChildren.remove(pid)
    return status == 0 ? bytes : nil
  }

  private static func start(
    _ arguments: [String], output: Int32?
  ) throws(FileProblem) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    let variables = inherited.compactMap { name in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
    defer { for word in words + settings { free(word) } }
    EndingChildren.watch()
    var pid: pid_t = 0
    let failure = posix_spawnp(&pid, arguments[0], &actions, nil, &words, &settings)
    guard failure == 0 else {
      throw FileProblem(path: arguments[0], reason: String(cString: strerror(failure)).lowercased())
    }
    EndingChildren.add(pid)
    return pid
  }
}
