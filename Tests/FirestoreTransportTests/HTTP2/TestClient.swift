@testable import FirestoreTransport

/// A client of HTTP/2 that talks to a connection frame by frame, and says what comes back as text.
struct TestClient {
  var connection: ServerConnection
  var encoder = TestEncoder()
  private var decoder = HPACKDecoder()
  private var input: [UInt8] = []
  /// All events so far, as text.
  private(set) var events: [String] = []

  /// Makes a client that has exchanged SETTINGS.
  init(limits: TransportLimits = .standard, settings: [(UInt8, UInt32)] = []) {
    connection = ServerConnection(limits: limits)
    send(HTTP2Connection.preface + Self.settings(settings))
    _ = received()
  }

  static func frame(
    _ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8] = []
  ) -> [UInt8] {
    [
      UInt8(payload.count >> 16), UInt8(payload.count >> 8 & 255), UInt8(payload.count & 255), type,
      flags,
    ] + number(stream) + payload
  }

  static func number(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  static func settings(_ pairs: [(UInt8, UInt32)]) -> [UInt8] {
    frame(4, 0, 0, pairs.flatMap { [0, $0.0] + number($0.1) })
  }

  static func message(_ text: String) -> [UInt8] {
    [0] + number(UInt32(text.utf8.count)) + Array(text.utf8)
  }

  static let fields = [
    HTTPHeader(":method", "POST"), HTTPHeader(":scheme", "http"), HTTPHeader(":path", "/s.S/M"),
    HTTPHeader(":authority", "localhost:8080"), HTTPHeader("content-type", "application/grpc"),
    HTTPHeader("te", "trailers"), HTTPHeader("authorization", "Bearer owner"),
  ]

  /// Returns a header block of the usual request with some fields replaced, then some added.
  mutating func block(_ extra: [HTTPHeader] = [], replacing: [HTTPHeader] = []) -> [UInt8] {
    let fields = Self.fields.map { field in
      replacing.first { $0.name == field.name } ?? field
    }
    return encoder.encode(fields + extra)
  }

  mutating func headers(
    _ stream: UInt32, ends: Bool = false, _ extra: [HTTPHeader] = [],
    replacing: [HTTPHeader] = []
  ) -> [UInt8] {
    let block = block(extra, replacing: replacing)
    var frames: [UInt8] = []
    var place = 0
    repeat {
      let end = min(block.count, place + 16_384)
      let flags: UInt8 = (end == block.count ? 4 : 0) | (place == 0 && ends ? 1 : 0)
      frames += Self.frame(place == 0 ? 1 : 9, flags, stream, Array(block[place..<end]))
      place = end
    } while place < block.count
    return frames
  }

  static func data(_ stream: UInt32, _ payload: [UInt8], ends: Bool = false) -> [UInt8] {
    frame(0, ends ? 1 : 0, stream, payload)
  }

  /// Sends bytes and notes the events.
  @discardableResult
  mutating func send(_ bytes: [UInt8]) -> [ConnectionEvent] {
    let events = connection.receive(bytes)
    self.events += events.map(Self.text(of:))
    return events
  }

  /// Takes the events noted so far.
  mutating func takeEvents() -> [String] {
    defer { events = [] }
    return events
  }

  static func text(of event: ConnectionEvent) -> String {
    switch event {
    case .request(let request, let stream):
      "\(request.method) \(request.target) \(stream.number)"
    case .call(let head, let stream): "call \(stream.number) \(head.path)"
    case .message(let message, let stream):
      "message \(stream.number) \(String(decoding: message, as: UTF8.self))"
    case .halfClosed(let stream): "end \(stream.number)"
    case .cancelled(let stream): "cancelled \(stream.number)"
    }
  }

  /// Returns the frames that the server has sent since the last time, as text.
  mutating func received() -> [String] {
    input += connection.takeOutput()
    var frames: [String] = []
    while input.count >= 9 {
      let size = Int(input[0]) << 16 | Int(input[1]) << 8 | Int(input[2])
      guard input.count >= 9 + size else { break }
      frames.append(text(of: Array(input[..<(9 + size)])))
      input.removeSubrange(..<(9 + size))
    }
    return frames
  }

  private mutating func text(of frame: [UInt8]) -> String {
    let payload = frame[9...]
    let stream = frame[5..<9].bigEndian
    let end = frame[4] & 1 == 1
    switch frame[3] {
    case 0:
      let text =
        payload.count > 40 ? "\(payload.count) bytes" : String(decoding: payload, as: UTF8.self)
      return "DATA \(stream)\(end ? " END" : "") \(text.replacing("\0", with: "."))"
    case 1:
      let list = try? decoder.decode(payload, limit: 100_000)
      let fields = list?.headers.map { "\($0.name)=\($0.value)" } ?? ["undecodable"]
      let start = frame[4] & 4 == 0 ? " PART" : ""
      return "HEADERS \(stream)\(end ? " END" : "")\(start) \(fields.joined(separator: ", "))"
    case 3: return "RST_STREAM \(stream) \(payload.bigEndian)"
    case 4: return end ? "SETTINGS ACK" : "SETTINGS \(payload.count / 6)"
    case 6: return "PING\(end ? " ACK" : "") \(String(decoding: payload, as: UTF8.self))"
    case 7:
      let text = String(decoding: payload.dropFirst(8), as: UTF8.self)
      return "GOAWAY \(payload.dropFirst(4).bigEndian) last \(payload.bigEndian) \(text)"
    case 8: return "WINDOW_UPDATE \(stream) \(payload.bigEndian)"
    default: return "frame \(frame[3])"
    }
  }
}
