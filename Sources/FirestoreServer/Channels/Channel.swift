import FirestoreWire
import RulesEval

/// The server's side of a WebChannel session (Docs/Emulator.md, WebChannel), without the requests that carry
/// it.
///
/// The client's messages are numbered, so that a repeated one is taken once. Everything that the server sends
/// is an array with a number, which is kept until the client has acknowledged it, because a broken back
/// channel is reopened from there.
struct Channel: Sendable {
  /// An answer without an end, in which the client hears what the server says.
  private struct BackChannel {
    /// True if the answer ends as soon as something is sent.
    let isPolling: Bool
    /// The number of the array that comes next.
    var next: Int
    /// The bytes that were said.
    var bytes = 0
    /// When something was last said, or the answer was begun.
    var quietSince: Timestamp
    /// Milliseconds of silence after which a keep-alive is sent.
    let patience: Int64
  }

  /// The method that is called, `Write` or `Listen`.
  let method: FirestoreMethod
  /// The number of the client's next message.
  private var nextMessage: Int
  /// The arrays that are not acknowledged, without their numbers.
  private var arrays: [[UInt8]] = []
  /// The number of the first of them. The answer to the first request is array 0.
  private var firstKept = 1
  /// The bytes of the arrays that are not acknowledged.
  private(set) var keptBytes = 0
  private var back: BackChannel?
  /// When something last came or went.
  private var lastUse: Timestamp

  /// Milliseconds of silence after which a back channel carries a `noop`: what the official emulator tells
  /// its clients, which give a back channel up after one and a half times as long.
  static let keepalive: Int64 = 30_000
  /// Milliseconds without a back channel after which a session is over. SDKs open the next one after at most
  /// 45 seconds (two tries, 5 to 15 seconds and twice that), and browsers wake hidden pages once a minute.
  static let mostIdle: Int64 = 120_000
  /// Bytes of one back channel; then it ends, and the next one acknowledges them. Browsers keep the text of
  /// an answer until its end, and a session without this limit would never forget.
  private static let mostBytes = 1 << 20

  private static let noop = Array("\"noop\"".utf8)

  /// Opens a session; `first` is the number of the first message.
  init(_ method: FirestoreMethod, first: Int, at now: Timestamp) {
    self.method = method
    nextMessage = first
    lastUse = now
  }

  // MARK: From the client

  /// Takes messages of a request.
  ///
  /// - Parameter acknowledged: the number of the last array that the client has; nil if it does not say.
  /// - Returns: the answer to the request, and the texts of the new messages; nil if earlier messages are
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

  /// Drops the arrays up to a number, which the client has.
  ///
  /// - Returns: false if there is no such array yet.
  private mutating func acknowledge(_ number: Int) -> Bool {
    let count = number - firstKept + 1
    guard count <= arrays.count else { return false }
    guard count > 0 else { return true }
    for array in arrays[..<count] { keptBytes -= array.count }
    arrays.removeFirst(count)
    firstKept += count
    return true
  }

  /// The answer to messages: whether a back channel is open, the number of the last array, and the bytes of
  /// those that are not acknowledged.
  private var receipt: [UInt8] {
    let last = firstKept + arrays.count - 1
    return ChannelText.chunk(Array("[\(back == nil ? 0 : 1),\(last),\(keptBytes)]".utf8))
  }

  // MARK: To the client

  /// Says something: JSON, the one element of its array.
  mutating func say(_ element: [UInt8]) {
    arrays.append(element)
    keptBytes += element.count
  }

  /// Begins a back channel in place of the one that is open.
  ///
  /// - Returns: false if the client lacks arrays that it has acknowledged, or has some that were never said.
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

  /// Notes that the back channel is closed.
  mutating func closeBack() { back = nil }

  /// Takes what the back channel has to carry, as one chunk, and whether it ends behind it; nil if there is
  /// no back channel, or nothing to be said.
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

  /// When something has to be said on the back channel, or, without one, when the session is over.
  var deadline: Timestamp {
    guard let back else { return Self.time(Self.mostIdle, after: lastUse) }
    return Self.time(back.patience, after: back.quietSince)
  }

  /// Says something if the back channel was silent for too long.
  ///
  /// - Returns: false if the session is over.
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
