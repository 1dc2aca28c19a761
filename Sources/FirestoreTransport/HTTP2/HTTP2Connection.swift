/// The server's side of one HTTP/2 connection (RFC 9113), independent of what the streams carry: frames in,
/// events and frames out.
///
/// A stream whose number is not above all earlier ones counts as closed unless it is open. Frames on closed
/// streams affect only the connection (its window and the header table), since clients continue to send on
/// streams that the server has ended.
struct HTTP2Connection: Sendable {
  /// The bytes that every client sends first.
  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
  /// Maximum window (RFC 9113 §6.9.1).
  static let largestWindow: Int64 = 0x7fff_ffff
  /// The window of a connection before any WINDOW_UPDATE, and of streams before any SETTINGS.
  static let defaultWindow = 65_535

  /// The limits of the connection.
  let limits: TransportLimits
  /// The bytes of incomplete frames.
  private var input = ByteQueue()
  /// Frames for the client that are not subject to flow control, or that the windows allow.
  var output: [UInt8] = []
  /// The bytes of `output` that answer the client's frames without any work of the server.
  var controlBytes = 0
  /// The open streams.
  var streams: [UInt32: HTTP2Stream] = [:]
  /// The highest number of the streams that the client has opened.
  var lastStream: UInt32 = 0
  /// True after the first frame, which has to be SETTINGS.
  var hasSettings = false
  /// Octets that the client may still send on all streams together.
  var receiveWindow: ReceiveWindow
  /// Octets that the server may send on all streams together.
  var sendWindow = Int64(defaultWindow)
  /// Octets that the server may send on a new stream.
  var initialSendWindow = Int64(defaultWindow)
  /// Streams with data, in the order of their turns to send a frame.
  var ready: [UInt32] = []
  /// Streams with data and an empty window.
  var blocked: Set<UInt32> = []
  /// The bytes of data that wait for windows.
  var pendingBytes = 0
  /// True if the next header block has to begin with an update of the table's size to 0, because the client
  /// allows a smaller table than the default.
  var announcesEmptyTable = false
  /// True after this update was sent.
  var hasEmptyTable = false
  /// True if no frame follows the output.
  private(set) var isFinished = false

  private var decoder = HPACKDecoder()
  /// The incomplete header block, which CONTINUATION frames complete.
  private var assembly: HeaderAssembly?
  /// The number of streams that the client has reset before an answer, less those answered since.
  private var unansweredResets = 0

  /// Creates a connection after the client's preface, and queues the server's SETTINGS.
  init(limits: TransportLimits) {
    self.limits = limits
    receiveWindow = ReceiveWindow(size: limits.receiveWindow)
    sendSettings()
  }

  /// Appends received bytes, which `next` reads.
  mutating func append(_ bytes: [UInt8]) {
    if !isFinished { input.append(bytes) }
  }

  /// Reads frames until an event; nil if more bytes are needed or the connection is over.
  mutating func next() -> HTTP2Event? {
    while !isFinished {
      do throws(ConnectionFailure) {
        guard let frame = try Frame.next(from: &input) else { return nil }
        if let event = try handle(frame) { return event }
        guard controlBytes <= limits.controlOutput else {
          throw ConnectionFailure(.enhanceYourCalm, "Answers to frames are not read")
        }
      } catch {
        fail(error)
        return .failed
      }
    }
    return nil
  }

  /// Ends the connection with GOAWAY.
  mutating func fail(_ failure: ConnectionFailure) {
    sendGoAway(failure)
    finish()
  }

  /// Ends the connection: all streams are closed, and only the output remains.
  mutating func finish() {
    isFinished = true
    input = ByteQueue()
    streams = [:]
    ready = []
    blocked = []
    pendingBytes = 0
  }

  private mutating func handle(_ frame: Frame) throws(ConnectionFailure) -> HTTP2Event? {
    let type = FrameType(rawValue: frame.type)
    if let assembly, type != .continuation || frame.stream != assembly.stream {
      throw ConnectionFailure(.protocolError, "Frame inside of a header block")
    }
    guard hasSettings || type == .settings else {
      throw ConnectionFailure(.protocolError, "First frame is not SETTINGS")
    }
    guard let type else { return nil }
    switch type {
    case .data: return try receiveData(frame)
    case .headers: return try receiveHeaders(frame)
    case .continuation: return try receiveContinuation(frame)
    case .resetStream: return try receiveReset(frame)
    case .windowUpdate: return try receiveWindowUpdate(frame)
    case .settings: try receiveSettings(frame)
    case .ping: try receivePing(frame)
    case .goAway: try receiveGoAway(frame)
    case .priority: break
    case .pushPromise:
      throw ConnectionFailure(.protocolError, "PUSH_PROMISE of a client")
    }
    return nil
  }

