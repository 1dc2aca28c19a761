import FirestoreServer
import FirestoreTransport
import RulesHost

/// `rules-check-dev fuzz`: hostile bytes for the parts of the emulator that read them.
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

      COUNT counts executions. One execution is the work on the bytes of one seed:

        --connections  a conversation of HTTP/1.1 or HTTP/2 of up to 32 frames, played three times
        --frames       a conversation of HTTP/2 of up to 6 frames or pairs of frames, played once
        --hpack        up to five header blocks of one connection, and a damaged one behind them
        --gzip         a compressed message of up to four blocks, damaged in half of the cases
        --messages     one message of the table in protobuf, read, and written and read as both
        --json         one message of the table in JSON, read, and written and read as both
        --exports      an export of one document, with a record that is damaged in most cases
        --tokens       one header `authorization`
        --channels     a session of WebChannel in 40 steps, or one request of it
        --servers      60 calls, frames or requests on three connections of one server

      The report says how many of them the reader took, and how many it refused.
      """,
    run: FuzzCommand.run)

  private static func run(_ options: FuzzOptions) throws(UsageProblem) -> ExitStatus {
    var lines: [String] = []
    var failures: [String] = []
    for (target, count) in options.counts {
      var taken = 0
      var refused = 0
      var failed = 0
      for number in 0..<UInt64(count) {
        let seed = options.seed &+ number
        switch target.play(seed) {
        case .taken: taken += 1
        case .refused: refused += 1
        case .failed(let problem):
          failed += 1
          // Twenty failures suffice to see the problem.
          if failed <= 20 { failures.append("\(target.name) \(seed): \(problem)") }
        }
      }
      lines.append(
        "\(target.name): \(count) executions from seed \(options.seed) on, \(taken) taken, "
          + "\(refused) refused, \(failed) failed")
    }
    try options.reporting.emit { _ in (lines + failures).map { $0 + "\n" }.joined() }
    return failures.isEmpty ? .success : .failure
  }
}

/// One part of the emulator that reads bytes of clients.
struct FuzzTarget: Sendable {
  /// The name in reports.
  let name: String
  /// The option for the number of executions.
  let option: Option<Int>
  /// Runs the target on the bytes of a seed.
  let play: @Sendable (UInt64) -> TrialOutcome

  private init(
    _ name: String, _ what: String, play: @escaping @Sendable (UInt64) -> TrialOutcome
  ) {
    self.name = name
    option = Option<Int>(
      name: "--" + name, value: "COUNT", in: 0...1_000_000_000, summary: "how many \(what)",
      refusal: { UsageProblem("`\($1)` needs a number, not `\($0)`") })
    self.play = play
  }

  /// All targets, in the order of their reports.
  static let all = [
    FuzzTarget("connections", "conversations of HTTP/1.1 and HTTP/2") {
      ConnectionFuzz.play(seed: $0)
    },
    FuzzTarget("frames", "short conversations of HTTP/2") { ConnectionFuzz.playFrames(seed: $0) },
    FuzzTarget("hpack", "header lists of a connection") { HPACKTrial.play(seed: $0) },
    FuzzTarget("gzip", "compressed messages") { GzipTrial.play(seed: $0) },
    FuzzTarget("messages", "messages in protobuf") { MessageFuzz.play(seed: $0) },
    FuzzTarget("json", "messages in JSON") { JSONFuzz.play(seed: $0) },
    FuzzTarget("exports", "exports of the official emulator") { ExportFuzz.play(seed: $0) },
    FuzzTarget("tokens", "tokens of users") { TokenTrial.play(seed: $0) },
    FuzzTarget("channels", "sessions and requests of WebChannel") { ChannelTrial.play(seed: $0) },
    FuzzTarget("servers", "servers with random calls") { seed in
      ServerTrial.play(seed: seed).map { TrialOutcome.failed($0) } ?? .taken
    },
  ]
}

/// The command line of `fuzz`.
struct FuzzOptions: CommandOptions {
  /// The first seed.
  static let seed = Option<Int>(
    name: "--seed", value: "SEED", in: 0...Int.max, summary: "the first seed (1 by default)",
    refusal: { UsageProblem("`\($1)` needs a whole number from 0 on, not `\($0)`") })

  /// The options of the command.
  static let table: [any OptionRow] = [seed] + FuzzTarget.all.map { $0.option }

  /// The first seed.
  let seed: UInt64
  /// The targets with the number of their executions, none of which is 0.
  let counts: [(target: FuzzTarget, count: Int)]
  /// The destination of the report.
  let reporting: Reporting<PlainFormat>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    seed = UInt64(try invocation[Self.seed] ?? 1)
    reporting = try Reporting(invocation)
    var counts: [(target: FuzzTarget, count: Int)] = []
    for target in FuzzTarget.all {
      if let count = try invocation[target.option], count > 0 { counts.append((target, count)) }
    }
    self.counts = counts
    if counts.isEmpty {
      let names = FuzzTarget.all.map { $0.option.name }
      throw UsageProblem(
        "nothing is to be read", help: "give one of \(names.joined(separator: ", "))")
    }
  }
}
