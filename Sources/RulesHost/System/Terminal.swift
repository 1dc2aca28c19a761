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
  /// When to use colour.
  package enum Color: String, CaseIterable, Sendable { case auto, always, never }

  /// The colours of what is printed.
  package let palette: Palette

  /// Makes a terminal; `auto` colours if standard output is one that can, unless the environment says
  /// otherwise. Pictures fit its width.
  package init(color: Color) {
    let isTerminal = isatty(STDOUT_FILENO) != 0
    let isColored =
      switch color {
      case .always: true
      case .never: false
      case .auto: Self.wish ?? (isTerminal && !Self.isDumb)
      }
    palette = (isColored ? Palette.ansi : .plain).fitting(columns: Self.columns(isTerminal))
  }

  /// What the environment says of colours, the strictest first; nil if it says nothing.
  private static var wish: Bool? {
    if ProcessEnvironment.has("NO_COLOR") { return false }
    for name in ["FORCE_COLOR", "CLICOLOR_FORCE"] {
      if let value = ProcessEnvironment.value(name) {
        // `FORCE_COLOR=0` is how some tools are told to leave it.
        if value != "0" { return true }
        if name == "FORCE_COLOR" { return false }
      }
    }
    return ProcessEnvironment.value("CLICOLOR") == "0" ? false : nil
  }

  /// Whether the terminal understands nothing but text.
  static var isDumb: Bool { ProcessEnvironment.value("TERM") == "dumb" }

  /// How many columns there are: what `COLUMNS` says, else what the terminal says; nil if neither does.
  private static func columns(_ isTerminal: Bool) -> Int? {
    if let given = ProcessEnvironment.value("COLUMNS").flatMap({ Int($0) }), given > 0 {
      return given
    }
    guard isTerminal else { return nil }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// True if somebody sees what is printed while it is.
  package static var isInteractive: Bool { isatty(STDOUT_FILENO) != 0 }

  /// How many columns standard output has; nil if nobody knows.
  static var width: Int? { columns(isatty(STDOUT_FILENO) != 0) }

  /// Writes to standard output. Nobody reading any more is no error: the rest is dropped. Anything else
  /// is one, for which `Tool.run` looks at the end.
  package static func print(_ text: String) { print(Array(text.utf8)) }

  /// Writes bytes to standard output, with the same leniency.
  package static func print(_ bytes: [UInt8]) {
    do throws(FileProblem) {
      try write(bytes)
    } catch {
      failure.withLock { $0 = $0 ?? error }
    }
  }

  /// Why something that was to be printed was not.
  static var problem: FileProblem? { failure.withLock { $0 } }

  private static let failure = Mutex<FileProblem?>(nil)

  /// Writes bytes to standard output. Nobody reading any more is no error, anything else is: a report
  /// that is cut off must not look like one that says all is well.
  static func write(_ bytes: [UInt8]) throws(FileProblem) {
    if FileSystem.write(bytes, descriptor: STDOUT_FILENO) || errno == EPIPE { return }
    throw FileProblem(path: "standard output", reason: FileSystem.lastError)
  }

  /// Writes to standard error.
  package static func complain(_ text: String) {
    var log = BuildLog()
    let bytes = BuildLog.isWritten ? log.disarmed(text.utf8) : Array(text.utf8)
    _ = FileSystem.write(bytes, descriptor: STDERR_FILENO)
  }

  /// Makes writing to a closed pipe an error code instead of the end of the process.
  package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}

/// Environment variables.
package enum ProcessEnvironment {
  /// Whether a variable is set to anything but the empty text.
  package static func has(_ name: String) -> Bool { value(name) != nil }

  /// The value of a variable; nil if it is not set, or set to the empty text.
  package static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
