import RulesLang

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Repeats an action whenever files change.
///
/// The files are polled several times a second. That works on every system and file system, and costs little
/// for the few files of a project.
package enum Watch {
  private static let interval: UInt32 = 200_000

  /// Runs `body` now and whenever a file in `always`, or one that `body` returns, changes, until the process
  /// is ended. A problem is printed and does not end the watching.
  package static func run(
    watching always: [String], _ body: () throws(UsageProblem) -> [String]
  ) throws(UsageProblem) -> Never {
    var paths = always
    while true {
      // Stamped before the run, so that a change during the run is noticed.
      var before = stamps(paths)
      do throws(UsageProblem) {
        // A missing file is being replaced, so it stays watched.
        let added = try body().filter { !paths.contains($0) }
        paths += added
        before += stamps(added)
      } catch {
        say(error.message)
        if let help = error.help { say(help, prefix: "  help: ") }
      }
      say("watching \(paths.count == 1 ? "1 file" : "\(paths.count) files"); Ctrl-C ends it")
      var changed: [String] = []
      while changed.isEmpty {
        usleep(interval)
        let now = stamps(paths)
        changed = paths.indices.filter { now[$0] != before[$0] }.map { paths[$0] }
      }
      say("changed: \(changed.joined(separator: ", "))")
    }
  }

  /// Prints a message about the watching to standard error.
  package static func say(_ message: String) { say(message, prefix: "rules-check: ") }

  private static func say(_ message: String, prefix: String) {
    Terminal.complain(prefix + Printable.text(message) + "\n")
  }

  private static func stamps(_ paths: [String]) -> [FileSystem.Stamp?] {
    paths.map { FileSystem.Stamp($0) }
  }
}
