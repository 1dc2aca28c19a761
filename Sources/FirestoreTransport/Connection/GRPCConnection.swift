/// The calls on one HTTP/2 connection.
struct GRPCConnection: Sendable {
  private struct Call {
    var reader: MessageReader
    var hasHeaders = false
  }

  private let limits: TransportLimits
  private var http2: HTTP2Connection
  /// The calls that the server has not finished and the client has not reset.
  private var calls: [UInt32: Call] = [:]
  /// The bytes of incomplete messages of all calls.
  private var partialBytes = 0

  /// Creates a connection whose client has sent the preface.
  init(limits: TransportLimits) {
    self.limits = limits
    http2 = HTTP2Connection(limits: limits)
  }

  /// Takes bytes from the client.
  mutating func receive(_ bytes: [UInt8]) -> [ConnectionEvent] {
    http2.append(bytes)
    var events: [ConnectionEvent] = []
    while let event = http2.next() { handle(event, into: &events) }
    return events
  }

  /// Records the end of the client's bytes, after which answers are not awaited.
  mutating func endOfInput() -> [ConnectionEvent] {
    http2.finish()
    return cancelAll()
  }

  private mutating func cancelAll() -> [ConnectionEvent] {
    defer {
      calls = [:]
      partialBytes = 0
    }
    return calls.keys.sorted().map { .cancelled(StreamID($0)) }
  }

  private mutating func handle(_ event: HTTP2Event, into events: inout [ConnectionEvent]) {
    switch event {
    case .request(let head, let stream, let ends):
      open(stream, head, into: &events)
      if ends { halfClose(stream, into: &events) }
    case .oversized(let size, let stream):
      let text = "Header list of \(size) bytes exceeds maximum: \(limits.headerListSize)"
      let block = AnswerBlocks.refusal(
        httpStatus: 431, CallStatus(.invalidArgument, text), limits: limits)
      http2.sendHeaders(block, on: stream, ends: true)
      http2.sendReset(stream.number, .protocolError)
    case .data(let bytes, let stream, let ends):
      read(bytes, on: stream, into: &events)
      if ends { halfClose(stream, into: &events) }
    case .ended(let stream):
      halfClose(stream, into: &events)
    case .reset(let stream):
      if forget(stream) != nil { events.append(.cancelled(stream)) }
    case .failed:
      events += cancelAll()
    }
  }

  private mutating func open(
    _ stream: StreamID, _ head: StreamHead, into events: inout [ConnectionEvent]
  ) {
    switch CallOpening(method: head.method, path: head.path, fields: head.fields) {
    case .accepted(let call, let coding):
      calls[stream.number] = Call(
        reader: MessageReader(coding: coding, limit: limits.messageSize))
      events.append(.call(call, stream))
    case .refused(200, let status):
      http2.sendHeaders(
        AnswerBlocks.trailersOnly(status, extra: [], limits: limits), on: stream, ends: true)
    case .refused(let httpStatus, let status):
      let block = AnswerBlocks.refusal(httpStatus: httpStatus, status, limits: limits)
      http2.sendHeaders(block, on: stream, ends: false)
      http2.sendData([Array(status.message.utf8)], on: stream, ends: true)
    case .badTimeout:
      http2.reset(stream, code: ErrorCode.internalError.rawValue)
    }
  }

  private mutating func read(
    _ bytes: ArraySlice<UInt8>, on stream: StreamID, into events: inout [ConnectionEvent]
  ) {
    guard let place = calls.index(forKey: stream.number) else { return }
    let before = calls.values[place].reader.count
    calls.values[place].reader.append(bytes)
    var problem: CallStatus?
    do throws(CallStatus) {
      while let message = try calls.values[place].reader.next() {
        events.append(.message(message, stream))
      }
    } catch {
      problem = error
    }
    partialBytes += calls.values[place].reader.count - before
    if problem == nil, partialBytes > limits.partialMessages {
      problem = CallStatus(
        .invalidArgument, "Unfinished messages exceed \(limits.partialMessages) bytes")
    }
    if let problem { refuse(stream, problem, into: &events) }
  }

  private mutating func halfClose(_ stream: StreamID, into events: inout [ConnectionEvent]) {
    guard let call = calls[stream.number] else { return }
    if call.reader.count > 0 {
      let status = CallStatus(.internal, "Encountered end-of-stream mid-frame")
      refuse(stream, status, into: &events)
    } else {
      events.append(.halfClosed(stream))
    }
  }

  /// Ends a call that was reported to the server, because its messages cannot be read.
  private mutating func refuse(
    _ stream: StreamID, _ status: CallStatus, into events: inout [ConnectionEvent]
  ) {
    finish(stream, with: status, trailers: [])
    events.append(.cancelled(stream))
  }

  private mutating func forget(_ stream: StreamID) -> Call? {
    guard let call = calls.removeValue(forKey: stream.number) else { return nil }
    partialBytes -= call.reader.count
    return call
  }

  /// Sends a message; ignored if the call is over.
  mutating func send(_ message: [UInt8], on stream: StreamID) {
    guard let place = calls.index(forKey: stream.number) else { return }
    if !calls.values[place].hasHeaders {
      calls.values[place].hasHeaders = true
      http2.sendHeaders(AnswerBlocks.initial, on: stream, ends: false)
    }
    http2.sendData([MessageReader.prefix(of: message), message], on: stream)
    if http2.pendingBytes > limits.queuedMessages {
      http2.fail(ConnectionFailure(.enhanceYourCalm, "Answers are not read"))
    }
  }

  /// Ends a call; ignored if it is over.
  mutating func finish(_ stream: StreamID, with status: CallStatus, trailers: [HTTPHeader]) {
    guard let call = forget(stream) else { return }
    let block =
      call.hasHeaders
      ? AnswerBlocks.trailers(status, extra: trailers, limits: limits)
      : AnswerBlocks.trailersOnly(status, extra: trailers, limits: limits)
    http2.sendHeaders(block, on: stream, ends: true)
  }

  /// Resets a stream. Ignored if the call is over and its answer is sent.
  mutating func reset(_ stream: StreamID, code: UInt32) {
    _ = forget(stream)
    http2.reset(stream, code: code)
  }

  /// Ends all calls and forbids the client to begin further ones.
  mutating func shutDown() -> [ConnectionEvent] {
    guard !http2.isFinished else { return [] }
    http2.fail(ConnectionFailure(.noError, ""))
    return cancelAll()
  }

  /// Takes the bytes that may be sent now.
  mutating func takeOutput() -> [UInt8] { http2.takeOutput() }

  /// True if bytes may be sent now.
  var hasOutput: Bool { http2.hasOutput }
  /// True if nothing follows the output.
  var isFinished: Bool { http2.isFinished }
  /// The bytes of untaken answers.
  var queuedBytes: Int { http2.output.count + http2.pendingBytes }
  /// The bytes of untaken answers and incomplete messages.
  var heldBytes: Int { queuedBytes + partialBytes }
}
