/// The server's side of one TCP connection, without the socket: bytes in, events out; answers in, bytes out.
///
/// The first bytes select the protocol: HTTP/2 with prior knowledge if they are its preface, else HTTP/1. No
/// input can make the connection trap, wait, or hold more than `TransportLimits` allow, if the caller takes
/// the output after each call of `receive`, and stops reading from the socket while much of the output is not
/// written.
public struct ServerConnection: Sendable {
  private let limits: TransportLimits
  /// The first bytes, as long as they are a prefix of the HTTP/2 preface.
  private var start: [UInt8] = []
  private var http1: HTTP1Connection?
  private var calls: GRPCConnection?
  private var endedEarly = false

  /// Creates a connection without input.
  public init(limits: TransportLimits = .standard) { self.limits = limits }

  /// Takes bytes from the socket, in pieces of any size, and returns the completed events.
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

  /// Records the end of the client's bytes, which may also come after `isFinished`. All HTTP/2 streams end.
  /// Complete HTTP/1 requests can still be answered, unless an answer in parts has begun.
  ///
  /// - Returns: The cancelled streams.
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

  /// Sends a chunk of an HTTP/1 answer in chunks.
  public mutating func sendChunk(_ bytes: [UInt8], on stream: StreamID) {
    http1?.sendChunk(bytes, on: stream)
  }

  /// Ends an HTTP/1 answer in chunks.
  public mutating func endChunks(on stream: StreamID) { http1?.endChunks(on: stream) }

  /// Sends a message of a call, preceded by the headers of the answer if it is the first.
  public mutating func send(message: [UInt8], on stream: StreamID) {
    calls?.send(message, on: stream)
  }

  /// Ends a call with a status, after the messages that wait for windows. Later messages are ignored.
  ///
  /// - Parameter trailers: Further trailers besides the status, with lower-case names.
  public mutating func finish(
    _ stream: StreamID, with status: CallStatus, trailers: [HTTPHeader] = []
  ) {
    calls?.finish(stream, with: status, trailers: trailers)
  }

  /// Ends a stream at once, with RST_STREAM and an HTTP/2 error code (8 is CANCEL, for a deadline); over
  /// HTTP/1 by ending the connection.
  public mutating func reset(_ stream: StreamID, code: UInt32) {
    calls?.reset(stream, code: code)
    http1?.abort(stream)
  }

  /// Ends the connection from the server's side, over HTTP/2 with GOAWAY and no error.
  ///
  /// - Returns: The cancelled streams.
  public mutating func shutDown() -> [ConnectionEvent] {
    if calls != nil { return calls?.shutDown() ?? [] }
    return endOfInput()
  }

  /// Takes the bytes for the socket that the client's windows allow now.
  public mutating func takeOutput() -> [UInt8] {
    if calls != nil { return calls?.takeOutput() ?? [] }
    return http1?.takeOutput() ?? []
  }

  /// True if `takeOutput` has bytes now.
  public var hasOutput: Bool { calls?.hasOutput ?? http1?.hasOutput ?? false }

  /// True if nothing follows the output, so that the socket has to be closed once it is written.
  public var isFinished: Bool { calls?.isFinished ?? http1?.isFinished ?? endedEarly }

  /// The bytes of untaken answers, most of which wait for the client's windows. A server that sends
  /// unrequested messages (to listeners) should limit them.
  public var queuedBytes: Int { calls?.queuedBytes ?? http1?.queuedBytes ?? 0 }

  /// The bytes of untaken answers and incomplete requests.
  public var heldBytes: Int { calls?.heldBytes ?? http1?.heldBytes ?? start.count }
}
