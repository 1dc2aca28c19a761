import Synchronization

/// The output of a command that runs inside a server, whose standard output belongs to its protocol.
///
/// At most one command at a time is captured, with all of its threads.
enum OutputCapture {
  /// The output of a command.
  struct Output {
    /// The reports for standard output by format; whatever has no format is in `pretty`.
    var reports: [String: [UInt8]] = [:]
    /// The text for standard error.
    var complaints: [UInt8] = []
  }

  private static let output = Mutex<Output?>(nil)

  /// True while a command is captured.
  static var isActive: Bool { output.withLock { $0 != nil } }

  /// Begins with no output.
  static func begin() { output.withLock { $0 = Output() } }

  /// Ends, and returns the output.
  static func end() -> Output {
    output.withLock { output in
      defer { output = nil }
      return output ?? Output()
    }
  }

  /// Keeps bytes for standard output; false if no command is captured.
  static func keep(_ bytes: [UInt8], of format: String) -> Bool {
    output.withLock { output in
      output?.reports[format, default: []] += bytes
      return output != nil
    }
  }

  /// Keeps bytes for standard error; false if no command is captured.
  static func keep(complaint bytes: [UInt8]) -> Bool {
    output.withLock { output in
      output?.complaints += bytes
      return output != nil
    }
  }
}
