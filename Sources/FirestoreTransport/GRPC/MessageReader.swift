/// The encoding of a call's messages, determined by `grpc-encoding`.
enum MessageCoding: Sendable, Equatable {
  /// Not compressed.
  case identity
  /// Compressed if the prefix of the message says so.
  case gzip

  /// Creates the coding of a name; nil if Google's emulator does not know it either.
  init?(name: String) {
    switch name {
    case "identity": self = .identity
    case "gzip": self = .gzip
    default: return nil
    }
  }
}

/// A reader of the messages in the data of a call. Each is preceded by a byte that is 1 if the message is
/// compressed, and by four bytes of length. HTTP/2 frames may begin and end anywhere.
struct MessageReader: Sendable {
  private let coding: MessageCoding
  private let limit: Int
  private var queue = ByteQueue()

  /// Creates a reader that refuses messages of more than `limit` bytes.
  init(coding: MessageCoding, limit: Int) {
    self.coding = coding
    self.limit = limit
  }

  /// The bytes of incomplete messages.
  var count: Int { queue.count }

  /// Appends data.
  mutating func append(_ bytes: ArraySlice<UInt8>) { queue.append(bytes) }

  /// Takes the next message; nil if it is incomplete. Throws as soon as a length is known to be too large.
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
    // SDKs do not retry after this code; otherwise they would send the message forever.
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

  /// Returns the status of a call with a malformed message. The official emulator answers `UNKNOWN`, after
  /// which SDKs retry forever.
  private func status(of problem: CompressionProblem) -> CallStatus {
    switch problem {
    case .damaged: CallStatus(.invalidArgument, "Compressed gRPC message is not in gzip format")
    case .tooLarge:
      CallStatus(.invalidArgument, "Decompressed gRPC message exceeds maximum size \(limit)")
    }
  }

  /// Bytes before each message.
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
