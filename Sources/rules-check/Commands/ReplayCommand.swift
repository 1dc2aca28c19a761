import RulesEval
import RulesHost
import RulesLang
import RulesReport

/// `rules-check replay`: what rules say to a log of requests.
enum ReplayCommand {
  static let command = Command(
    name: "replay", operands: "RULES FILE", operandCount: 2...2,
    summary: "what rules say to a log of requests, one a line",
    details: """
      Reads one request a line, in JSON, from a file or for - from standard input:

        {"as": "alice", "method": "update", "path": "/users/alice",
         "before": {"token": "old"}, "after": {"token": "new"}}

      as: the user ID, {"uid": …, "token": …}, or null for signed out; time: RFC 3339; before and
      after: the document, null if there is none; documents: what lookups find, by path; for list,
      path is the collection and there may be a query. Values are written as in suites.

      Prints a decision a line, with the line of the statement that granted, and exits 0 when all
      were decided. With --against it prints the requests that the old rules decide otherwise, and
      exits 1 if there are any.
      """,
    options: [
      Option(
        name: "--against", value: "OLD", summary: "report what is decided otherwise than by OLD"),
      Option(name: "--jobs", value: "COUNT", summary: "how many cores to use; all by default"),
      Option(
        name: "--profile", value: "PROFILE", choices: Profile.allCases.map(\.rawValue),
        summary: "whose behaviour to follow: emulator, testapi or strict"),
      Option(name: "--allow-empty", value: nil, summary: "no request at all is no problem"),
    ],
    formats: ["pretty", "json"],
    run: { invocation throws(UsageProblem) in try run(invocation) })

  private static func run(_ invocation: Invocation) throws(UsageProblem) -> ExitStatus {
    guard invocation.destinations.count == 1 else {
      throw UsageProblem("`replay` writes one report", help: "give one --format")
    }
    var rules = RulesFiles(profile: invocation.profile)
    guard let new = try program(invocation.operands[0], &rules, invocation) else {
      return .unusable
    }
    var old: Program?
    if let path = invocation["--against"] {
      old = try program(path, &rules, invocation)
      if old == nil { return .unusable }
    }
    let jobs = try invocation.jobs
    do throws(FileProblem) {
      return try replay(invocation, new, old, jobs: jobs)
    } catch {
      throw UsageProblem(error)
    }
  }

  private static func program(
    _ path: String, _ rules: inout RulesFiles, _ invocation: Invocation
  ) throws(UsageProblem) -> Program? {
    let outcome: Checker.Outcome
    do throws(FileProblem) {
      outcome = try rules.load(path)
    } catch {
      throw UsageProblem(error)
    }
    guard let checked = outcome.checked else {
      Complaints(invocation.terminal).print(outcome.diagnostics, in: outcome.ruleset.source)
      return nil
    }
    return Program(checked)
  }

  /// Decides block after block, each spread over the workers; what is printed is in the order of the
  /// log, and nothing of a block is kept.
  private static func replay(
    _ invocation: Invocation, _ new: Program, _ old: Program?, jobs: Int
  ) throws(FileProblem) -> ExitStatus {
    let started = Clock.nanoseconds
    let destination = invocation.destinations[0]
    let output = try ReportOutput(destination.file)
    let workers = (0..<jobs).map { _ in
      ReplayWorker(
        new, old, profile: invocation.profile,
        style: ReplayWorker.Style(
          isJSON: destination.format == "json", isQuiet: invocation.isQuiet), now: Clock.now)
    }
    var blocks = try LineBlocks(invocation.operands[1])
    var total = ReplayTally()
    var line = 1
    while let block = try blocks.next() {
      for part in ReplayWorker.decide(block, firstLine: line, by: workers) {
        try output.write(part.text)
        for complaint in part.complaints {
          Terminal.complain("\(Printable.text(invocation.operands[1])):\(complaint)\n")
        }
        total.add(part.tally)
        line += part.lines
      }
    }
    if destination.format != "json" {
      let summary = ReplayText(isQuiet: invocation.isQuiet).summary(
        of: total, nanoseconds: Clock.nanoseconds - started, isComparing: old != nil)
      try output.write(Array(summary.utf8))
    }
    return try status(total, invocation)
  }

  private static func status(
    _ total: ReplayTally, _ invocation: Invocation
  ) throws(FileProblem) -> ExitStatus {
    if total.unreadable > 0 { return .unusable }
    if total.count == 0, !invocation.has("--allow-empty") {
      throw FileProblem(
        path: invocation.operands[1], reason: "has no request (--allow-empty if that is meant)")
    }
    return ExitStatus(total.conclusion)
  }
}

extension Invocation {
  /// How many workers `--jobs` asks for; one for each core if it is not given.
  var jobs: Int {
    get throws(UsageProblem) {
      guard let text = self["--jobs"] else { return Processors.available }
      guard let count = Int(text), (1...256).contains(count) else {
        throw UsageProblem("`--jobs` is a number from 1 to 256, not `\(text)`")
      }
      return count
    }
  }
}
