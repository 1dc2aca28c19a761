import FirestoreServer
import RulesEval
import RulesHost

/// A connection to one of the two emulators.
protocol CallLink: AnyObject {
  /// Sends all bytes.
  func send(_ bytes: [UInt8]) throws(EmulatorClient.Problem)
  /// Waits for bytes; empty if nothing arrives in time.
  func receive(within milliseconds: Int) throws(EmulatorClient.Problem) -> [UInt8]
}

extension EmulatorLink: CallLink {}

/// Our emulator in this process, without sockets. Its clock only advances by waiting, so that the answers
/// depend on the calls alone.
final class ServerLink: CallLink {
  private var server: EmulatorServer
  /// Milliseconds since the beginning.
  private var elapsed: Int64 = 0

  private static let connection = ConnectionID(1)
  /// The start of the clock, in milliseconds: a day in 2027.
  private static let start: Int64 = 1_800_000_000_000

  /// Starts an emulator whose databases have rules.
  init(rules: String) {
    var configuration = ServerConfiguration()
    configuration.generalRules = RulesFile(name: "firestore.rules", content: rules)
    configuration.keepsDecisions = false
    server = EmulatorServer(configuration)
    server.open(Self.connection)
  }

  private var now: Timestamp { Timestamp(milliseconds: Self.start + elapsed) ?? .epoch }

  /// Sends all bytes.
  func send(_ bytes: [UInt8]) {
    elapsed += 1
    server.receive(bytes, on: Self.connection, at: now)
  }

  /// Advances the clock, performs the actions that are due, and returns the bytes sent; empty if there are
  /// none.
  func receive(within milliseconds: Int) -> [UInt8] {
    for _ in 0..<milliseconds {
      let bytes = server.takeOutput(of: Self.connection).bytes
      if !bytes.isEmpty { return bytes }
      elapsed += 1
      if let deadline = server.nextDeadline, deadline <= now { server.tick(at: now) }
    }
    return server.takeOutput(of: Self.connection).bytes
  }
}
