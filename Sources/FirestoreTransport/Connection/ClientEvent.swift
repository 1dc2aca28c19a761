/// An event on a client's connection. The events of a call are any number of `message`, then `ended`, unless
/// the client has cancelled the call.
public enum ClientEvent: Sendable {
  /// A message of the response.
  case message([UInt8], StreamID)
  /// The end of a call with its status, which is `CANCELLED` if the server has reset the stream.
  case ended(CallStatus, StreamID)
  /// The end of all calls, because the server has ended the connection or violated the protocol.
  case failed(String)
}
