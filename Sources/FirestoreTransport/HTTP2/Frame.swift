/// The types of frames (RFC 9113 §6).
enum FrameType: UInt8 {
  case data = 0
  case headers = 1
  case priority = 2
  case resetStream = 3
  case settings = 4
  case pushPromise = 5
  case ping = 6
  case goAway = 7
  case windowUpdate = 8
  case continuation = 9
}

/// The flags of frames. Two of them share a bit, since no frame type has both.
struct FrameFlags: OptionSet {
  /// The bits on the wire.
  let rawValue: UInt8

  /// The last frame of its direction (DATA, HEADERS).
  static let endStream = FrameFlags(rawValue: 1)
  /// An answer to a frame of its type (SETTINGS, PING).
  static let acknowledges = FrameFlags(rawValue: 1)
  /// The last frame of a header block (HEADERS, CONTINUATION).
  static let endHeaders = FrameFlags(rawValue: 4)
  /// The payload begins with the length of the padding at its end.
  static let padded = FrameFlags(rawValue: 8)
  /// The header block is preceded by five bytes of priority.
  static let priority = FrameFlags(rawValue: 0x20)
}

/// The error codes of RST_STREAM and GOAWAY (RFC 9113 §7).
enum ErrorCode: UInt32 {
  case noError = 0
  case protocolError = 1
  case internalError = 2
  case flowControlError = 3
  case streamClosed = 5
  case frameSizeError = 6
  case refusedStream = 7
  case cancel = 8
  case compressionError = 9
  case enhanceYourCalm = 11
}

/// An error that ends the connection.
struct ConnectionFailure: Error {
  /// The code of the GOAWAY frame.
  let code: ErrorCode
  /// The debug data of the GOAWAY frame.
  let text: String

  /// Creates a failure.
  init(_ code: ErrorCode, _ text: String) {
    self.code = code
    self.text = text
  }
}

/// A received frame.
struct Frame {
  /// The number of the type, which may be unknown.
  let type: UInt8
  /// The flags.
  let flags: FrameFlags
  /// The stream; 0 for the connection.
  let stream: UInt32
  /// The bytes after the nine bytes of the frame's header.
  let payload: ArraySlice<UInt8>

  /// Bytes of the frame's header.
  static let headerSize = 9
  /// Maximum bytes of a payload in either direction: the default of SETTINGS_MAX_FRAME_SIZE, which the server
  /// does not change, and the minimum that clients must accept.
  static let largestPayload = 16_384

  /// Takes the next frame from a queue; nil if it is incomplete. Throws as soon as its length is known to be
  /// too large.
  static func next(from queue: inout ByteQueue) throws(ConnectionFailure) -> Frame? {
    guard queue.count >= headerSize else { return nil }
    let length = Int(queue[0]) << 16 | Int(queue[1]) << 8 | Int(queue[2])
    guard length <= largestPayload else {
      throw ConnectionFailure(
        .frameSizeError, "Frame length: \(length) exceeds maximum: \(largestPayload)")
    }
    guard queue.count >= headerSize + length else { return nil }
    let frame = Frame(
      type: queue[3], flags: FrameFlags(rawValue: queue[4]),
      stream: queue.slice(5..<9).bigEndian & 0x7fff_ffff,
      payload: queue.slice(headerSize..<headerSize + length))
    queue.consume(headerSize + length)
    return frame
  }

  /// Returns the payload of DATA or HEADERS without padding and priority.
  func content(skipping priority: Int = 0) throws(ConnectionFailure) -> ArraySlice<UInt8> {
    var rest = payload
    var padding = 0
    if flags.contains(.padded) {
      guard let size = rest.first else {
        throw ConnectionFailure(.frameSizeError, "Frame without the length of its padding")
      }
      padding = Int(size)
      rest = rest.dropFirst()
    }
    guard priority + padding <= rest.count else {
      throw ConnectionFailure(.protocolError, "Padding exceeds the frame")
    }
    return rest.dropFirst(priority).dropLast(padding)
  }

  /// Appends the nine bytes of a frame's header.
  static func appendHeader(
    _ type: FrameType, _ flags: FrameFlags, stream: UInt32, size: Int, to output: inout [UInt8]
  ) {
    let length = UInt32(truncatingIfNeeded: size)
    output.append(bigEndian: length << 8 | UInt32(type.rawValue))
    output.append(flags.rawValue)
    output.append(bigEndian: stream)
  }
}
