import FirestoreTransport
import FirestoreWire
import RulesHost
import RulesLang

/// One emulator with a client that plays a sequence of calls to it, all on one connection.
final class CallSide {
  /// The number of messages to each listener in a step, which the other side waits for.
  typealias Heard = [CallUser: Int]

  /// A stream of a user.
  private struct Key: Hashable {
    var user: CallUser
    var method: FirestoreMethod
  }

  private let link: any CallLink
  private var client: ClientConnection
  private(set) var memory: CallMemory
  private var plain: PlainAnswer
  private var streams: [Key: StreamID] = [:]
  private var keys: [StreamID: Key] = [:]
  /// Messages that have arrived and were not returned yet.
  private var messages: [StreamID: [WireMessage]] = [:]
  private var ends: [StreamID: CallStatus] = [:]
  /// The method of the unary call that is being answered.
  private var pending = FirestoreMethod.getDocument

  /// Milliseconds to wait for an answer: three times the two seconds of a lock.
  private static let patience = 6_000
  /// Maximum milliseconds to wait for messages that the other side's listeners have got already. Of 300
  /// commits the last message came 1 ms before the answer in the median, and at most 153 ms after it, with a
  /// load of 15 on two processors.
  private static let listenerPatience = 1_000

  /// Creates a side whose client has a connection of its own.
  init(_ link: any CallLink, project: String) {
    self.link = link
    client = ClientConnection(authority: "127.0.0.1:8080")
    memory = CallMemory(project: project)
    plain = PlainAnswer(project: project)
  }

  // MARK: Steps

  /// Performs a step.
  ///
  /// - Parameters:
  ///   - awaited: The numbers of messages that the other side's listeners got in this step.
  ///   - quiet: Milliseconds without a message after which listeners are assumed to have sent everything.
  func take(
    _ step: CallStep, awaited: Heard, quiet: Int
  ) throws(EmulatorClient.Problem) -> CallAnswer {
    guard let stream = try begin(step) else { return CallAnswer() }
    try wait(Self.patience) { isAnswered(step, stream) }
    try wait(Self.listenerPatience) {
      awaited.allSatisfy { user, count in heardCount(user) >= count }
    }
    if streams.keys.contains(where: { $0.method == .listen }) || step.method == .listen {
      try settle(quiet)
    }
    return answer(to: step, on: stream)
  }

  /// Ends the stream of a step, after an accepted difference about it.
  func abandon(_ step: CallStep) {
    let key = Key(user: step.user, method: step.method)
    guard let stream = streams.removeValue(forKey: key) else { return }
    keys[stream] = nil
    client.cancel(stream)
  }

  /// Sends the request of a step; nil for the end of a stream that does not exist.
  private func begin(_ step: CallStep) throws(EmulatorClient.Problem) -> StreamID? {
    let key = Key(user: step.user, method: step.method)
    let stream: StreamID
    switch step.action {
    case .unary(let method):
      pending = method
      stream = call(method, step.user)
      client.send(message: bytes(step.candidate(memory)), on: stream)
      client.halfClose(stream)
    case .message(let method):
      if streams[key] == nil { try open(key) }
      guard let open = streams[key] else { return nil }
      stream = open
      var message = step.candidate(memory)
      if method == .listen { message[.listenRequestDatabase] = memory.database }
      client.send(message: bytes(message), on: stream)
    case .end:
      guard let open = streams[key] else { return nil }
      stream = open
      client.halfClose(stream)
    }
    try flush()
    return stream
  }

  private func open(_ key: Key) throws(EmulatorClient.Problem) {
    let stream = call(key.method, key.user)
    streams[key] = stream
    keys[stream] = key
    guard key.method == .write else { return }
    let hello = WireMessage(.writeRequest) { $0[.writeRequestDatabase] = memory.database }
    client.send(message: bytes(hello), on: stream)
    try flush()
    try wait(Self.patience) { messages[stream] != nil || ends[stream] != nil }
    messages[stream] = nil
  }

