import FirestoreServer
import RulesHost

/// `rules-check-dev fuzz`: hostile bytes against the parts of the emulator that read them.
enum FuzzCommand {
  /// The command.
  static let command = Command(
    name: "fuzz", operands: "", operandCount: 0...0,
    summary: "hostile bytes against the emulator's readers",
    details: """
      Draws bytes from a seed and gives them to what reads the bytes of clients. Nothing may trap; what
      comes out stays in proportion to what went in, does not depend on how the input was cut, and what
      was read of a message is what is read of it once it is written down. Exits 1 with the seed of what
      went wrong.
      """,
    run: FuzzCommand.run)

  private static func run(_ options: FuzzOptions) throws(UsageProblem) -> ExitStatus {
    var failures: [String] = []
    for number in 0..<UInt64(options.connections) {
      if let problem = ConnectionFuzz.problem(seed: options.seed &+ number) {
        failures.append("connection \(options.seed &+ number): \(problem)")
      }
    }
    for number in 0..<UInt64(options.messages) {
      if let problem = MessageFuzz.problem(seed: options.seed &+ number) {
        failures.append("message \(options.seed &+ number): \(problem)")
      }
    }
    for number in 0..<UInt64(options.servers) {
      if let problem = ServerTrial.play(seed: options.seed &+ number) {
        failures.append("server \(options.seed &+ number): \(problem)")
      }
    }
    try options.reporting.emit { _ in
      "\(options.connections) connections, \(options.messages) messages, \(options.servers) servers: "
        + "\(failures.count) failed\n" + failures.prefix(20).map { $0 + "\n" }.joined()
    }
    return failures.isEmpty ? .success : .failure
  }
}

/// The command line of `fuzz`.
struct FuzzOptions: CommandOptions {
  /// The first seed.
  static let seed = Option<Int>(
    name: "--seed", value: "SEED", in: 0...Int.max, summary: "the first seed (1 by default)",
    refusal: { UsageProblem("`\($1)` needs a whole number from 0 on, not `\($0)`") })
  /// Conversations for the transport.
  static let connections = count("--connections", "conversations of HTTP/1.1 and HTTP/2")
  /// Bytes for the reader of messages.
  static let messages = count("--messages", "messages in protobuf")
  /// Conversations with whole servers.
  static let servers = count("--servers", "servers with random calls")

  /// The options of the command.
  static let table: [any OptionRow] = [seed, connections, messages, servers]

  /// The first seed.
  let seed: UInt64
  /// How many conversations are played to a connection.
  let connections: Int
  /// How many messages are read.
  let messages: Int
  /// How many servers are talked to.
  let servers: Int
  /// The destination of the report.
  let reporting: Reporting<PlainFormat>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    seed = UInt64(try invocation[Self.seed] ?? 1)
    connections = try invocation[Self.connections] ?? 0
    messages = try invocation[Self.messages] ?? 0
    reporting = try Reporting(invocation)
    servers = try invocation[Self.servers] ?? 0
    if connections + messages + servers == 0 {
      throw UsageProblem(
        "nothing is to be read",
        help: "give \(Self.connections.name), \(Self.messages.name) or \(Self.servers.name)")
    }
  }

  private static func count(_ name: String, _ what: String) -> Option<Int> {
    Option<Int>(
      name: name, value: "COUNT", in: 0...1_000_000_000, summary: "how many \(what)",
      refusal: { UsageProblem("`\($1)` needs a number, not `\($0)`") })
  }
}
