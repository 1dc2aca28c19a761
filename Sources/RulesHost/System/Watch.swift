import RulesLang

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Doing something again whenever files change.
///
/// The files are looked at several times a second: that works on every system and file system, and
/// costs nothing for the few files of a project.
package enum Watch {
  private static let interval: UInt32 = 200_000

  /// Runs `body` now and whenever a file changes that it names or that `always` does, until the
  /// process is ended. A problem is printed, and the next change is waited for.
  package static func run(
    watching always: [String], _ body: () throws(UsageProblem) -> [String]
  ) throws(UsageProblem) -> Never {
    var paths = always
    while true {
      // Looked at before the run: a change during it is then not missed.
      var before = stamps(paths)
      do throws(UsageProblem) {
        // A file that is not there at the moment is being replaced: it stays watched.
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

  /// Says something about the watching, to standard error.
  package static func say(_ message: String) { say(message, prefix: "rules-check: ") }

  private static func say(_ message: String, prefix: String) {
    Terminal.complain(prefix + Printable.text(message) + "\n")
  }

  private static func stamps(_ paths: [String]) -> [FileSystem.Stamp?] {
    paths.map { FileSystem.Stamp($0) }
  }
}
