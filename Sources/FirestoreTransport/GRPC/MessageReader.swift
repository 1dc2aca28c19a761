/// The encoding of a call's messages, by its `grpc-encoding`.
enum MessageCoding: Sendable, Equatable {
  /// Not compressed.
  case identity
  /// Compressed where the message says so.
  case gzip

  /// Returns the coding of a name, or nil if Google's emulator does not know it either.
  init?(name: String) {
    switch name {
    case "identity": self = .identity
    case "gzip": self = .gzip
    default: return nil
    }
  }
}

/// Finds the messages in the data of a call: a byte that is 1 if the message is compressed, four bytes of
/// length, the message. Frames of HTTP/2 may begin and end anywhere.
struct MessageReader: Sendable {
  private let coding: MessageCoding
  private let limit: Int
  private var queue = ByteQueue()

  /// Creates a reader of messages that have `limit` bytes at most.
  init(coding: MessageCoding, limit: Int) {
    self.coding = coding
    self.limit = limit
  }

  /// Bytes that came and are no whole message yet.
  var count: Int { queue.count }

  /// Takes data.
  mutating func append(_ bytes: ArraySlice<UInt8>) { queue.append(bytes) }

  /// Removes and returns the next message; nil if it is not whole. A length that is too large is an error as
  /// soon as it is known.
  mutating func next() throws(CallStatus) -> [UInt8]? {
    guard queue.count >= Self.prefixSize else { return nil }
    let isCompressed = queue[0] == 1
    switch queue[0] {
    case 0: break
    case 1 where coding == .gzip: break
    case 1:
      throw CallStatus(
        .internal, "Can't decode compressed gRPC message as compression not configured")
    default:
      throw CallStatus(.internal, "gRPC frame header malformed: reserved bits not zero")
    }
    var announced: UInt32 = 0
    for place in 1...4 { announced = announced << 8 | UInt32(queue[place]) }
    // A code that SDKs do not retry: they would send it again for ever.
    guard let length = Int(exactly: announced), length <= limit else {
      throw CallStatus(
        .invalidArgument, "gRPC message exceeds maximum size \(limit): \(announced)")
    }
    guard queue.count - Self.prefixSize >= length else { return nil }
    queue.consume(Self.prefixSize)
    let message = queue.take(length)
    guard isCompressed else { return message }
    do throws(CompressionProblem) {
      return try GzipReader.expand(message, limit: limit)
    } catch {
      throw status(of: error)
    }
  }

  /// The status of a call with a message that cannot be read. The official emulator has `UNKNOWN`, which SDKs
  /// send again for ever.
  private func status(of problem: CompressionProblem) -> CallStatus {
    switch problem {
    case .damaged: CallStatus(.invalidArgument, "Compressed gRPC message is not in gzip format")
    case .tooLarge:
      CallStatus(.invalidArgument, "Decompressed gRPC message exceeds maximum size \(limit)")
    }
  }

  /// Bytes in front of a message.
  static let prefixSize = 5

  /// Returns the prefix of a message.
  static func prefix(of message: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(prefixSize)
    bytes.append(0)
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: message.count))
    return bytes
  }
}
