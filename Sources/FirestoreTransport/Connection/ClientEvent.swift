/// An event on a client's connection. Events of one call come in this order: any number of `message`, then
/// `ended`, unless the client has given the call up.
public enum ClientEvent: Sendable {
  /// A message of the answer.
  case message([UInt8], StreamID)
  /// The end of a call: its status, `CANCELLED` if the server has reset the stream.
  case ended(CallStatus, StreamID)
  /// The end of all calls, because the server has ended the connection or broken the protocol.
  case failed(String)
}
