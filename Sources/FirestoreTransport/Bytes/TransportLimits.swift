/// Limits of the memory and output of one connection, so that no client can exhaust the server's memory.
public struct TransportLimits: Sendable {
  /// Maximum bytes of a gRPC message. The JavaScript SDK sends and accepts up to 17 MiB; Google's emulator
  /// refuses more than 4 MiB.
  public var messageSize = 17 << 20
  /// Maximum bytes of incomplete gRPC messages on all streams of a connection: more than three messages of
  /// maximum size.
  public var partialMessages = 64 << 20
  /// Maximum bytes of a decoded header list, counted like SETTINGS_MAX_HEADER_LIST_SIZE: names, values, and
  /// 32 for each field. Google's emulator accepts 8192, but tokens with many claims are longer.
  public var headerListSize = 64 << 10
  /// Maximum bytes of an encoded header block with its CONTINUATION frames, twice the maximum decoded size.
  public var headerBlockSize = 128 << 10
  /// Maximum CONTINUATION frames of a header block; a block of maximum size needs eight full ones.
  public var continuationFrames = 256
  /// Maximum number of open HTTP/2 streams. A JavaScript test keeps two for each signed-in user; Google's
  /// emulator announces 2^31 - 1.
  public var concurrentStreams = 10_000
  /// Maximum number of streams that a client resets before an answer, less those answered since: calls that
  /// are begun only to be cancelled cost the server more than the client. SDKs reset after the first answer.
  public var unansweredResets = 10_000
  /// Maximum bytes of untaken frames that answer a client's frames (acknowledgements, resets, window
  /// updates). 1 MiB is 60,000 pings whose answers were not read.
  public var controlOutput = 1 << 20
  /// Maximum bytes of messages that wait for a client's windows on all streams of a connection: fifteen
  /// answers of the maximum size that the JavaScript SDK accepts. A client that lets more accumulate does not
  /// read.
  public var queuedMessages = 256 << 20
  /// The receive window of each stream and of the connection in bytes; it is updated when half is used.
  /// Google's emulator has 1 MiB.
  public var receiveWindow = 1 << 20
  /// Maximum bytes of an HTTP/1 request line with its headers.
  public var headSize = 64 << 10
  /// Maximum header fields of an HTTP/1 request; browsers send about 20.
  public var headerCount = 500
  /// Maximum bytes of an HTTP/1 request body, enough for a commit of maximum size as JSON, with bytes in
  /// base64.
  public var bodySize = 64 << 20
  /// Maximum bytes of the line before a chunk, whose extensions are ignored.
  public var chunkLineSize = 4096
  /// Maximum number of unanswered HTTP/1 requests of a connection. No SDK sends two at once.
  public var pipelinedRequests = 256
  /// Maximum bytes of an escaped `grpc-message`, which is truncated; grpc-java refuses header lists over
  /// 8192.
  public var statusText = 6144

  /// The default limits.
  public static let standard = TransportLimits()

  /// Creates the default limits.
  public init() {}
}
