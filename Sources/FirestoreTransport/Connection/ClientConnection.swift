/// The client's side of one HTTP/2 connection with gRPC calls, without the socket: calls in, bytes out; bytes
/// in, events out. In comparisons and tests it is the client of our server and of Google's.
///
/// The windows of both sides are respected. A server that violates the protocol ends the connection with
/// `ClientEvent.failed`; it cannot make the client trap or hold more than `TransportLimits` allow.
public struct ClientConnection: Sendable {
  /// A call that the server has not ended.
  private struct Call {
    var reader: MessageReader
    var receiveWindow: ReceiveWindow
    /// Octets that may be sent in addition to the server's initial window, minus those that were sent.
    var sendCredit: Int64 = 0
    /// Messages that wait for windows.
    var pending = ByteQueue()
    var endsAfterPending = false
    /// True after the first header block of the response.
    var hasHead = false
    /// The HTTP status; the body is dropped if it is not 200.
    var httpStatus = "200"
  }

  private let limits: TransportLimits
  private let authority: String
  private var input = ByteQueue()
  private var output: [UInt8] = []
  private var calls: [UInt32: Call] = [:]
  private var nextNumber: UInt32 = 1
  private var decoder = HPACKDecoder()
  /// The incomplete header block, which CONTINUATION frames complete.
  private var assembly: (stream: UInt32, ends: Bool, block: [UInt8])?
  private var receiveWindow: ReceiveWindow
  private var sendWindow = Int64(HTTP2Connection.defaultWindow)
  private var initialSendWindow = Int64(HTTP2Connection.defaultWindow)
  /// True after the connection failed; further bytes are ignored.
  public private(set) var isFailed = false

  /// Creates a connection, and queues preface and SETTINGS.
  ///
  /// - Parameter authority: The authority in requests, such as `127.0.0.1:8080`.
  public init(authority: String, limits: TransportLimits = .standard) {
    self.authority = authority
    self.limits = limits
    receiveWindow = ReceiveWindow(size: limits.receiveWindow)
    output = HTTP2Connection.preface
    var settings: [UInt8] = [0, 2]
    settings.append(bigEndian: 0)
    settings += [0, 4]
    settings.append(bigEndian: UInt32(clamping: limits.receiveWindow))
    send(.settings, payload: settings)
    let increment = limits.receiveWindow - HTTP2Connection.defaultWindow
    if increment > 0 { sendWindowUpdate(0, UInt32(clamping: increment)) }
  }

  // MARK: Calls

  /// Begins a call of a method, such as `google.firestore.v1.Firestore/Commit`, with metadata in lower-case
  /// names.
  public mutating func begin(path: String, metadata: [HTTPHeader] = []) -> StreamID {
    let number = nextNumber
    nextNumber += 2
    var block: [UInt8] = []
    let fields = [
      HTTPHeader(":method", "POST"), HTTPHeader(":scheme", "http"), HTTPHeader(":path", "/" + path),
      HTTPHeader(":authority", authority), HTTPHeader("content-type", "application/grpc"),
      HTTPHeader("te", "trailers"),
    ]
    for field in fields + metadata { HPACKEncoder.append(field, to: &block) }
    var place = 0
    repeat {
      let end = min(place + Frame.largestPayload, block.count)
      send(
        place == 0 ? .headers : .continuation, end == block.count ? .endHeaders : [],
        stream: number, payload: Array(block[place..<end]))
      place = end
    } while place < block.count
    calls[number] = Call(
      reader: MessageReader(coding: .identity, limit: limits.messageSize),
      receiveWindow: ReceiveWindow(size: limits.receiveWindow))
    return StreamID(number)
  }

  /// Sends a message of a call, as the windows allow; ignored if the call is over or half-closed.
  public mutating func send(message: [UInt8], on stream: StreamID) {
    guard let call = calls[stream.number], !call.endsAfterPending else { return }
    calls[stream.number]?.pending.append(MessageReader.prefix(of: message))
    calls[stream.number]?.pending.append(message)
  }

  /// Ends the client's direction of a call after the waiting messages.
  public mutating func halfClose(_ stream: StreamID) {
    guard let call = calls[stream.number], !call.endsAfterPending else { return }
    calls[stream.number]?.endsAfterPending = true
    if call.pending.isEmpty { send(.data, .endStream, stream: stream.number, payload: []) }
  }

