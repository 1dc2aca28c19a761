import FirestoreServer
import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesReport

/// `rules-check serve`: a Firestore emulator that runs until it is stopped.
enum ServeCommand {
  /// The command.
  static let command = Command(
    name: "serve", operands: "", operandCount: 0...0,
    summary: "a Firestore emulator for apps and tests",
    details: """
      Starts a Firestore emulator that SDKs find by FIRESTORE_EMULATOR_HOST. It prints its address
      once it listens, and serves until Ctrl-C. It starts with the rules of the project, as `check`
      finds them, and reloads them when a file changes. A terminal shows one line per request: the
      verdict, the client, the request, and the deciding statement. Open the address in a browser to
      see the requests as they come: why each was allowed or denied, the rules with their coverage,
      and each request as a test, which --record adds to a suite. --import loads the documents that
      `firebase emulators:export DIR` wrote. --export-on-exit writes such an export at the end.

      Only programs on this machine can reach it. If --host is not localhost, anyone who reaches the
      emulator can become administrator with the token `owner`. (Docs/Emulator.md)
      """,
    run: ServeCommand.run)

  private static func run(_ options: ServeOptions) throws(UsageProblem) -> ExitStatus {
    let rules: EmulatorRules
    do throws(UsageProblem) {
      rules = try EmulatorRules(options.emulator)
    } catch {
      guard let source = error.source else { throw error }
      Complaints(options.reporting.terminal).print(error.diagnostics, in: source)
      return .unusable
    }
    var reload = RulesReload(rules, options.emulator, options.reporting)
    var settings = ServerConfiguration()
    settings.onlyProject = options.onlyProject
    let seed = try options.emulator.seed()
    if let seed { settings.documents = seed.seed }
    settings.explainsDenials = options.explainsDenials
    settings.passesOn = { LiveGuard.isOwn($0) }
    var run = try EmulatorRun(
      rules, options.emulator, of: options.project, keepsDecisions: true, isMovable: false,
      settings)
    var live = LiveView(
      host: options.emulator.host, start: Clock.nanoseconds, recorder: recorder(options))
    do throws(FileProblem) {
      let wakes = try SignalPipe.open(ForegroundCommand.passed)
      announce(run, rules, seed, options)
      let line = DecidedCallText(options.reporting.palette)
      let isShown = Terminal.isInteractive && !options.reporting.isQuiet
      run.serve(wakingBy: wakes) { call in
        if isShown { Terminal.print(line.text(of: call)) }
        live.add(call)
      } turned: { service in
        reload.look(&service)
        live.serve(&service.server)
      }
    } catch {
      throw UsageProblem(error)
    }
    run.close()
    try run.export(options.finalExport, isQuiet: options.reporting.isQuiet)
    return .success
  }

  /// Returns the recorder that adds requests to the suite of the command line; nil if there is none.
  private static func recorder(_ options: ServeOptions) -> LiveView.Recorder? {
    guard let path = options.recordPath else { return nil }
    return { call throws(UsageProblem) in
      guard let suite = LiveTest.suite(of: call) else { return (0, path) }
      // The rules may have changed since the start.
      guard let file = try EmulatorRules(options.emulator).file(of: suite.loaded.engine.rules)
      else {
        throw UsageProblem(
          "The rules that decided the request are not, or no longer, a file of the project: a "
            + "suite names the file of its rules.")
      }
      return (try suite.write(to: path, rules: file.path, on: options.reporting.terminal), path)
    }
  }

  private static func announce(
    _ run: EmulatorRun, _ rules: EmulatorRules, _ seed: EmulatorSeed?, _ options: ServeOptions
  ) {
    Terminal.print("Firestore emulator on \(run.address)\n")
    if options.reporting.isQuiet { return }
    let files = rules.entries.map { entry in
      Printable.text(entry.path) + (entry.database?.suffix ?? "")
    }
    Watch.say(
      files.isEmpty
        ? "there are no rules here: every request is allowed until rules are sent"
        : "rules: \(files.joined(separator: ", "))")
    if let seed { Watch.say("each project begins with \(seed.words)") }
    Watch.say("http://\(run.address)/ shows the requests in a browser")
    Watch.say("export FIRESTORE_EMULATOR_HOST=\(run.address); Ctrl-C ends it")
    if !options.ignored.isEmpty {
      Watch.say("without effect here: \(options.ignored.joined(separator: ", "))")
    }
    if options.emulator.host != EmulatorOptions.loopback, !run.address.hasPrefix("127.") {
      Watch.say(
        "anyone who reaches \(run.address) can become administrator with `Bearer owner`")
    }
    // Scripts that start the official emulator wait for these words.
    Watch.say("Dev App Server is now running.")
  }
}
