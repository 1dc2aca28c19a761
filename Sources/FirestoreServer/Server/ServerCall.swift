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
  /// How it is answered.
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
  /// How it is answered.
  var form: Form
}

/// A connection with the calls on it.
struct ServedConnection: Sendable {
  /// The bytes.
  var transport: ServerConnection
  /// The calls that are not answered yet.
  var calls: [StreamID: ServerCall] = [:]
  /// Requests that are back channels, with their sessions.
  var backs: [StreamID: ChannelID] = [:]

  /// Bytes of a message that is never counted: with 10,000 streams 640 MiB.
  private static let smallMessage = 64 << 10
  /// Bytes of larger messages of calls that clients have not half-closed: 15 of the largest size.
  private static let mostWaitingBytes = 256 << 20

  /// True if a message of a call with one message can wait until its client half-closes. Clients half-close
  /// at once, so that few ever wait.
  func hasRoom(for message: [UInt8]) -> Bool {
    if message.count <= Self.smallMessage { return true }
    var sum = message.count
    for call in calls.values {
      if case .unary(let unary) = call { sum += unary.message?.count ?? 0 }
    }
    return sum <= Self.mostWaitingBytes
  }
}
