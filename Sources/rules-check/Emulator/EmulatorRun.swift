import FirestoreServer
import RulesHost
import RulesLang
import RulesProofReport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A running emulator, which serves until it is stopped.
struct EmulatorRun {
  /// The listening sockets: the emulator's first, then that of the hub if it has a port of its own.
  private let listeners: [ListeningSocket]
  private var loop: ConnectionLoop<EmulatorService>

  /// Starts listening.
  ///
  /// - Throws: The reason why no port is available.
  /// - Parameters:
  ///   - project: The project whose documents the hub exports, if several have some.
  ///   - isMovable: True if any free port will do where the usual one is taken.
  ///   - settings: Further settings of the server.
  init(
    _ rules: EmulatorRules, _ options: EmulatorOptions, of project: String,
    keepsDecisions: Bool, isMovable: Bool, _ settings: ServerConfiguration = ServerConfiguration()
  ) throws(UsageProblem) {
    let expected = try options.expectedPort()
    let hub = try options.expectedHub()
    do throws(FileProblem) {
      listeners = try Self.listen(options, at: expected, hub: hub, isMovable: isMovable)
    } catch {
      throw UsageProblem(error)
    }
    let listener = listeners[0]
    let address = ServerAddress(
      host: options.host == EmulatorOptions.loopback ? "127.0.0.1" : options.host,
      port: Int(listener.port), process: Int(getpid()))
    var settings = settings
    // Only programs on this machine may read and write files here.
    let isLocal = listeners.allSatisfy { listener in
      listener.addresses.allSatisfy { $0.hasPrefix("127.") || $0.hasPrefix("[::1]") }
    }
    if isLocal {
      settings.exportWriter = { EmulatorExport.answer($0, in: $1, named: $2) }
      settings.importReader = { EmulatorSeed.answer($0) }
      settings.hubExporter = FinalExport.exporter(of: project)
    }
    loop = ConnectionLoop(
      listeners,
      handler: EmulatorService(rules, at: address, keepsDecisions: keepsDecisions, settings))
  }

  /// The first address of the emulator, as `HOST:PORT`.
  var address: String { listeners[0].addresses.first ?? "" }

  private static func listen(
    _ options: EmulatorOptions, at expected: UInt16, hub: UInt16, isMovable: Bool
  ) throws(FileProblem) -> [ListeningSocket] {
    func listener(_ port: UInt16) throws(FileProblem) -> ListeningSocket {
      try ListeningSocket(host: options.host, port: port)
    }
    var listeners: [ListeningSocket] = []
    if let port = options.port {
      listeners = [try listener(port)]
    } else if isMovable {
      let usual = try? listener(expected)
      if let usual { listeners = [usual] } else { listeners = [try listener(0)] }
    } else {
      listeners = [try listener(expected)]
    }
    // The hub is on the emulator's port, too: that another hub has its own port is not a problem.
    if hub != listeners[0].port, let second = try? listener(hub) { listeners.append(second) }
    return listeners
  }

  /// Returns the environment variables that tell a command of the emulator.
  func variables(project: String) -> [(name: String, value: String)] {
    var variables = [
      "FIRESTORE_EMULATOR_HOST", "FIREBASE_FIRESTORE_EMULATOR_ADDRESS", "FIREBASE_EMULATOR_HUB",
    ].map { (name: $0, value: address) }
    if !ProcessEnvironment.has("GCLOUD_PROJECT") { variables.append(("GCLOUD_PROJECT", project)) }
    return variables
  }

  /// The counts of requests so far, by outcome.
  var tally: ExecReport.Tally {
    let counts = loop.handler.server.decisionCounts
    var tally = ExecReport.Tally()
    tally.allowed = counts.allowed
    tally.denied = counts.denied
    tally.admin = counts.admin
    tally.open = counts.open
    tally.refused = counts.refused
    return tally
  }

  /// Serves until a command has ended, and returns its exit code. Signals are passed on to the command.
  mutating func serve(
    _ command: ForegroundCommand, wakingBy wakes: Int32, _ keep: (DecidedCall) -> Void
  ) -> Int32 {
    while true {
      let isWoken = loop.turn(wakingBy: wakes)
      takeDecisions(keep)
      guard isWoken else { continue }
      for arrival in SignalPipe.take() where arrival.signal != ForegroundCommand.ending {
        // A terminal sends its signals to the command, too.
        if arrival.isFromProgram { command.send(arrival.signal) }
      }
      if let code = command.exitCode() {
        takeDecisions(keep)
        return code
      }
    }
  }

  /// Serves until a signal or a client asks to stop. `turned` is called several times a second.
  mutating func serve(
    wakingBy wakes: Int32, _ keep: (DecidedCall) -> Void,
    turned: (inout EmulatorService) -> Void
  ) {
    while !loop.handler.server.isShutDown {
      let isWoken = loop.turn(wakingBy: wakes, patience: Self.patience)
      takeDecisions(keep)
      turned(&loop.handler)
      if isWoken, !SignalPipe.take().isEmpty { return }
    }
    // The last answers are still to be sent.
    _ = loop.turn(wakingBy: wakes, patience: 0)
  }

  /// Milliseconds until a changed file is noticed.
  private static let patience: Int32 = 200

  private mutating func takeDecisions(_ keep: (DecidedCall) -> Void) {
    for call in loop.handler.server.takeDecisions() { keep(call) }
    for notice in loop.handler.server.takeNotices() { Watch.say(notice) }
  }

  /// Exports the documents, if that is wanted, and reports it.
  func export(_ export: FinalExport?, isQuiet: Bool) throws(UsageProblem) {
    guard let export else { return }
    for line in try export.write(loop.handler.server.databases) where !isQuiet { Watch.say(line) }
  }

  /// Closes all connections.
  mutating func close() { loop.closeAll() }
}
