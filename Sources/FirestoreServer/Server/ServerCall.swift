import FirestoreTransport
import FirestoreWire
import RulesEval

/// The place of a gRPC stream or an HTTP/1.1 request.
struct CallKey: Hashable, Sendable {
  /// The connection.
  var connection: ConnectionID
  /// The stream on the connection.
  var stream: StreamID
}

/// The identity of a call, by the transport that carries it.
enum CallID: Hashable, Sendable {
  /// A call on a connection.
  case exchange(CallKey)
  /// A WebChannel call, which many requests on any connections carry.
  case session(ChannelID)
}

/// An unanswered call.
enum ServerCall: Sendable {
  /// A unary call, over gRPC or REST.
  case unary(UnaryCall)
  /// A `Write` call.
  case write(WriteStream)
  /// A `Listen` call.
  case listen(ListenStream)
}

/// A call with one request message.
struct UnaryCall: Sendable {
  /// The form of the answer.
  enum Form: Sendable {
    /// gRPC messages and a status.
    case grpc
    /// A JSON body, at the place of the request.
    case rest(HTTPRequest, CallKey)
  }

  /// The method.
  var method: FirestoreMethod
  /// The caller.
  var caller: Caller
  /// The bytes of the message; nil until it arrives.
  var message: [UInt8]?
  /// The decoded message; for REST it is known from the beginning.
  var request: WireMessage?
  /// The time when the message arrived.
  var arrival: Timestamp
  /// The form of the answer.
  var form: Form
}

/// A connection with its calls.
struct ServedConnection: Sendable {
  /// The transport of the connection.
  var transport: ServerConnection
  /// The unanswered calls.
  private(set) var calls: [StreamID: ServerCall] = [:]
  /// Bytes of the messages of calls that clients have not half-closed.
  private var waitingBytes = 0
  /// The sessions of requests that are back channels.
  var backs: [StreamID: ChannelID] = [:]

  /// Maximum bytes of the messages of calls that clients have not half-closed: 15 of the largest size.
  private static let mostWaitingBytes = 256 << 20

  /// Creates a connection without calls.
  init(transport: ServerConnection) { self.transport = transport }

  /// True if the message of a unary call can be kept until its client half-closes. Clients half-close at
  /// once, so few messages are kept.
  func hasRoom(for message: [UInt8]) -> Bool {
    waitingBytes + message.count <= Self.mostWaitingBytes
  }

  /// The bytes that the connection holds: untaken answers and incomplete requests.
  var heldBytes: Int { transport.heldBytes + waitingBytes }

  /// Takes out an unanswered call.
  mutating func takeCall(_ stream: StreamID) -> ServerCall? {
    let call = calls.removeValue(forKey: stream)
    waitingBytes -= call?.waitingBytes ?? 0
    return call
  }

  /// Stores an unanswered call.
  mutating func put(_ call: ServerCall, _ stream: StreamID) {
    waitingBytes += call.waitingBytes
    waitingBytes -= calls.updateValue(call, forKey: stream)?.waitingBytes ?? 0
  }
}

extension ServerCall {
  /// The bytes of a message that waits for the end of its request.
  fileprivate var waitingBytes: Int {
    switch self {
    case .unary(let unary): unary.message?.count ?? 0
    case .write, .listen: 0
    }
  }
}
