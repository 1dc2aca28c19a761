import FirestoreServer
import RulesEval
import RulesHost
import RulesLang
import RulesProofReport
import RulesReport

/// `rules-check exec`: a command with a Firestore emulator.
enum ExecCommand {
  /// The command.
  static let command = Command(
    name: "exec", operands: "-- COMMAND…", operandCount: 1...Int.max,
    summary: "run tests of a Firestore SDK with an emulator of their own",
    details: """
      Starts a Firestore emulator on this machine, runs COMMAND with its address in the
      environment, and exits with COMMAND's exit code:

        rules-check exec -- npm test

      The emulator starts with the rules of the project, as `check` finds them; a test library may
      upload others. COMMAND gets the variables FIRESTORE_EMULATOR_HOST,
      FIREBASE_FIRESTORE_EMULATOR_ADDRESS, FIREBASE_EMULATOR_HUB and, unless it is set,
      GCLOUD_PROJECT. --import loads the documents that `firebase emulators:export DIR` wrote.
      --export-on-exit writes such an export at the end.

      Afterwards --coverage reports what the requests cover, --cost what they cost, --explain why
      they were denied, and --mutate which changes of the rules they would not notice. --record
      writes the requests as a suite, which `test` runs without COMMAND. If COMMAND succeeds but
      --min-coverage, --max-cost or --break is not met, the exit code is 1. If the emulator or the
      rules cannot be used, it is 2. (Docs/Emulator.md)
      """,
    run: ExecCommand.run)

  private static func run(_ options: ExecOptions) throws(UsageProblem) -> ExitStatus {
    let rules: EmulatorRules
    do throws(UsageProblem) {
      rules = try EmulatorRules(options.emulator)
    } catch {
      try options.reporting.refuse([Annotation](error), as: "exec")
      guard let source = error.source else { throw error }
      Complaints(options.reporting.terminal).print(error.diagnostics, in: source)
      return .unusable
    }
    let finalExport = try options.emulator.finalExport(of: options.project)
    var requests = RequestRecording()
    var run: EmulatorRun
    let code: Int32
    var settings = ServerConfiguration()
    if let seed = try options.emulator.seed() { settings.documents = seed.seed }
    run = try EmulatorRun(
      rules, options.emulator, of: options.project, keepsDecisions: !options.isBare,
      isMovable: true, settings)
    do throws(FileProblem) {
      let wakes = try SignalPipe.open(ForegroundCommand.passed + [ForegroundCommand.ending])
      let command = try ForegroundCommand(
        options.command, adding: run.variables(project: options.project))
      code = run.serve(command, wakingBy: wakes) { requests.add($0) }
    } catch {
      throw UsageProblem(error)
    }
    run.close()
    do throws(UsageProblem) {
      try run.export(finalExport, isQuiet: options.reporting.isQuiet)
      let report = try ExecReview(requests, rules, options).report(run.tally, exitCode: code)
      try emit(report, options)
      if code != 0 { ExitStatus.leave(with: code) }
      return ExitStatus(report.conclusion)
    } catch {
      // The caller needs the command's own failure.
      guard code != 0 else { throw error }
      Complaints(options.reporting.terminal).print(error)
      ExitStatus.leave(with: code)
    }
  }

  private static func emit(
    _ report: ExecReport, _ options: ExecOptions
  ) throws(UsageProblem) {
    var style = TestText.Style(
      options.reporting.palette, isQuiet: options.reporting.isQuiet, showsAll: true,
      explainsAll: false, showsCoverage: options.showsCoverage)
    style.showsCost = options.showsCost
    let text = ExecText(style)
    try options.reporting.emit { format in
      switch format {
      case .pretty: text.render(report)
      case .json: report.json.pretty
      case .lcov: LCOVReport(report.requests.coverage ?? CoverageReport()).text
      case .html:
        CoveragePage(
          report.requests.coverage ?? CoverageReport(), result: text.summary(report),
          refusals: report.requests.refusals, notices: report.requests.notices
        ).text
      }
    }
    if options.reporting.isQuiet { return }
    if report.tally.requests == 0 {
      Watch.say("no request came: does the command use FIRESTORE_EMULATOR_HOST?")
    }
    for note in [text.summary(report)] + report.notes { Watch.say(note) }
  }
}
