import FirestoreServer
import FirestoreStore
import RulesEval
import RulesHost
import RulesLang

/// The emulator as a handler of connections, for the event loop.
struct EmulatorService: ConnectionHandler {
  /// The emulator.
  var server: EmulatorServer
  /// True if bytes of a client have come since the last tick.
  private var hasReceived = false

  /// Creates an emulator that begins with some rules.
  ///
  /// - Parameters:
  ///   - address: Its address.
  ///   - keepsDecisions: True to keep each decision until it is taken.
  ///   - settings: Further settings of the server.
  init(
    _ rules: EmulatorRules, at address: ServerAddress, keepsDecisions: Bool,
    _ settings: ServerConfiguration
  ) {
    var configuration = settings
    for entry in rules.entries {
      let file = Self.file(entry)
      if let database = entry.database {
        configuration.rules[database] = file
      } else {
        configuration.generalRules = file
      }
    }
    configuration.keepsDecisions = keepsDecisions
    configuration.coverageReport = { EmulatorCoverage.report(on: $0, $1, named: $2) }
    configuration.coveragePage = { EmulatorCoverage.page(on: $0, $1, named: $2) }
    configuration.address = address
    configuration.seed = Clock.nanoseconds
    server = EmulatorServer(configuration)
  }

  private static func file(_ entry: EmulatorRules.Entry) -> RulesFile {
    RulesFile(
      name: FilePath.name(of: entry.path),
      content: String(decoding: entry.source.bytes, as: UTF8.self))
  }

  /// Replaces the initial rules, which apply until others are uploaded.
  mutating func replace(_ rules: EmulatorRules) {
    var named: [DatabaseName: RulesFile] = [:]
    for entry in rules.entries {
      if let database = entry.database { named[database] = Self.file(entry) }
    }
    let general = rules.entries.first { $0.database == nil }.map { Self.file($0) }
    server.replaceRules(named, general: general)
  }

  // MARK: Connections

  /// Handles a new connection.
  mutating func open(_ connection: Int) { server.open(ConnectionID(UInt64(connection))) }

  /// Handles bytes of a client, at the current time.
  mutating func receive(_ bytes: [UInt8], on connection: Int) {
    hasReceived = true
    server.receive(bytes, on: ConnectionID(UInt64(connection)), at: Clock.moment)
  }

  /// Handles the end of a client's input.
  mutating func endOfInput(on connection: Int) {
    server.endOfInput(on: ConnectionID(UInt64(connection)), at: Clock.moment)
  }

  /// Ends the calls of a closed connection.
  mutating func closed(_ connection: Int) { server.closed(ConnectionID(UInt64(connection))) }

  /// Does what is due at the present time. Requests are counted for coverage in a turn without input: their
  /// answers are sent then, and the next client waits for few.
  mutating func tick() {
    server.tick(at: Clock.moment)
    if !hasReceived { server.countCoverage() }
    hasReceived = false
  }

  /// Milliseconds until an action is due, at most a minute; nil if there is none.
  var patience: Int32? {
    // The owner may have answered a request since the last turn.
    if server.hasOutput || server.hasUncounted { return 0 }
    return server.nextDeadline.map { time in
      let now = Clock.moment
      guard time > now else { return 0 }
      let seconds = time.epochSeconds - now.epochSeconds
      // Waits of more than a minute are split.
      return seconds > 60
        ? 60_000 : Int32(seconds * 1000 + Int64(time.nanos - now.nanos) / 1_000_000 + 1)
    }
  }

  /// Returns the number of bytes that the emulator holds for a connection.
  func heldBytes(of connection: Int) -> Int {
    server.heldBytes(of: ConnectionID(UInt64(connection)))
  }

  /// Returns the connections that may have output.
  mutating func takeReady() -> [Int] { server.connectionsWithOutput.map { Int($0.number) } }

  /// Returns the output for a client, and true if its connection closes after it.
  mutating func takeOutput(of connection: Int) -> (bytes: [UInt8], closes: Bool) {
    server.takeOutput(of: ConnectionID(UInt64(connection)))
  }
}