  private mutating func receiveHeaders(_ frame: Frame) throws(ConnectionFailure) -> HTTP2Event? {
    guard frame.stream % 2 == 1 else {
      throw ConnectionFailure(
        .protocolError, "Request stream \(frame.stream) is not a number of clients")
    }
    let content = try frame.content(skipping: frame.flags.contains(.priority) ? 5 : 0)
    let ends = frame.flags.contains(.endStream)
    if frame.flags.contains(.endHeaders) {
      return try receiveBlock(content, stream: frame.stream, ends: ends)
    }
    assembly = HeaderAssembly(stream: frame.stream, ends: ends, block: Array(content))
    return nil
  }

  private mutating func receiveContinuation(
    _ frame: Frame
  ) throws(ConnectionFailure) -> HTTP2Event? {
    guard assembly != nil else {
      throw ConnectionFailure(.protocolError, "CONTINUATION without HEADERS")
    }
    assembly?.frames += 1
    assembly?.block += frame.payload
    guard let whole = assembly, whole.frames <= limits.continuationFrames,
      whole.block.count <= limits.headerBlockSize
    else { throw ConnectionFailure(.enhanceYourCalm, "Header block is too long") }
    guard frame.flags.contains(.endHeaders) else { return nil }
    assembly = nil
    return try receiveBlock(whole.block[...], stream: whole.stream, ends: whole.ends)
  }

  /// Handles a complete header block. Blocks of closed or refused streams are decoded as well, since later
  /// ones may refer to their fields.
  private mutating func receiveBlock(
    _ block: ArraySlice<UInt8>, stream number: UInt32, ends: Bool
  ) throws(ConnectionFailure) -> HTTP2Event? {
    let list: HeaderList
    do throws(HPACKProblem) {
      list = try decoder.decode(block, limit: limits.headerListSize)
    } catch {
      throw ConnectionFailure(.compressionError, error.text)
    }
    guard number > lastStream else { return receiveTrailers(stream: number, ends: ends) }
    lastStream = number
    guard streams.count < limits.concurrentStreams else {
      sendReset(number, .refusedStream)
      return nil
    }
    let stream = HTTP2Stream(
      receivesMore: !ends, receiveWindow: ReceiveWindow(size: limits.receiveWindow))
    if list.isTooLarge {
      streams[number] = stream
      return .oversized(size: list.size, StreamID(number))
    }
    guard let head = StreamHead(list) else {
      sendReset(number, .protocolError)
      return nil
    }
    streams[number] = stream
    return .request(head, StreamID(number), ends: ends)
  }

  private mutating func receiveTrailers(stream number: UInt32, ends: Bool) -> HTTP2Event? {
    guard let stream = streams[number] else { return nil }
    guard stream.receivesMore, ends else {
      return reset(number, stream.receivesMore ? .protocolError : .streamClosed)
    }
    streams[number]?.receivesMore = false
    return .ended(StreamID(number))
  }

  private mutating func receiveReset(_ frame: Frame) throws(ConnectionFailure) -> HTTP2Event? {
    guard frame.payload.count == 4 else {
      throw ConnectionFailure(.frameSizeError, "RST_STREAM of \(frame.payload.count) bytes")
    }
    try requireKnown(frame.stream, "RST_STREAM")
    guard let stream = streams[frame.stream] else { return nil }
    if !stream.isAnswered {
      unansweredResets += 1
      guard unansweredResets <= limits.unansweredResets else {
        throw ConnectionFailure(.enhanceYourCalm, "Too many calls are reset before an answer")
      }
    }
    close(frame.stream)
    return .reset(StreamID(frame.stream))
  }

  /// Records that something was sent on a stream.
  mutating func markAnswered(_ number: UInt32) {
    guard streams[number]?.isAnswered == false else { return }
    streams[number]?.isAnswered = true
    if unansweredResets > 0 { unansweredResets -= 1 }
  }

  /// Throws for stream 0 and for streams that the client has not opened.
  func requireKnown(_ stream: UInt32, _ frame: String) throws(ConnectionFailure) {
    guard stream % 2 == 1, stream <= lastStream else {
      throw ConnectionFailure(.protocolError, "\(frame) on idle stream \(stream)")
    }
  }
}

/// An incomplete header block.
private struct HeaderAssembly {
  let stream: UInt32
  let ends: Bool
  var block: [UInt8]
  var frames = 0
}
