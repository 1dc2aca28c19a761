/// Random input from clients, for trials of the transport.
package enum TrialConversation {
  /// Returns a valid conversation, in three of four cases over HTTP/2, else over HTTP/1.
  package static func valid(_ random: inout TrialRandom) -> [UInt8] {
    random.onceIn(4) ? http1(&random) : frames(30, &random)
  }

  /// Returns a conversation with one to four random changes.
  package static func mutated(
    _ conversation: [UInt8], _ random: inout TrialRandom
  ) -> [UInt8] {
    var bytes = conversation
    for _ in 0...random.below(4) where !bytes.isEmpty {
      let place = random.below(bytes.count)
      let end = min(bytes.count, place + 1 + random.below(40))
      switch random.below(6) {
      case 0: bytes[place] ^= 1 << UInt8(random.below(8))
      case 1: bytes[place] = UInt8(random.below(256))
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: Array(bytes[place..<end]), at: random.below(bytes.count))
      case 4: bytes.insert(contentsOf: random.bytes(1 + random.below(12)), at: place)
      default: bytes.removeSubrange(end...)
      }
    }
    return bytes
  }

  private static func http1(_ random: inout TrialRandom) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0...random.below(6) {
      let method = ["GET", "POST", "PUT", "HEAD", "DELETE", "OPTIONS"][random.below(6)]
      var head = "\(method) /emulator/v1/p%20x?a=\(random.below(9))&b=%2F HTTP/1.1\r\n"
      for _ in 0..<random.below(5) {
        head += "X-Field-\(random.below(5)):  v \(random.next()) \r\n"
      }
      let body = random.bytes(random.below(300))
      switch random.below(3) {
      case 0: bytes += Array((head + "\r\n").utf8)
      case 1: bytes += Array((head + "content-length: \(body.count)\r\n\r\n").utf8) + body
      default:
        bytes += Array((head + "Transfer-Encoding: chunked\r\n\r\n").utf8)
        if !body.isEmpty { bytes += ResponseWriter.chunk(body) }
        bytes += ResponseWriter.lastChunk
      }
    }
    return bytes
  }

  /// Returns an HTTP/2 conversation: preface, settings, and two to `bound` + 1 frames or pairs of frames.
  package static func frames(_ bound: Int, _ random: inout TrialRandom) -> [UInt8] {
    var bytes = HTTP2Connection.preface + settings(&random)
    var open: [UInt32] = []
    var next: UInt32 = 1
    for _ in 0..<2 + random.below(bound) {
      let known = open.isEmpty ? 0 : open[random.below(open.count)]
      switch random.below(12) {
      case 0...3:
        open.append(next)
        bytes += headers(stream: next, &random)
        next += 2
      case 4...7 where known != 0:
        let ends = random.onceIn(3)
        bytes += data(stream: known, ends: ends, &random)
        if ends { open.removeAll { $0 == known } }
      case 8: bytes += frame(.ping, [], 0, random.bytes(8))
      case 9: bytes += frame(.windowUpdate, [], known, [0, 0, 1, UInt8(1 + random.below(255))])
      case 10 where known != 0 && random.onceIn(3):
        bytes += frame(.resetStream, [], known, [0, 0, 0, 8])
        open.removeAll { $0 == known }
      case 11 where random.onceIn(3): bytes += settings(&random)
      default: bytes += frame(.priority, [], 1, [0, 0, 0, 0, 16])
      }
    }
    return bytes
  }

  private static func settings(_ random: inout TrialRandom) -> [UInt8] {
    var payload: [UInt8] = []
    if random.onceIn(2) { payload += [0, 4, 0, UInt8(random.below(8))] + random.bytes(2) }
    if random.onceIn(4) { payload += [0, 1, 0, 0] + random.bytes(2) }
    return frame(.settings, [], 0, payload)
  }

  private static func headers(stream: UInt32, _ random: inout TrialRandom) -> [UInt8] {
    var block: [UInt8] = []
    let fields = [
      HTTPHeader(":method", "POST"), HTTPHeader(":scheme", "http"),
      HTTPHeader(":path", "/google.firestore.v1.Firestore/Write"),
      HTTPHeader("content-type", random.onceIn(20) ? "text/plain" : "application/grpc"),
      HTTPHeader("te", "trailers"), HTTPHeader("x-\(random.below(4))", "\(random.next())"),
      HTTPHeader("grpc-timeout", random.onceIn(20) ? "1" : "\(random.below(99))S"),
    ]
    for field in fields {
      let start = block.count
      HPACKEncoder.append(field, to: &block)
      // One bit makes a literal field with a new name one that is added to the dynamic table.
      if block[start] == 0, random.onceIn(2) { block[start] = 0x40 }
    }
    let ends: FrameFlags = random.onceIn(8) ? .endStream : []
    switch random.below(4) {
    case 0:
      let cut = random.below(block.count)
      return frame(.headers, ends, stream, Array(block[..<cut]))
        + frame(.continuation, .endHeaders, stream, Array(block[cut...]))
    case 1:
      let padding = random.below(20)
      return frame(
        .headers, ends.union([.endHeaders, .padded, .priority]), stream,
        [UInt8(padding), 0, 0, 0, 0, 7] + block + [UInt8](repeating: 0, count: padding))
    default: return frame(.headers, ends.union(.endHeaders), stream, block)
    }
  }

  private static func data(
    stream: UInt32, ends: Bool, _ random: inout TrialRandom
  ) -> [UInt8] {
    var whole: [UInt8] = []
    for _ in 0..<random.below(4) {
      let message = random.bytes(random.onceIn(10) ? 5000 : random.below(60))
      whole += MessageReader.prefix(of: message) + message
    }
    let cut = random.below(whole.count + 1)
    return frame(.data, [], stream, Array(whole[..<cut]))
      + frame(.data, ends ? .endStream : [], stream, Array(whole[cut...]))
  }

  private static func frame(
    _ type: FrameType, _ flags: FrameFlags, _ stream: UInt32, _ payload: [UInt8]
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    Frame.appendHeader(type, flags, stream: stream, size: payload.count, to: &bytes)
    return bytes + payload
  }
}
