import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

/// Plays random conversations with a server, for fuzzing: no input may trap, and the server may keep nothing
/// of clients that are gone.
package struct ServerTrial {
  private var server: EmulatorServer
  private var dice: Dice
  private var messages: RandomMessage
  private var now: Timestamp
  /// The streams that were begun on each connection, with their methods.
  private var streams: [[(number: UInt32, method: FirestoreMethod)]]
  private var output = 0
  private var channels: RandomChannelRequest
  /// The end of the output on each HTTP/1.1 connection, in which the ID of a session may begin.
  private var tails: [Int: [UInt8]] = [:]

  /// Steps of one conversation, so that each of the 26 actions occurs twice on average. A conversation takes
  /// 2 ms of processor (1,000 of seed 1, release build).
  private static let steps = 60
  /// Number of HTTP/2 connections.
  private static let http2 = 2
  /// Number of HTTP/1.1 connections. Each may have an open back channel, after which other requests wait.
  private static let http1 = 3
  private static let connections = http2 + http1
  /// Maximum bytes of output of one conversation: no store of a trial exceeds some kilobytes.
  private static let mostOutput = 16 << 20

  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{db}/documents {
        match /a/{id} {
          allow read: if resource == null || resource.data.x != 1;
          allow write: if request.auth.uid == 'alice' && getAfter(request.path).data.size() < 4;
        }
        match /{path=**}/a/{id} { allow list: if request.query.limit < 3; }
      }
    }
    """
  /// Values of the header `authorization`. The second one's claims are `{"sub":"alice"}`; no token is signed.
  private static let tokens = [
    "Bearer owner", "Bearer e30.eyJzdWIiOiJhbGljZSJ9.", "Bearer e30.e30.", "Bearer x", "",
    "Basic x",
  ]

  private init(seed: UInt64) {
    var configuration = ServerConfiguration()
    dice = Dice(seed: seed, 53)
    if dice.chance(70) {
      configuration.generalRules = RulesFile(name: "trial.rules", content: Self.rules)
    }
    configuration.explainsDenials = dice.chance(30)
    configuration.seed = seed
    server = EmulatorServer(configuration)
    messages = RandomMessage(Dice(seed: seed, 54))
    channels = RandomChannelRequest(Dice(seed: seed, 55))
    now = Timestamp(epochSeconds: 1_800_000_000) ?? .epoch
    streams = Array(repeating: [], count: Self.connections)
  }

  /// Plays the conversation of a seed.
  ///
  /// - Returns: The violated property; nil if there is none.
  package static func play(seed: UInt64) -> String? {
    var trial = ServerTrial(seed: seed)
    for number in 0..<connections { trial.open(number) }
    for _ in 0..<steps { trial.step() }
    return trial.end()
  }

  private mutating func open(_ number: Int) {
    server.open(ConnectionID(UInt64(number)))
    streams[number] = []
    tails[number] = nil
    guard number < Self.http2 else { return }
    send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, 0, 0, []), on: number)
  }

  private mutating func step() {
    now = Timestamp(epochSeconds: now.epochSeconds, nanos: Int64(now.nanos) + 1_000) ?? now
    let number = dice.roll(Self.http2)
    switch dice.roll(26) {
    case 0...3: begin(on: number)
    case 4...11: send(on: number)
    case 12...13: end(on: number, flags: 1)
    case 14: end(on: number, flags: nil)
    case 15...16: request()
    case 17:
      let number = dice.roll(Self.connections)
      if dice.chance(30) { server.endOfInput(on: ConnectionID(UInt64(number)), at: now) }
      server.closed(ConnectionID(UInt64(number)))
      open(number)
    case 18...23:
      let bytes = channels.next(as: dice.pick(Self.tokens), &messages)
      send(bytes, on: dice.roll(Self.http2...(Self.connections - 1)))
    case 24:
      let seconds = now.epochSeconds + Int64(dice.roll(70))
      now = Timestamp(epochSeconds: seconds, nanos: Int64(now.nanos)) ?? now
      server.tick(at: now)
    default: _ = server.takeDecisions()
    }
    takeOutput()
  }

  private mutating func begin(on number: Int) {
    let stream = UInt32(2 * streams[number].count + 1)
    let method = dice.pick(Array(FirestoreMethod.allCases) + [.write, .listen, .commit, .listen])
    streams[number].append((stream, method))
    var block: [UInt8] = []
    var fields = [
      (":method", "POST"), (":scheme", "http"), (":authority", "x"),
      (":path", "/google.firestore.v1.Firestore/" + method.name.description),
      ("content-type", "application/grpc"), ("te", "trailers"),
    ]
    let token = dice.pick(Self.tokens)
    if !token.isEmpty { fields.append(("authorization", token)) }
    if dice.chance(10) { fields.append(("grpc-timeout", "\(dice.roll(99))S")) }
    for (name, value) in fields {
      // Lengths of at most 126 bytes take one byte. Longer names and values do not occur.
      block += [0, UInt8(name.utf8.count)] + Array(name.utf8)
      block += [UInt8(value.utf8.count)] + Array(value.utf8)
    }
    send(frame(1, 4, stream, block), on: number)
  }

  private mutating func send(on number: Int) {
    guard !streams[number].isEmpty else { return }
    let (stream, method) = dice.pick(streams[number].suffix(6).map { $0 })
    let bytes = messages.bytes(of: method.request)
    send(frame(0, 0, stream, [0] + big(UInt32(bytes.count)) + bytes), on: number)
    guard !method.isClientStreaming, dice.chance(80) else { return }
    send(frame(0, 1, stream, []), on: number)
  }

  /// Half-closes or cancels a stream.
  private mutating func end(on number: Int, flags: UInt8?) {
    guard !streams[number].isEmpty else { return }
    let stream = dice.pick(streams[number].suffix(6).map { $0 }).number
    send(flags.map { frame(0, $0, stream, []) } ?? frame(3, 0, stream, big(8)), on: number)
  }

  private mutating func request() {
    let root = "projects/p/databases/(default)"
    let (method, target, body) = dice.pick([
      (
        "PUT", "/emulator/v1/projects/p:securityRules",
        "{\"rules\":{\"files\":[{\"content\":\"x\"}]}}"
      ),
      ("GET", "/emulator/v1/projects/p:securityRules", ""),
      ("DELETE", "/emulator/v1/\(root)/documents", ""),
      ("DELETE", "/emulator/v1/\(root)/documents/a/b", ""),
      ("GET", "/v1/\(root)/documents/a?pageSize=-1&orderBy=x%20desc", ""),
      ("PATCH", "/v1/\(root)/documents/a/b", "{\"fields\":{\"x\":{\"integerValue\":\"1\"}}}"),
      (
        "POST", "/v1/\(root)/documents:commit",
        "{\"writes\":[{\"delete\":\"\(root)/documents/a/b\"}]}"
      ),
      ("POST", "/v1/\(root)/documents:runQuery", "{\"structuredQuery\":{\"limit\":1}}"),
      ("POST", "/v1/\(root)/documents/a:nothing", "["), ("OPTIONS", "/%zz", ""),
    ])
    let token = dice.pick(Self.tokens)
    let head =
      "\(method) \(target) HTTP/1.1\r\nhost: x\r\nauthorization: \(token)\r\n"
      + "content-length: \(body.utf8.count)\r\n\r\n"
    send(Array((head + body).utf8), on: Self.connections - 1)
  }

  private mutating func takeOutput() {
    for id in server.connectionsWithOutput {
      let bytes = server.takeOutput(of: id).bytes
      output += bytes.count
      let number = Int(id.number)
      guard number >= Self.http2 else { continue }
      tails[number] = channels.learn(from: (tails[number] ?? []) + bytes)
    }
  }

  private mutating func end() -> String? {
    for number in 0..<Self.connections { server.closed(ConnectionID(UInt64(number))) }
    now = Timestamp(epochSeconds: now.epochSeconds + 200) ?? now
    server.tick(at: now)
    if server.listenerCount > 0 { return "\(server.listenerCount) listeners are left" }
    if server.nextDeadline != nil { return "A deadline is left" }
    if !server.connectionsWithOutput.isEmpty { return "Output is left" }
    if output > Self.mostOutput { return "\(output) bytes of output" }
    return nil
  }

  private mutating func send(_ bytes: [UInt8], on number: Int) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = dice.chance(80) ? rest.count : dice.roll(1...rest.count)
      server.receive(Array(rest.prefix(count)), on: ConnectionID(UInt64(number)), at: now)
      rest = rest.dropFirst(count)
    }
  }

  private func frame(
    _ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]
  ) -> [UInt8] {
    Array(big(UInt32(payload.count))[1...]) + [type, flags] + big(stream) + payload
  }

  private func big(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
  }
}
