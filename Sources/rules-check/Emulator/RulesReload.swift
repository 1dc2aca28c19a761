import RulesHost
import RulesLang
import RulesReport

/// Reloads rules when their files change.
struct RulesReload {
  private let options: EmulatorOptions
  private let terminal: Terminal
  private var paths: [String]
  private var before: [FileSystem.Stamp?]

  /// Stores the present state of the files.
  init<Format>(_ rules: EmulatorRules, _ options: EmulatorOptions, _ reporting: Reporting<Format>) {
    self.options = options
    terminal = reporting.terminal
    paths = rules.entries.map { $0.path }
    before = paths.map { FileSystem.Stamp($0) }
  }

  /// Checks whether a file has changed; if so, its rules apply from now on. For rules that do not compile the
  /// errors are printed, and the old rules stay.
  mutating func look(_ service: inout EmulatorService) {
    let now = paths.map { FileSystem.Stamp($0) }
    // A missing file is being replaced.
    guard now != before, !now.contains(nil) else { return }
    before = now
    do throws(UsageProblem) {
      service.replace(try EmulatorRules(options))
      Watch.say("changed: \(paths.joined(separator: ", "))")
    } catch {
      if let source = error.source {
        Complaints(terminal).print(error.diagnostics, in: source)
      } else {
        Complaints(terminal).print(error)
      }
      Watch.say("the rules before the change stay in force")
    }
  }
}
