package import RulesLang
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard output and standard error, with or without colour.
package struct Terminal: Sendable {
  /// The use of colour.
  package enum Color: String, CaseIterable, Sendable { case auto, always, never }

  /// The colours of output.
  package let palette: Palette

  /// Creates a terminal. `auto` uses colours if standard output is a terminal that supports them, unless the
  /// environment decides. Pictures fit its width.
  package init(color: Color) {
    let isTerminal = isatty(STDOUT_FILENO) != 0 && !OutputCapture.isActive
    let isColored =
      switch color {
      case .always: true
      case .never: false
      case .auto: !OutputCapture.isActive && Self.wish ?? (isTerminal && !Self.isDumb)
      }
    palette = (isColored ? Palette.ansi : .plain).fitting(columns: Self.columns(isTerminal))
  }

  /// The environment's choice of colours, the strictest variable first; nil if there is none.
  private static var wish: Bool? {
    if ProcessEnvironment.has("NO_COLOR") { return false }
    for name in ["FORCE_COLOR", "CLICOLOR_FORCE"] {
      if let value = ProcessEnvironment.value(name) {
        // Some tools turn colours off with `FORCE_COLOR=0`.
        if value != "0" { return true }
        if name == "FORCE_COLOR" { return false }
      }
    }
    return ProcessEnvironment.value("CLICOLOR") == "0" ? false : nil
  }

  /// True if the terminal supports plain text only.
  static var isDumb: Bool { ProcessEnvironment.value("TERM") == "dumb" }

  /// Returns the number of columns: `COLUMNS`, otherwise the terminal's; nil if neither is known.
  private static func columns(_ isTerminal: Bool) -> Int? {
    if let given = ProcessEnvironment.value("COLUMNS").flatMap({ Int($0) }), given > 0 {
      return given
    }
    guard isTerminal else { return nil }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// True if standard output is a terminal.
  package static var isInteractive: Bool { isatty(STDOUT_FILENO) != 0 }

  /// The number of columns of standard output; nil if unknown.
  static var width: Int? { columns(isatty(STDOUT_FILENO) != 0) }

  /// Writes to standard output. If its reader has gone, the rest is dropped. Any other failure is kept in
  /// `problem`, which `Tool.run` reports at the end.
  package static func print(_ text: String) { print(Array(text.utf8)) }

  /// Writes bytes to standard output; failures are treated as by `print(_: String)`.
  package static func print(_ bytes: [UInt8]) {
    do throws(FileProblem) {
      try write(bytes)
    } catch {
      failure.withLock { $0 = $0 ?? error }
    }
  }

  /// The first failure of `print`.
  static var problem: FileProblem? { failure.withLock { $0 } }

  private static let failure = Mutex<FileProblem?>(nil)

  /// Writes bytes of a report in some format to standard output. If its reader has gone, the rest is dropped.
  ///
  /// - Throws: `FileProblem` for any other failure, because an incomplete report could look like a good one.
  static func write(_ bytes: [UInt8], as format: String = "pretty") throws(FileProblem) {
    if OutputCapture.keep(bytes, of: format) { return }
    if FileSystem.write(bytes, descriptor: STDOUT_FILENO) || errno == EPIPE { return }
    throw FileProblem(path: "standard output", reason: FileSystem.lastError)
  }

  /// Writes to standard error.
  package static func complain(_ text: String) {
    var log = BuildLog()
    let bytes = BuildLog.isWritten ? log.disarmed(text.utf8) : Array(text.utf8)
    if OutputCapture.keep(complaint: bytes) { return }
    _ = FileSystem.write(bytes, descriptor: STDERR_FILENO)
  }

  /// Writes a message of a protocol to standard output, also while a command is captured; false if nobody
  /// reads it any more.
  package static func send(_ bytes: [UInt8]) -> Bool {
    FileSystem.write(bytes, descriptor: STDOUT_FILENO)
  }

  /// True unless the reader of standard output has gone.
  package static var hasReader: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&output, 1, 0) <= 0
  }

  /// Makes a write to a closed pipe fail instead of ending the process.
  package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}

/// Environment variables.
package enum ProcessEnvironment {
  /// True if a variable is set and not empty.
  package static func has(_ name: String) -> Bool { value(name) != nil }

  /// Returns the value of a variable; nil if it is not set or empty.
  package static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
