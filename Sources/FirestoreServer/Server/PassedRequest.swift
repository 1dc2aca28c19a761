public import FirestoreTransport

/// An HTTP/1.1 request that the server's owner answers.
public struct PassedRequest: Sendable {
  /// The identity of a request until it is answered.
  public struct ID: Hashable, Sendable {
    /// The connection and stream of the request.
    let key: CallKey
  }

  /// A step of an answer, which is either whole, or a head followed by parts and the end.
  public enum AnswerStep: Sendable {
    /// A whole answer.
    case whole(HTTPResponse)
    /// The head of an answer in parts; its body is ignored.
    case head(HTTPResponse)
    /// A part of a body.
    case part([UInt8])
    /// The end of an answer in parts.
    case end
  }

  /// The identity.
  public let id: ID
  /// The request.
  public let request: HTTPRequest
}

/// The requests of a server that its owner answers.
struct PassedRequests: Sendable {
  private var arrived: [PassedRequest] = []
  private var open: Set<CallKey> = []

  /// Adds a request.
  mutating func add(_ request: HTTPRequest, _ key: CallKey) {
    arrived.append(PassedRequest(id: PassedRequest.ID(key: key), request: request))
    open.insert(key)
  }

  /// Takes the requests that arrived since the last call and can still be answered.
  mutating func take() -> [PassedRequest] {
    if arrived.isEmpty { return [] }
    defer { arrived = [] }
    return arrived.filter { open.contains($0.id.key) }
  }

  /// True if more of an answer can be sent.
  func isOpen(_ id: PassedRequest.ID) -> Bool { open.contains(id.key) }

  /// Ends a request, which is answered or whose client is gone.
  mutating func end(_ key: CallKey) { open.remove(key) }

  /// Ends all requests of a connection.
  mutating func end(_ connection: ConnectionID) {
    open = open.filter { $0.connection != connection }
  }
}

extension ServerConnection {
  /// Sends a step of an answer.
  mutating func send(_ step: PassedRequest.AnswerStep, on stream: StreamID) {
    switch step {
    case .whole(let response): respond(response, to: stream)
    case .head(let response): begin(response, to: stream)
    case .part(let bytes): sendChunk(bytes, on: stream)
    case .end: endChunks(on: stream)
    }
  }
}
