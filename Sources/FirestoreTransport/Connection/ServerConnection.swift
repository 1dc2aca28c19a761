/// The server's side of one TCP connection, without the socket: bytes in, events out; answers in, bytes out.
///
/// The first bytes decide the protocol: HTTP/2 with prior knowledge if they are its preface, HTTP/1 as soon
/// as they differ from it. No input can make this trap, wait, or hold more than `TransportLimits` allow, if
/// the caller does two things: it takes the output after each call of `receive`, and stops reading from the
/// socket while much of the output is not written.
public struct ServerConnection: Sendable {
  private let limits: TransportLimits
  /// The first bytes, while they may become the preface of HTTP/2.
  private var start: [UInt8] = []
  private var http1: HTTP1Connection?
  private var calls: GRPCConnection?
  private var endedEarly = false

  /// Creates a connection of which no byte has come.
  public init(limits: TransportLimits = .standard) { self.limits = limits }

  /// Takes bytes from the socket, in pieces of any size; returns what they complete.
  public mutating func receive(_ bytes: [UInt8]) -> [ConnectionEvent] {
    if calls != nil { return calls?.receive(bytes) ?? [] }
    if http1 != nil { return receiveHTTP1(bytes) }
    guard !endedEarly else { return [] }
    start += bytes
    let preface = HTTP2Connection.preface
    let length = min(start.count, preface.count)
    guard start[..<length] == preface[..<length] else {
      http1 = HTTP1Connection(limits: limits)
      return receiveHTTP1(takeStart())
    }
    guard length == preface.count else { return [] }
    calls = GRPCConnection(limits: limits)
    let rest = Array(takeStart()[length...])
    return calls?.receive(rest) ?? []
  }

  private mutating func takeStart() -> [UInt8] {
    defer { start = [] }
    return start
  }

  private mutating func receiveHTTP1(_ bytes: [UInt8]) -> [ConnectionEvent] {
    (http1?.receive(bytes) ?? []).map { .request($0.0, $0.1) }
  }

  /// Takes the end of the client's bytes, also after `isFinished`, and returns the cancelled streams. Over
  /// HTTP/2, and for HTTP/1 answers in parts, it is the end of the client; whole HTTP/1 requests can still be
  /// answered.
  public mutating func endOfInput() -> [ConnectionEvent] {
    if calls != nil { return calls?.endOfInput() ?? [] }
    if http1 != nil { return (http1?.endOfInput() ?? []).map { .cancelled($0) } }
    endedEarly = true
    start = []
    return []
  }

  /// Answers an HTTP/1 request.
  public mutating func respond(_ response: HTTPResponse, to stream: StreamID) {
    http1?.respond(response, to: stream)
  }

  /// Begins an HTTP/1 answer in chunks; its body is ignored.
  public mutating func begin(_ response: HTTPResponse, to stream: StreamID) {
    http1?.begin(response, to: stream)
  }

  /// Sends a chunk of an HTTP/1 answer that was begun.
  public mutating func sendChunk(_ bytes: [UInt8], on stream: StreamID) {
    http1?.sendChunk(bytes, on: stream)
  }

  /// Ends an HTTP/1 answer that was begun.
  public mutating func endChunks(on stream: StreamID) { http1?.endChunks(on: stream) }

  /// Sends a message of a call; the headers of the answer go before the first.
  public mutating func send(message: [UInt8], on stream: StreamID) {
    calls?.send(message, on: stream)
  }

  /// Ends a call with a status, behind the messages that wait for windows. Messages that come later are
  /// ignored.
  ///
  /// - Parameter trailers: fields to send beside the status; names in lower case.
  public mutating func finish(
    _ stream: StreamID, with status: CallStatus, trailers: [HTTPHeader] = []
  ) {
    calls?.finish(stream, with: status, trailers: trailers)
  }

  /// Gives a stream up at once: RST_STREAM with an error code of HTTP/2 (8 is CANCEL, for a deadline), or the
  /// end of the connection over HTTP/1.
  public mutating func reset(_ stream: StreamID, code: UInt32) {
    calls?.reset(stream, code: code)
    http1?.abort(stream)
  }

  /// Ends the connection from the server's side, over HTTP/2 by GOAWAY without an error. Returns the
  /// cancelled streams.
  public mutating func shutDown() -> [ConnectionEvent] {
    if calls != nil { return calls?.shutDown() ?? [] }
    return endOfInput()
  }

  /// Removes and returns bytes for the socket, as many as the client's windows allow now.
  public mutating func takeOutput() -> [UInt8] {
    if calls != nil { return calls?.takeOutput() ?? [] }
    return http1?.takeOutput() ?? []
  }

  /// True if `takeOutput` has bytes now.
  public var hasOutput: Bool { calls?.hasOutput ?? http1?.hasOutput ?? false }

  /// True if nothing comes after the output: once it is written, the socket is to be closed.
  public var isFinished: Bool { calls?.isFinished ?? http1?.isFinished ?? endedEarly }

  /// Bytes of answers that were not taken, most of them because the client's windows are empty. A server that
  /// sends without being asked (listeners) should stop at some number.
  public var queuedBytes: Int { calls?.queuedBytes ?? http1?.queuedBytes ?? 0 }

  /// Bytes of answers that were not taken, and of requests that are not whole.
  public var heldBytes: Int { calls?.heldBytes ?? http1?.heldBytes ?? start.count }
}
