/// An open stream of HTTP/2. Streams that the client never opened, and closed ones, have no state: the
/// highest number tells them apart.
struct HTTP2Stream: Sendable {
  /// True until the client ends its direction.
  var receivesMore: Bool
  /// Octets that the client may still send.
  var receiveWindow: ReceiveWindow
  /// Octets that the server may send beyond the client's initial window, minus those that were sent.
  var sendCredit: Int64 = 0
  /// Data that waits for windows.
  var pending = ByteQueue()
  /// Header block to send behind the pending data, which ends the stream.
  var trailers: [UInt8]?
  /// True if the pending data ends the stream.
  var endsWithData = false
  /// True while the stream is in the queue of those that have data and, for all that is known, a window.
  var isReady = false
  /// True once anything was sent.
  var isAnswered = false
}

/// Events on the streams of a connection, one frame at a time.
enum HTTP2Event {
  /// A new stream; `ends` if there is no data.
  case request(StreamHead, StreamID, ends: Bool)
  /// A new stream whose headers are too large to be kept.
  case oversized(size: Int, StreamID)
  /// Data of an open stream, perhaps the last.
  case data(ArraySlice<UInt8>, StreamID, ends: Bool)
  /// The end of the client's direction without data.
  case ended(StreamID)
  /// The end of both directions, by the client or because it broke the protocol.
  case reset(StreamID)
  /// The end of all streams, because the connection has failed.
  case failed
}
