/// An event on a connection. The events of a stream are `call`, any number of `message`, `halfClosed`, and
/// possibly `cancelled`, in this order. There are none after `cancelled`, or after the server has finished
/// the stream.
public enum ConnectionEvent: Sendable {
  /// A complete HTTP/1 request. Each has to be answered; answers are sent in the order of the requests.
  case request(HTTPRequest, StreamID)
  /// The beginning of a gRPC call. Its content type, method and encoding are valid; the server checks that
  /// the called method exists.
  case call(CallHead, StreamID)
  /// A message of a call.
  case message([UInt8], StreamID)
  /// The client sends no more messages on a call.
  case halfClosed(StreamID)
  /// The cancellation of a stream: the client has reset it, or the stream or connection has failed. The
  /// answer is not sent, and later output for the stream is ignored.
  case cancelled(StreamID)
}
