import FirestoreWire
import RulesEval

/// The server's side of a WebChannel session (Docs/Emulator.md, WebChannel), without the requests that carry
/// it.
///
/// The client's messages are numbered, so that a repeated one is taken once. Everything that the server sends
/// is an array with a number. It is kept until the client has acknowledged it, because a client continues
/// from there after a broken back channel.
struct Channel: Sendable {
  /// A response of unlimited length that carries the server's arrays.
  private struct BackChannel {
    /// True if the response ends as soon as an array is sent.
    let isPolling: Bool
    /// The number of the next array.
    var next: Int
    /// The number of bytes sent.
    var bytes = 0
    /// The time when an array was last sent, or the response was begun.
    var quietSince: Timestamp
    /// Milliseconds of silence after which a keep-alive is sent.
    let patience: Int64
  }

  /// The called method, `Write` or `Listen`.
  let method: FirestoreMethod
  /// The number of the client's next message.
  private var nextMessage: Int
  /// The arrays that are not acknowledged, without their numbers.
  private var arrays: [[UInt8]] = []
  /// The number of the first array in `arrays`. The answer to the first request is array 0.
  private var firstKept = 1
  /// The bytes of the arrays that are not acknowledged.
  private(set) var keptBytes = 0
  private var back: BackChannel?
  /// The time of the last input or output.
  private var lastUse: Timestamp

  /// Milliseconds of silence after which a back channel carries a `noop`. The official emulator announces
  /// this value to its clients, which give up a back channel after one and a half times as long.
  static let keepalive: Int64 = 30_000
  /// Milliseconds without a back channel after which a session is over. SDKs open the next one after at most
  /// 45 seconds (two tries, 5 to 15 seconds and twice that), and browsers wake hidden pages once a minute.
  static let mostIdle: Int64 = 120_000
  /// Maximum bytes of a back channel; it then ends, and the request for the next one acknowledges its arrays.
  /// Browsers keep the text of a response until its end, and a session without this limit would keep all its
  /// arrays.
  private static let mostBytes = 1 << 20

  private static let noop = Array("\"noop\"".utf8)

  /// Opens a session; `first` is the number of the first message.
  init(_ method: FirestoreMethod, first: Int, at now: Timestamp) {
    self.method = method
    nextMessage = first
    lastUse = now
  }

  // MARK: From the client

  /// Takes the messages of a request.
  ///
  /// - Parameter acknowledged: The number of the last array that the client has; nil if the request has none.
  /// - Returns: The answer to the request, and the texts of the new messages; nil if earlier messages are
  ///   missing, or the client acknowledges an array that was never sent.
  mutating func receive(
    _ messages: ClientMessages, acknowledged: Int?, at now: Timestamp
  ) -> (receipt: [UInt8], texts: [[UInt8]])? {
    var texts: [[UInt8]] = []
    var next = nextMessage
    for (number, text) in messages.inOrder where number >= next {
      guard number == next else { return nil }
      next += 1
      if let text { texts.append(text) }
    }
    if let acknowledged { guard acknowledge(acknowledged) else { return nil } }
    nextMessage = next
    lastUse = now
    return (receipt, texts)
  }

  /// Drops the arrays up to a number, which the client acknowledges.
  ///
  /// - Returns: False if there is no array with this number yet.
  private mutating func acknowledge(_ number: Int) -> Bool {
    let count = number - firstKept + 1
    guard count <= arrays.count else { return false }
    guard count > 0 else { return true }
    for array in arrays[..<count] { keptBytes -= array.count }
    arrays.removeFirst(count)
    firstKept += count
    return true
  }

  /// The answer to messages: 1 if a back channel is open, the number of the last array, and the bytes of the
  /// arrays that are not acknowledged.
  private var receipt: [UInt8] {
    let last = firstKept + arrays.count - 1
    return ChannelText.chunk(Array("[\(back == nil ? 0 : 1),\(last),\(keptBytes)]".utf8))
  }

  // MARK: To the client

  /// Queues an array with one element, which is JSON.
  mutating func say(_ element: [UInt8]) {
    arrays.append(element)
    keptBytes += element.count
  }

  /// Opens a back channel, replacing an open one.
  ///
  /// - Returns: False if the client lacks arrays that it has acknowledged, or has some that were never sent.
  mutating func openBack(_ wishes: ChannelRequest.BackRequest, at now: Timestamp) -> Bool {
    if let acknowledged = wishes.acknowledged {
      guard acknowledged >= firstKept - 1, acknowledge(acknowledged) else { return false }
    }
    let patience = wishes.isPolling ? wishes.timeout ?? Self.keepalive : Self.keepalive
    back = BackChannel(
      isPolling: wishes.isPolling, next: firstKept, quietSince: now,
      patience: min(patience, Self.keepalive))
    lastUse = now
    // Clients wait for a first byte to see that no proxy buffers the answer.
    if !wishes.isPolling, arrays.isEmpty { say(Self.noop) }
    return true
  }

  /// Records that the back channel is closed.
  mutating func closeBack() { back = nil }

  /// Takes the queued arrays for the back channel as one chunk; `ends` is true if the response ends after it.
  /// Nil if there is no back channel or no queued array.
  mutating func takeOutput(at now: Timestamp) -> (chunk: [UInt8], ends: Bool)? {
    guard var back else { return nil }
    back.next = max(back.next, firstKept)
    let end = firstKept + arrays.count
    guard back.next < end else { return nil }
    var text = Array("[".utf8)
    repeat {
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text += "[\(back.next),[".utf8
      text += arrays[back.next - firstKept]
      text += "]]".utf8
      back.next += 1
    } while back.next < end && back.bytes + text.count < Self.mostBytes
    text.append(UInt8(ascii: "]"))
    back.bytes += text.count
    back.quietSince = now
    self.back = back
    lastUse = now
    return (ChannelText.chunk(text), back.isPolling || back.bytes >= Self.mostBytes)
  }

  // MARK: Time

  /// The time when a keep-alive is due on the back channel or, without one, when the session ends.
  var deadline: Timestamp {
    guard let back else { return Self.time(Self.mostIdle, after: lastUse) }
    return Self.time(back.patience, after: back.quietSince)
  }

  /// Sends a keep-alive if the back channel was silent for too long.
  ///
  /// - Returns: False if the session is over.
  mutating func tick(at now: Timestamp) -> Bool {
    if deadline > now { return true }
    if back == nil { return false }
    say(Self.noop)
    return true
  }

  private static func time(_ milliseconds: Int64, after time: Timestamp) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds + milliseconds) ?? .latest
  }
}
