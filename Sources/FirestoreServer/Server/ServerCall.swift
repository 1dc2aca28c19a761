import FirestoreTransport
import FirestoreWire
import RulesEval

/// A stream of gRPC or an HTTP/1.1 request, by its place.
struct CallKey: Hashable, Sendable {
  /// The connection.
  var connection: ConnectionID
  /// Its place on the connection.
  var stream: StreamID
}

/// A call, by what carries it.
enum CallID: Hashable, Sendable {
  /// A call on a connection.
  case exchange(CallKey)
  /// A call of WebChannel, which many requests on any connections carry.
  case session(ChannelID)
}

/// A call that is not answered yet.
enum ServerCall: Sendable {
  /// A call with one message, over gRPC or REST.
  case unary(UnaryCall)
  /// A call of `Write`.
  case write(WriteStream)
  /// A call of `Listen`.
  case listen(ListenStream)
}

/// A call with one message.
struct UnaryCall: Sendable {
  /// The form of the answer.
  enum Form: Sendable {
    /// With messages and a status.
    case grpc
    /// With a JSON body, at the place of the request.
    case rest(HTTPRequest, CallKey)
  }

  /// The method.
  var method: FirestoreMethod
  /// The caller.
  var caller: Caller
  /// The bytes of the message; nil until it comes.
  var message: [UInt8]?
  /// The message itself; of REST known from the beginning.
  var request: WireMessage?
  /// When the message came.
  var arrival: Timestamp
  /// The form of the answer.
  var form: Form
}

/// A connection with the calls on it.
struct ServedConnection: Sendable {
  /// The bytes.
  var transport: ServerConnection
  /// The calls that are not answered yet.
  private(set) var calls: [StreamID: ServerCall] = [:]
  /// Bytes of messages of calls that clients have not half-closed.
  private var waitingBytes = 0
  /// Requests that are back channels, with their sessions.
  var backs: [StreamID: ChannelID] = [:]

  /// Bytes of messages of calls that clients have not half-closed, at most: 15 of the largest size.
  private static let mostWaitingBytes = 256 << 20

  /// Makes a connection without calls.
  init(transport: ServerConnection) { self.transport = transport }

  /// True if a message of a call with one message can wait until its client half-closes. Clients half-close
  /// at once, so that few ever wait.
  func hasRoom(for message: [UInt8]) -> Bool {
    waitingBytes + message.count <= Self.mostWaitingBytes
  }

  /// Bytes that the connection holds: answers that are not taken, and requests that are not whole.
  var heldBytes: Int { transport.heldBytes + waitingBytes }

  /// Takes a call that is not answered yet.
  mutating func takeCall(_ stream: StreamID) -> ServerCall? {
    let call = calls.removeValue(forKey: stream)
    waitingBytes -= call?.waitingBytes ?? 0
    return call
  }

  /// Keeps a call that is not answered yet.
  mutating func put(_ call: ServerCall, _ stream: StreamID) {
    waitingBytes += call.waitingBytes
    waitingBytes -= calls.updateValue(call, forKey: stream)?.waitingBytes ?? 0
  }
}

extension ServerCall {
  /// Bytes of a message that waits for the end of the request.
  fileprivate var waitingBytes: Int {
    switch self {
    case .unary(let unary): unary.message?.count ?? 0
    case .write, .listen: 0
    }
  }
}
