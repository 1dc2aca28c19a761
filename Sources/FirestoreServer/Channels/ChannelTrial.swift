package import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang

/// Plays a WebChannel session with a client that resends, skips, forges and reconnects, for fuzzing. The
/// texts and arrays that were sent are recorded as a simple model of both directions.
package struct ChannelTrial {
  private var random: TrialRandom
  private var channel: Channel
  private var now: Timestamp
  /// The number of the first message.
  private let first: Int
  /// The texts that the client has sent, by their numbers from `first` on; nil for a number without one.
  private var sent: [[UInt8]?] = []
  /// The sent texts that the session has delivered.
  private var received: [[UInt8]] = []
  /// The arrays that were sent, from number 1 on; nil for a keep-alive of the session.
  private var said: [[UInt8]?] = []
  /// The number of the last array that the client has acknowledged.
  private var acknowledged = 0
  /// The number of the last array that arrived on the open back channel; nil without one.
  private var last: Int?

  /// Steps of one session, so that each of the eight actions occurs five times on average. A trial takes 0.13
  /// ms of processor (100,000 of seed 1, half of them sessions, release build).
  private static let steps = 40

  private init(seed: UInt64) {
    random = TrialRandom(seed: seed)
    now = Timestamp(epochSeconds: 1_800_000_000) ?? .epoch
    first = random.onceIn(2) ? 0 : random.below(1 << 30)
    channel = Channel(.listen, first: first, at: now)
  }

  /// Plays the session of a seed, or reads the requests of a seed.
  package static func play(seed: UInt64) -> TrialOutcome {
    var trial = ChannelTrial(seed: seed)
    if trial.random.onceIn(2) { return trial.readRequest() }
    for _ in 0..<steps {
      do throws(Wrong) {
        guard try trial.step() else { return .refused }
      } catch {
        return .failed(error.what)
      }
    }
    return .taken
  }

  /// A violated property.
  private struct Wrong: Error { var what: String }

  private func require(_ holds: Bool, _ what: @autoclosure () -> String) throws(Wrong) {
    if !holds { throw Wrong(what: what()) }
  }

  // MARK: Sessions

  /// Plays one step.
  ///
  /// - Returns: False if the session is over.
  private mutating func step() throws(Wrong) -> Bool {
    switch random.below(8) {
    case 0...2: try send()
    case 3...4: speak()
    case 5: try reconnect()
    case 6:
      channel.closeBack()
      last = nil
    default: return try wait()
    }
    try hear()
    let kept = said[acknowledged...].compactMap { $0 }.reduce(0) { $0 + $1.count }
    let noops = said[acknowledged...].count { $0 == nil } * Self.noop.count
    try require(channel.keptBytes == kept + noops, "the bytes that are kept are miscounted")
    return true
  }

  private static let noop = Array("\"noop\"".utf8)

  /// Sends messages, new ones after repeated ones or after a gap, and acknowledges arrays.
  private mutating func send() throws(Wrong) {
    let again = random.onceIn(3) ? random.below(sent.count + 1) : 0
    let skips = random.onceIn(6)
    let fresh = (0..<random.below(4)).map { number -> [UInt8]? in
      random.onceIn(8) ? nil : Array("{\"m\":\(sent.count + number)}".utf8)
    }
    let start = skips ? sent.count + 1 + random.below(3) : sent.count - again
    let texts = skips ? fresh : Array(sent[start...]) + fresh
    let claim = random.onceIn(2) ? nil : random.below(said.count + 3)
    let messages = ClientMessages(form(first + start, texts))
    guard let messages else { throw Wrong(what: "messages of a client are refused") }
    let isLost = skips && !texts.isEmpty
    let isForged = claim.map { $0 > said.count } ?? false
    guard let answer = channel.receive(messages, acknowledged: claim, at: now) else {
      // A refused acknowledgement does not undo the messages, but drops nothing.
      return try require(isLost || isForged, "\(texts.count) messages at \(start) are refused")
    }
    try require(!isLost, "messages behind a gap are taken")
    try require(!isForged, "array \(claim ?? 0) is acknowledged before it was said")
    if !skips { sent += fresh }
    received += answer.texts
    if let claim { acknowledged = max(acknowledged, claim) }
    try require(
      received == sent.compactMap { $0 }, "messages are lost, repeated or in another order")
    try check(receipt: answer.receipt)
  }

  /// Returns the request with these messages as the SDK writes it.
  private func form(_ offset: Int, _ texts: [[UInt8]?]) -> HTTPRequest {
    var body = "count=\(texts.count)&ofs=\(offset)"
    for (number, text) in texts.enumerated() {
      body +=
        text.map { "&req\(number)___data__=" + String(decoding: $0, as: UTF8.self) }
        ?? "&req\(number)_other=1"
    }
    return HTTPRequest(method: "POST", target: "/", body: Array(body.utf8))
  }

  private func check(receipt: [UInt8]) throws(Wrong) {
    let expected = "[\(last == nil ? 0 : 1),\(said.count),\(channel.keptBytes)]"
    try require(
      receipt == ChannelText.chunk(Array(expected.utf8)),
      "the receipt is \(String(decoding: receipt, as: UTF8.self)), not \(expected)")
  }

  private mutating func speak() {
    let letters = ["a", "ä", "\u{1F600}", "\\n"]
    let text = (0..<random.below(6)).map { _ in letters[random.below(letters.count)] }.joined()
    let element = Array("{\"said\":\"\(text)\"}".utf8)
    said.append(element)
    channel.say(element)
  }

  /// Opens a back channel, half of the time with a number that the client may not acknowledge.
  private mutating func reconnect() throws(Wrong) {
    let claim = random.onceIn(2) ? acknowledged : random.below(said.count + 3)
    let wishes = ChannelRequest.BackRequest(
      acknowledged: claim, isPolling: random.onceIn(2),
      timeout: random.onceIn(2) ? nil : Int64(random.below(100_000)))
    let opens = channel.openBack(wishes, at: now)
    try require(
      opens == (acknowledged...max(acknowledged, said.count)).contains(claim),
      "a back channel from \(claim) is \(opens ? "opened" : "refused")")
    guard opens else { return }
    acknowledged = claim
    last = claim
    if !wishes.isPolling, claim == said.count { said.append(nil) }
  }

  /// Lets time pass.
  private mutating func wait() throws(Wrong) -> Bool {
    let deadline = channel.deadline
    now = Timestamp(milliseconds: now.milliseconds + Int64(random.below(90_000))) ?? now
    let isOver = deadline <= now
    let lives = channel.tick(at: now)
    try require(lives == !(isOver && last == nil), "the session is \(lives ? "there" : "gone")")
    if isOver, lives { said.append(nil) }
    if lives { try hear() }
    return lives
  }

  /// Reads and checks the output of the back channel.
  private mutating func hear() throws(Wrong) {
    guard let output = channel.takeOutput(at: now) else {
      let isDone = last.map { max($0, acknowledged) == said.count } ?? true
      return try require(isDone, "arrays are not carried")
    }
    guard let before = last else { throw Wrong(what: "there is output without a back channel") }
    var expected: [String] = []
    let from = max(before, acknowledged)
    for number in from..<said.count {
      let element = String(decoding: said[number] ?? Self.noop, as: UTF8.self)
      expected.append("[\(number + 1),[\(element)]]")
    }
    let text = "[\(expected.joined(separator: ","))]"
    try require(
      output.chunk == Array("\(text.utf16.count)\n\(text)".utf8),
      "\(String(decoding: output.chunk, as: UTF8.self)) instead of \(text)")
    last = said.count
    guard output.ends else { return }
    channel.closeBack()
    last = nil
  }

  // MARK: Requests

  /// Reads a request with random parameters of the protocol, whose values are out of place.
  private mutating func readRequest() -> TrialOutcome {
    let method = ["GET", "POST", "OPTIONS"][random.below(3)]
    let service = "/google.firestore.v1.Firestore/\(["Listen", "Write", "Commit"][random.below(3)])"
    let request = HTTPRequest(
      method: method, target: "\(service)/channel?\(parameters())", body: Array(parameters().utf8))
    guard let read = ChannelRequest(request) else { return .refused }
    switch read {
    case .malformed: return .refused
    case .open(_, _, let messages), .messages(_, _, _, let messages):
      let numbers = messages.inOrder.map { $0.number }
      let isOrdered = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
      let isInRange = numbers.allSatisfy { (0..<1 << 32).contains($0) }
      return isOrdered && isInRange ? .taken : .failed("messages are numbered \(numbers)")
    case .back(_, _, let wishes):
      let numbers = [wishes.acknowledged, wishes.timeout.map { Int($0) }].compactMap { $0 }
      return numbers.allSatisfy { (0..<1 << 31).contains($0) }
        ? .taken : .failed("the wishes have \(numbers)")
    case .end: return .taken
    }
  }

  private mutating func parameters() -> String {
    let keys = [
      "SID", "RID", "AID", "CI", "TO", "TYPE", "ofs", "count", "headers", "$httpHeaders",
      "req0___data__", "req1___data__", "req0_x", "req2147483647___data__", "req-1___data__", "req",
    ]
    let values = [
      "", "0", "1", "-1", "rpc", "terminate", "2147483647", "2147483648", "99999999999999999999",
      "abc", "%7B%7D", "%", "%zz", "a:b%0D%0Ac:d", ":", "%00", "+",
    ]
    return (0..<random.below(8)).map { _ in
      keys[random.below(keys.count)] + "=" + values[random.below(values.count)]
    }.joined(separator: "&")
  }
}
