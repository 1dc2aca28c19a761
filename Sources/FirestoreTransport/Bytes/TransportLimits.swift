/// Bounds on what one connection may hold or send, so that no client uses memory without limit.
public struct TransportLimits: Sendable {
  /// Bytes of one gRPC message. The JavaScript SDK sends and takes up to 17 MiB; Google's emulator
  /// refuses more than 4 MiB.
  public var messageSize = 17 << 20
  /// Bytes of unfinished gRPC messages on all streams of a connection: three messages of the largest
  /// size and some.
  public var partialMessages = 64 << 20
  /// Bytes of a decoded header list, counted as SETTINGS_MAX_HEADER_LIST_SIZE does: names and values,
  /// and 32 a field. Google's emulator takes 8192; tokens with many claims are longer.
  public var headerListSize = 64 << 10
  /// Bytes of an encoded header block with its CONTINUATION frames: twice a list that is allowed.
  public var headerBlockSize = 128 << 10
  /// CONTINUATION frames of one header block: a block of the largest size takes eight full ones.
  public var continuationFrames = 256
  /// Streams of HTTP/2 that are open at once. A JavaScript test keeps two for each signed-in user;
  /// Google's emulator announces 2^31 - 1.
  public var concurrentStreams = 10_000
  /// Streams that a client resets before any answer, less those answered since: calls that are begun
  /// only to be cancelled cost the server more than the client. SDKs reset after the first answer.
  public var unansweredResets = 10_000
  /// Bytes of frames that answer a client's frames (acknowledgements, resets, window updates) and have not
  /// been taken: 1 MiB is 60,000 pings whose answers were not read.
  public var controlOutput = 1 << 20
  /// Bytes of messages that wait for a client's windows on all streams of a connection. Fifteen answers of
  /// the largest size that the JavaScript SDK takes; a client that lets more pile up does not read.
  public var queuedMessages = 256 << 20
  /// Bytes that a client may send on a stream, and on a connection, before the window is updated. Updated at
  /// half. Google's emulator has 1 MiB.
  public var receiveWindow = 1 << 20
  /// Bytes of an HTTP/1 request line with its headers.
  public var headSize = 64 << 10
  /// Header fields of an HTTP/1 request. Browsers send about 20.
  public var headerCount = 500
  /// Bytes of an HTTP/1 request body: a commit of the largest size as JSON, bytes in base 64.
  public var bodySize = 64 << 20
  /// Bytes of the line before a chunk. Its extensions are ignored.
  public var chunkLineSize = 4096
  /// HTTP/1 requests that wait for answers, the ones in front included. No SDK sends two at once.
  public var pipelinedRequests = 256
  /// Bytes of `grpc-message` once escaped; longer ones are cut. grpc-java refuses header lists over 8192.
  public var statusText = 6144

  /// The limits as documented at each.
  public static let standard = TransportLimits()

  /// Creates the standard limits, to be changed.
  public init() {}
}
