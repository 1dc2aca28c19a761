/// Plays bytes to a connection whose server echoes, for fuzzing: no bytes may trap, and the output must be in
/// proportion to the input.
package struct TransportTrial {
  /// The time when the server answers.
  package enum Pace: Sendable {
    /// After each piece of input.
    case atOnce
    /// After all input; events and output then do not depend on the pieces of the input.
    case atEnd
  }

  /// The outcome of a trial.
  package struct Outcome: Equatable, Sendable {
    /// The events in order, as text.
    package var events: [String] = []
    /// All bytes for the client.
    package var output: [UInt8] = []
    /// The violated property; nil if there is none.
    package var problem: String?
  }

  private var connection: ServerConnection
  private let pace: Pace
  private var outcome = Outcome()
  private var unanswered: [ConnectionEvent] = []

  private init(limits: TransportLimits, pace: Pace) {
    connection = ServerConnection(limits: limits)
    self.pace = pace
  }

  /// Plays bytes, in random pieces if there is a seed, and then the end of input.
  package static func play(
    _ input: [UInt8], cutBy seed: UInt64? = nil, pace: Pace = .atOnce,
    limits: TransportLimits = .standard
  ) -> Outcome {
    var trial = TransportTrial(limits: limits, pace: pace)
    if let seed {
      var random = TrialRandom(seed: seed)
      var place = 0
      while place < input.count {
        let most = random.onceIn(3) ? 3 : 2000
        let end = min(input.count, place + 1 + random.below(most))
        trial.receive(Array(input[place..<end]))
        place = end
      }
    } else {
      trial.receive(input)
    }
    trial.answer()
    trial.takeOutput()
    trial.note(trial.connection.endOfInput())
    trial.answer()
    trial.takeOutput()
    trial.check(input.count)
    return trial.outcome
  }

  private mutating func receive(_ bytes: [UInt8]) {
    note(connection.receive(bytes))
    guard pace == .atOnce else { return }
    answer()
    takeOutput()
  }

  private mutating func note(_ events: [ConnectionEvent]) {
    unanswered += events
    for event in events { outcome.events.append(Self.text(of: event)) }
  }

  private mutating func answer() {
    for event in unanswered {
      switch event {
      case .request(let request, let stream):
        if request.method == "DELETE" {
          connection.begin(HTTPResponse(), to: stream)
          connection.sendChunk(Array(request.target.utf8), on: stream)
          connection.endChunks(on: stream)
        } else {
          connection.respond(HTTPResponse(body: request.body), to: stream)
        }
      case .call: break
      case .message(let message, let stream): connection.send(message: message, on: stream)
      case .halfClosed(let stream): connection.finish(stream, with: .ok)
      case .cancelled(let stream): connection.finish(stream, with: CallStatus(.cancelled))
      }
    }
    unanswered = []
  }

  private mutating func takeOutput() {
    outcome.output += connection.takeOutput()
    if connection.hasOutput, !connection.takeOutput().isEmpty {
      outcome.problem = "Output is left behind"
    }
  }

  /// Echoes and refusals have at most some hundred bytes for ten bytes of input.
  private mutating func check(_ inputSize: Int) {
    if outcome.output.count > 64 * inputSize + 1000 {
      outcome.problem = "\(outcome.output.count) bytes of output for \(inputSize)"
    } else if !connection.isFinished {
      outcome.problem = "The connection does not end with its input"
    } else if connection.queuedBytes > 0 {
      outcome.problem = "\(connection.queuedBytes) bytes wait at the end"
    }
  }

  private static func text(of event: ConnectionEvent) -> String {
    switch event {
    case .request(let request, let stream):
      "\(stream.number) \(request.method) \(request.target) \(request.headers.count) "
        + sum(request.body)
    case .call(let head, let stream):
      "\(stream.number) call \(head.path) \(head.metadata.count) \(head.timeout ?? 0)"
    case .message(let message, let stream): "\(stream.number) message \(sum(message))"
    case .halfClosed(let stream): "\(stream.number) half-closed"
    case .cancelled(let stream): "\(stream.number) cancelled"
    }
  }

  private static func sum(_ bytes: [UInt8]) -> String {
    let sum = bytes.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
    return "\(bytes.count) \(sum)"
  }
}
