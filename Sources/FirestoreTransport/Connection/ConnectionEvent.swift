/// An event on a connection. Events of one stream come in this order: `call`, any number of
/// `message`, then `halfClosed`, then perhaps `cancelled`; behind `cancelled`, or once the server has
/// finished the stream, nothing comes.
public enum ConnectionEvent: Sendable {
  /// A whole HTTP/1 request. Each has to be answered; answers go out in the order of the requests.
  case request(HTTPRequest, StreamID)
  /// A gRPC call begins. Content type, method and encoding are in order; whether there is such a method is
  /// the server's to say.
  case call(CallHead, StreamID)
  /// A message of a call.
  case message([UInt8], StreamID)
  /// The client sends no more messages on a call.
  case halfClosed(StreamID)
  /// A stream was cancelled: the client has reset it, or it or the connection has failed. Its answer is not
  /// sent, and later output for it is ignored.
  case cancelled(StreamID)
}
