import RulesEval
import RulesHost
import RulesLang
import RulesReport

/// `rules-check replay`: the decisions of rules on a log of requests.
enum ReplayCommand {
  static let command = Command(
    name: "replay", operands: "[RULES] FILE", operandCount: 1...2,
    summary: "what rules say to a log of requests, one a line",
    details: """
      Reads requests in JSON, one per line, from a file or, for -, from standard input:

        {"as": "alice", "method": "update", "path": "/users/alice",
         "before": {"token": "old"}, "after": {"token": "new"}}

      as: the user ID, {"uid": …, "token": …}, or null for signed out; time: RFC 3339; before and
      after: the document, null if there is none; documents: the documents for lookups, by path. For
      list, path is the collection, and there may be a query. Values are written as in suites.

      Without RULES it uses the rules of the project, as `check` finds them, if they are one file.

      Prints one decision per line, with the line of the granting statement, and exits 0 when all
      requests were decided. With --against it prints the requests that the old rules decide
      differently, and exits 1 if there are any.
      """,
    run: ReplayCommand.run)

  private static func run(_ options: ReplayOptions) throws(UsageProblem) -> ExitStatus {
    var rules = RulesFiles(profile: options.profile)
    var programs: [Program] = []
    var blocks: LineBlocks
    do throws(UsageProblem) {
      for path in [options.rulesPath, options.oldPath].compactMap({ $0 }) {
        guard let program = try program(path, &rules, options) else { return .unusable }
        programs.append(program)
      }
      // Opened before the report, which must not overwrite the log.
      do throws(FileProblem) {
        blocks = try LineBlocks(options.logPath)
      } catch {
        throw UsageProblem(error)
      }
    } catch {
      try options.reporting.refuse([Annotation](error), as: "replay", isLine: true)
      throw error
    }
    do throws(FileProblem) {
      return try replay(options, &blocks, programs[0], programs.count > 1 ? programs[1] : nil)
    } catch {
      throw UsageProblem(error)
    }
  }

  private static func program(
    _ path: String, _ rules: inout RulesFiles, _ options: ReplayOptions
  ) throws(UsageProblem) -> Program? {
    let outcome: Checker.Outcome
    do throws(FileProblem) {
      outcome = try rules.load(path)
    } catch {
      throw UsageProblem(error)
    }
    // Both versions are decided for the database of the new one.
    let database = try options.databases.one(of: options.rulesPath, outcome.checked)
    guard let checked = outcome.checked?.deployed(to: database) else {
      let source = outcome.ruleset.source
      Complaints(options.reporting.terminal).print(outcome.diagnostics, in: source)
      try options.reporting.refuse(
        [Annotation](outcome.diagnostics, in: source), as: "replay", isLine: true)
      return nil
    }
    return Program(checked)
  }

  /// Decides block after block, each spread over the workers; the output is in the order of the log, and no
  /// block is kept in memory.
  private static func replay(
    _ options: ReplayOptions, _ blocks: inout LineBlocks, _ new: Program, _ old: Program?
  ) throws(FileProblem) -> ExitStatus {
    let started = Clock.nanoseconds
    let destination = options.reporting.destinations[0]
    let output = try ReportOutput(destination.file)
    let workers = (0..<options.jobs).map { _ in
      ReplayWorker(
        new, old, profile: options.profile,
        style: ReplayWorker.Style(
          isJSON: destination.format == .json, isQuiet: options.reporting.isQuiet), now: Clock.now)
    }
    var total = ReplayTally()
    var line = 1
    while let block = try blocks.next() {
      for part in ReplayWorker.decide(block, firstLine: line, by: workers) {
        try output.write(part.text)
        for complaint in part.complaints {
          Terminal.complain("\(Printable.text(options.logPath)):\(complaint)\n")
        }
        total.add(part.tally)
        line += part.lines
      }
    }
    if destination.format == .pretty {
      let summary = ReplayText(isQuiet: options.reporting.isQuiet).summary(
        of: total, nanoseconds: Clock.nanoseconds - started, isComparing: old != nil,
        database: new.rules.database)
      try output.write(Array(summary.utf8))
    }
    return try status(total, options)
  }

  private static func status(
    _ total: ReplayTally, _ options: ReplayOptions
  ) throws(FileProblem) -> ExitStatus {
    if total.unreadable > 0 { return .unusable }
    if total.count == 0, !options.allowsEmpty {
      throw FileProblem(
        path: options.logPath,
        reason: "has no request (\(ReplayOptions.allowEmpty.name) if that is intended)")
    }
    return ExitStatus(total.conclusion)
  }
}