  /// Cancels a call, which has no further events.
  public mutating func cancel(_ stream: StreamID) {
    guard calls.removeValue(forKey: stream.number) != nil else { return }
    sendReset(stream.number, .cancel)
  }

  /// Takes the bytes for the server that its windows allow now.
  public mutating func takeOutput() -> [UInt8] {
    for number in calls.keys.sorted() { sendPending(number) }
    defer { output = [] }
    return output
  }

  private mutating func sendPending(_ number: UInt32) {
    while let call = calls[number], !call.pending.isEmpty {
      let window = min(initialSendWindow + call.sendCredit, sendWindow)
      let size = min(call.pending.count, Frame.largestPayload, Int(clamping: window))
      guard size > 0 else { return }
      let isLast = size == call.pending.count
      let payload = calls[number]?.pending.take(size) ?? []
      calls[number]?.sendCredit -= Int64(size)
      sendWindow -= Int64(size)
      send(
        .data, isLast && call.endsAfterPending ? .endStream : [], stream: number, payload: payload)
    }
  }

  // MARK: Answers

  /// Takes bytes from the server, in pieces of any size, and returns the completed events.
  public mutating func receive(_ bytes: [UInt8]) -> [ClientEvent] {
    guard !isFailed else { return [] }
    input.append(bytes)
    var events: [ClientEvent] = []
    do throws(ConnectionFailure) {
      while let frame = try Frame.next(from: &input) { try read(frame, into: &events) }
    } catch {
      isFailed = true
      calls = [:]
      events.append(.failed(error.text))
    }
    return events
  }

  private mutating func read(
    _ frame: Frame, into events: inout [ClientEvent]
  ) throws(ConnectionFailure) {
    if assembly != nil, frame.type != FrameType.continuation.rawValue {
      throw ConnectionFailure(.protocolError, "A header block is interrupted")
    }
    switch FrameType(rawValue: frame.type) {
    case .data: try readData(frame, into: &events)
    case .headers:
      let skipped = frame.flags.contains(.priority) ? 5 : 0
      let block = Array(try frame.content(skipping: skipped))
      assembly = (frame.stream, frame.flags.contains(.endStream), block)
      try readBlock(isWhole: frame.flags.contains(.endHeaders), into: &events)
    case .continuation:
      guard assembly?.stream == frame.stream else {
        throw ConnectionFailure(.protocolError, "CONTINUATION without HEADERS")
      }
      assembly?.block += frame.payload
      try readBlock(isWhole: frame.flags.contains(.endHeaders), into: &events)
    case .resetStream:
      let code = frame.payload.bigEndian
      end(frame.stream, CallStatus(.cancelled, "reset with code \(code)"), into: &events)
    case .settings: try readSettings(frame)
    case .ping:
      if !frame.flags.contains(.acknowledges) {
        send(.ping, .acknowledges, payload: Array(frame.payload))
      }
    case .goAway:
      let code = frame.payload.dropFirst(4).bigEndian
      guard code == ErrorCode.noError.rawValue else {
        let text = String(decoding: frame.payload.dropFirst(8), as: UTF8.self)
        throw ConnectionFailure(.noError, "GOAWAY \(code) \(text)")
      }
    case .windowUpdate: readWindowUpdate(frame)
    case .pushPromise: throw ConnectionFailure(.protocolError, "PUSH_PROMISE was not allowed")
    case .priority, nil: break
    }
  }

  private mutating func readData(
    _ frame: Frame, into events: inout [ClientEvent]
  ) throws(ConnectionFailure) {
    let content = try frame.content()
    guard receiveWindow.receive(frame.payload.count) else {
      throw ConnectionFailure(.flowControlError, "DATA exceeds the connection's window")
    }
    if let increment = receiveWindow.takeIncrement() { sendWindowUpdate(0, increment) }
    let number = frame.stream
    guard let place = calls.index(forKey: number) else { return }
    guard calls.values[place].receiveWindow.receive(frame.payload.count) else {
      throw ConnectionFailure(.flowControlError, "DATA exceeds the window of stream \(number)")
    }
    if let increment = calls.values[place].receiveWindow.takeIncrement() {
      sendWindowUpdate(number, increment)
    }
    guard calls.values[place].httpStatus == "200" else { return }
    calls.values[place].reader.append(content)
    do throws(CallStatus) {
      while let message = try calls.values[place].reader.next() {
        events.append(.message(message, StreamID(number)))
      }
    } catch {
      sendReset(number, .cancel)
      return end(number, error, into: &events)
    }
    if frame.flags.contains(.endStream) {
      end(number, CallStatus(.unknown, "The answer has no status"), into: &events)
    }
  }

