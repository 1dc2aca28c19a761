import Testing

@testable import FirestoreTransport

/// A server that sends at random, and a client that keeps its own books about the windows.
@Suite struct WindowModelTests {
  /// The client's knowledge.
  private struct Model {
    var connection = 65_535
    var initial = 65_535
    /// By stream, what its window differs from the initial one.
    var credit: [UInt32: Int] = [:]
    var received: [UInt32: [UInt8]] = [:]
    var ended: Set<UInt32> = []

    /// Reads frames; returns the first that breaks a rule.
    mutating func read(_ output: [UInt8]) -> String? {
      var queue = ByteQueue()
      queue.append(output)
      while let frame = try? Frame.next(from: &queue) {
        let size = frame.payload.count
        if ended.contains(frame.stream) { return "frame \(frame.type) behind the end" }
        if frame.type == 0 {
          if size > 0, size > connection { return "\(size) bytes exceed the connection's window" }
          if size > 0, size > initial + credit[frame.stream, default: 0] {
            return "\(size) bytes exceed the window of \(frame.stream)"
          }
          connection -= size
          credit[frame.stream, default: 0] -= size
          received[frame.stream, default: []] += frame.payload
        }
        if frame.type <= 1, frame.flags.contains(.endStream) { ended.insert(frame.stream) }
      }
      return nil
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func noWindowIsExceededAndAllDataArrivesInOrder(seed: UInt64) {
    var random = TrialRandom(seed: seed)
    var model = Model()
    var client = TestClient()
    var sent: [UInt32: [UInt8]] = [:]
    let streams = (0..<6).map { UInt32(2 * $0 + 1) }
    for stream in streams { client.send(client.headers(stream, ends: true)) }
    var open = streams
    for _ in 0..<150 {
      switch random.below(5) {
      case 0, 1:
        guard !open.isEmpty else { continue }
        let stream = open[random.below(open.count)]
        let message = random.bytes(random.onceIn(4) ? 3000 : random.below(50))
        client.connection.send(message: message, on: StreamID(stream))
        sent[stream, default: []] += MessageReader.prefix(of: message) + message
      case 2:
        let size = 1 + random.below(4000)
        let stream = random.onceIn(2) ? 0 : streams[random.below(6)]
        client.send(TestClient.frame(8, 0, stream, TestClient.number(UInt32(size))))
        // Frames for a stream that the server has ended change nothing.
        if stream == 0 {
          model.connection += size
        } else {
          model.credit[stream, default: 0] += size
        }
      case 3:
        model.initial = random.below(6000)
        client.send(TestClient.settings([(4, UInt32(model.initial))]))
      default:
        if random.onceIn(8), let stream = open.popLast() {
          client.connection.finish(StreamID(stream), with: .ok)
        }
      }
      if random.onceIn(2) { #expect(model.read(client.connection.takeOutput()) == nil) }
    }
    for stream in open { client.connection.finish(StreamID(stream), with: .ok) }
    model.initial = 1 << 24
    model.connection += 1 << 24
    client.send(TestClient.settings([(4, 1 << 24)]) + TestClient.frame(8, 0, 0, [1, 0, 0, 0]))
    #expect(model.read(client.connection.takeOutput()) == nil)
    #expect(model.received == sent)
    #expect(model.ended == Set(streams))
    #expect(client.connection.queuedBytes == 0 && !client.connection.hasOutput)
  }
}