  private func call(_ method: FirestoreMethod, _ user: CallUser) -> StreamID {
    // The header of all SDKs, without which the official emulator does not know the database of a stream.
    let database = HTTPHeader("google-cloud-resource-prefix", String(memory.database))
    return client.begin(
      path: "\(FirestoreMethod.service)/\(method.name)", metadata: user.headers + [database])
  }

  private func bytes(_ message: WireMessage) -> [UInt8] {
    message.protobuf(project: memory.project)
  }

  // MARK: Answers

  private func isAnswered(_ step: CallStep, _ stream: StreamID) -> Bool {
    if ends[stream] != nil { return true }
    switch step.action {
    case .unary, .end: return false
    // A target that is removed and nothing else is answered with one message, or with none.
    case .message(.listen): return true
    case .message: return messages[stream] != nil
    }
  }

  private func heardCount(_ user: CallUser) -> Int {
    guard let stream = streams[Key(user: user, method: .listen)] else { return .max }
    return ends[stream] != nil ? .max : messages[stream]?.count ?? 0
  }

  private func answer(to step: CallStep, on stream: StreamID) -> CallAnswer {
    var answer = CallAnswer()
    if step.method != .listen {
      let own = messages.removeValue(forKey: stream) ?? []
      for message in own { memory.note(message, transaction: step.transaction) }
      answer.messages = own.map { plain.text(of: $0) }
    }
    answer.status = ends.removeValue(forKey: stream)
    if let message = answer.status?.message {
      answer.status?.message = PlainAnswer.text(of: message)
    }
    for stream in messages.keys.sorted() {
      guard let key = keys[stream], let heard = messages.removeValue(forKey: stream) else {
        continue
      }
      answer.heard[key.user, default: []] += heard.map { plain.text(of: $0) }
    }
    // Streams that end without being asked, as listeners whose query the emulator cannot answer.
    for (ended, status) in ends.sorted(by: { $0.key < $1.key }) {
      guard let key = keys.removeValue(forKey: ended) else { continue }
      streams[key] = nil
      ends[ended] = nil
      let text = PlainAnswer.text(of: status.message)
      answer.heard[key.user, default: []].append("the end: \(status.code.name) \(text)")
    }
    if answer.status != nil, let key = keys.removeValue(forKey: stream) { streams[key] = nil }
    return answer
  }

  // MARK: Bytes

  private func flush() throws(EmulatorClient.Problem) {
    let bytes = client.takeOutput()
    if !bytes.isEmpty { try link.send(bytes) }
  }

  /// Reads until a condition holds or the time is over.
  private func wait(
    _ milliseconds: Int, until isDone: () -> Bool
  ) throws(EmulatorClient.Problem) {
    // Pieces of the 20 ms after which it looks again; nothing depends on the piece in which bytes come.
    let piece = 20
    for _ in 0..<milliseconds / piece {
      if isDone() || client.isFailed { return }
      var bytes = try link.receive(within: piece)
      while !bytes.isEmpty {
        try read(bytes)
        if isDone() { return }
        bytes = try link.receive(within: piece)
      }
    }
  }

  /// Reads until nothing arrives for some time.
  private func settle(_ milliseconds: Int) throws(EmulatorClient.Problem) {
    while true {
      let bytes = try link.receive(within: milliseconds)
      if bytes.isEmpty { return }
      try read(bytes)
    }
  }

  private func read(_ bytes: [UInt8]) throws(EmulatorClient.Problem) {
    for event in client.receive(bytes) {
      switch event {
      case .message(let bytes, let stream): take(bytes, on: stream)
      case .ended(let status, let stream): ends[stream] = status
      case .failed(let why): throw EmulatorClient.Problem(message: "the connection ends: \(why)")
      }
    }
    try flush()
  }

  private func take(_ bytes: [UInt8], on stream: StreamID) {
    let method = keys[stream]?.method ?? pending
    do throws(WireProblem) {
      messages[stream, default: []].append(
        try WireMessage(protobuf: bytes, as: method.response, project: memory.project))
    } catch {
      ends[stream] = CallStatus(.internal, "The answer cannot be read")
    }
  }
}