  /// Reads a complete header block: the head of a response, or its trailers.
  private mutating func readBlock(
    isWhole: Bool, into events: inout [ClientEvent]
  ) throws(ConnectionFailure) {
    guard let (number, ends, block) = assembly else { return }
    guard block.count <= limits.headerBlockSize else {
      throw ConnectionFailure(.enhanceYourCalm, "A header block of \(block.count) bytes")
    }
    guard isWhole else { return }
    assembly = nil
    let list: HeaderList
    do throws(HPACKProblem) {
      list = try decoder.decode(block[...], limit: limits.headerListSize)
    } catch {
      throw ConnectionFailure(.compressionError, "The header block cannot be decoded")
    }
    guard let place = calls.index(forKey: number) else { return }
    if !calls.values[place].hasHead {
      calls.values[place].hasHead = true
      calls.values[place].httpStatus = list.headers.value(of: ":status") ?? ""
    }
    guard ends else { return }
    end(number, Self.status(list.headers, calls.values[place].httpStatus), into: &events)
  }

  private static func status(_ headers: [HTTPHeader], _ httpStatus: String) -> CallStatus {
    guard let text = headers.value(of: "grpc-status"), let number = Int(text),
      let code = StatusCode(rawValue: number)
    else { return CallStatus(.unknown, "HTTP \(httpStatus) without a status") }
    let message = headers.value(of: "grpc-message") ?? ""
    return CallStatus(code, PercentEncoding.decode(message[...]))
  }

  private mutating func end(
    _ number: UInt32, _ status: CallStatus, into events: inout [ClientEvent]
  ) {
    guard calls.removeValue(forKey: number) != nil else { return }
    events.append(.ended(status, StreamID(number)))
  }

  // MARK: Connection

  private mutating func readSettings(_ frame: Frame) throws(ConnectionFailure) {
    if frame.flags.contains(.acknowledges) { return }
    var rest = frame.payload
    while rest.count >= 6 {
      // Other settings limit what this client never uses: pushes, large frames, header tables.
      if rest.prefix(2).reduce(0, { $0 << 8 | UInt32($1) }) == 4 {
        let window = Int64(rest.dropFirst(2).bigEndian)
        guard window <= HTTP2Connection.largestWindow else {
          throw ConnectionFailure(.flowControlError, "Bad INITIAL_WINDOW_SIZE")
        }
        initialSendWindow = window
      }
      rest = rest.dropFirst(6)
    }
    send(.settings, .acknowledges, payload: [])
  }

  private mutating func readWindowUpdate(_ frame: Frame) {
    let increment = Int64(frame.payload.bigEndian & 0x7fff_ffff)
    if frame.stream == 0 {
      sendWindow = min(sendWindow + increment, HTTP2Connection.largestWindow)
    } else {
      calls[frame.stream]?.sendCredit += increment
    }
  }

  private mutating func send(
    _ type: FrameType, _ flags: FrameFlags = [], stream: UInt32 = 0, payload: [UInt8]
  ) {
    Frame.appendHeader(type, flags, stream: stream, size: payload.count, to: &output)
    output += payload
  }

  private mutating func sendWindowUpdate(_ stream: UInt32, _ increment: UInt32) {
    var payload: [UInt8] = []
    payload.append(bigEndian: increment)
    send(.windowUpdate, stream: stream, payload: payload)
  }

  private mutating func sendReset(_ stream: UInt32, _ code: ErrorCode) {
    var payload: [UInt8] = []
    payload.append(bigEndian: code.rawValue)
    send(.resetStream, stream: stream, payload: payload)
  }
}
