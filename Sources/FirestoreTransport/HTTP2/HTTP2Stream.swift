/// An open HTTP/2 stream. Closed and unopened streams have no state: the highest number distinguishes them.
struct HTTP2Stream: Sendable {
  /// True until the client ends its direction.
  var receivesMore: Bool
  /// Octets that the client may still send.
  var receiveWindow: ReceiveWindow
  /// Octets that the server may send in addition to the client's initial window, minus those that were sent.
  var sendCredit: Int64 = 0
  /// Data that waits for windows.
  var pending = ByteQueue()
  /// The header block that follows the pending data and ends the stream.
  var trailers: [UInt8]?
  /// True if the stream ends after the pending data.
  var endsWithData = false
  /// True if the stream is in `ready`: it has data and its window is not known to be empty.
  var isReady = false
  /// True after something was sent on the stream.
  var isAnswered = false
}

/// An event on the streams of a connection, caused by one frame.
enum HTTP2Event {
  /// The beginning of a stream; `ends` is true if no data follows.
  case request(StreamHead, StreamID, ends: Bool)
  /// The beginning of a stream whose headers are too large.
  case oversized(size: Int, StreamID)
  /// Data of an open stream; `ends` is true for the last.
  case data(ArraySlice<UInt8>, StreamID, ends: Bool)
  /// The end of the client's direction without data.
  case ended(StreamID)
  /// The end of both directions, by the client or after its violation of the protocol.
  case reset(StreamID)
  /// The end of all streams, because the connection has failed.
  case failed
}
