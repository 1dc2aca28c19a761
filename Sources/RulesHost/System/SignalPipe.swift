#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Signals as bytes in a pipe, for a loop that waits for descriptors.
///
/// A signal handler may do little; it may write a byte. A process has one such pipe.
package enum SignalPipe {
  /// A signal that was received.
  package struct Arrival: Equatable {
    /// The signal.
    package var signal: Int32
    /// True if a program sent it rather than a terminal, which sends to all programs in the foreground.
    package var isFromProgram: Bool
  }

  // Safe: written once, before the first handler is installed.
  nonisolated(unsafe) private static var ends: [Int32] = []
  // Safe: the handler only reads it, and it is written before the handler is installed.
  nonisolated(unsafe) private static var writing: Int32 = -1

  /// Starts collecting signals and returns the descriptor that becomes readable when one arrives.
  package static func open(_ signals: [Int32]) throws(FileProblem) -> Int32 {
    if ends.isEmpty {
      let made = try PrivateDescriptors.pipe()
      ends = [made.reading, made.writing]
      for end in ends { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
      writing = made.writing
    }
    var wanted = sigset_t()
    sigemptyset(&wanted)
    for signal in signals {
      install(signal)
      sigaddset(&wanted, signal)
    }
    // The parent process may have blocked these signals.
    pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    return ends[0]
  }

  /// Returns the signals that arrived since the last call.
  package static func take() -> [Arrival] {
    var arrivals: [Arrival] = []
    var byte: UInt8 = 0
    while read(ends[0], &byte, 1) == 1 {
      arrivals.append(Arrival(signal: Int32(byte & 0x7F), isFromProgram: byte & 0x80 != 0))
    }
    return arrivals
  }

  private static func install(_ signal: Int32) {
    var action = sigaction()
    let handler:
      @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?)
        -> Void = { number, info, _ in
          // Safe: a signal handler may make these calls.
          let isSent = (info?.pointee.si_code ?? 1) <= 0
          var byte = UInt8(truncatingIfNeeded: number) | (isSent ? 0x80 : 0)
          let before = errno
          _ = write(SignalPipe.writing, &byte, 1)
          errno = before
        }
    #if canImport(Darwin)
      action.__sigaction_u.__sa_sigaction = handler
    #elseif canImport(Musl)
      action.__sa_handler.sa_sigaction = handler
    #else
      action.__sigaction_handler.sa_sigaction = handler
    #endif
    action.sa_flags = SA_SIGINFO | SA_RESTART
    sigaction(signal, &action, nil)
  }
}
