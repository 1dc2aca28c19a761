#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Crashes of rules-check itself.
package enum Defects {
  /// The size of the handler's stack in bytes. The normal stack may be exhausted.
  private static let stackSize = 1 << 16

  /// Makes a crash print a line and exit with `ExitStatus.defect` instead of a signal. If `SWIFT_BACKTRACE`
  /// is set, Swift's own crash report is kept.
  package static func endInExitCode() {
    guard getenv("SWIFT_BACKTRACE") == nil else { return }
    var stack = stack_t()
    stack.ss_sp = malloc(stackSize)
    stack.ss_size = stackSize
    sigaltstack(&stack, nil)
    var action = sigaction()
    let handler: @convention(c) (Int32) -> Void = { _ in
      let text: StaticString = """
        rules-check: this is a defect of rules-check; please report it with what you ran

        """
      // Safe: a static string lives for ever, and both calls are allowed in a signal handler.
      _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
      _exit(ExitStatus.defect.rawValue)
    }
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #elseif canImport(Musl)
      action.__sa_handler.sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    action.sa_flags = SA_ONSTACK
    for signal in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT] {
      sigaction(signal, &action, nil)
    }
  }
}
