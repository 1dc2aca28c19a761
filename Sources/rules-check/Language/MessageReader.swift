/// Splits a stream of bytes into messages, each behind a header with its length.
///
/// A malformed header is reported and skipped; reading continues behind it. Memory is bounded: a message
/// longer than `longest` is not stored.
struct MessageReader {
  /// An item of the stream.
  enum Item: Equatable {
    /// The bytes of a message.
    case message([UInt8])
    /// The problem with a part that was skipped.
    case problem(String)
  }

  /// The bytes that are not consumed yet.
  private var buffer: [UInt8] = []
  /// The number of consumed bytes in the buffer.
  private var start = 0
  /// The number of bytes of a message still to be skipped.
  private var skipping = 0
  /// The length of the message whose header was read.
  private var length: Int?

  /// Maximum bytes of a message: more than any text that is edited.
  static let longest = 64 << 20
  /// Maximum bytes of a header.
  private static let longestHeader = 4096
  private static let separator: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]

  /// Adds bytes of the stream.
  mutating func add(_ bytes: [UInt8]) {
    let skipped = min(skipping, bytes.count)
    skipping -= skipped
    if start > 0, start == buffer.count || start > 1 << 20 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer += bytes[skipped...]
  }

  /// Returns the next item; nil if it is not complete yet.
  mutating func next() -> Item? {
    if let length {
      guard buffer.count - start >= length else { return nil }
      let message = Array(buffer[start..<start + length])
      start += length
      self.length = nil
      return .message(message)
    }
    guard let end = headerEnd else {
      guard buffer.count - start > Self.longestHeader else { return nil }
      // The bytes are not a header; the next one is searched for.
      start = buffer.count - Self.separator.count
      return .problem("a header is longer than \(Self.longestHeader) bytes")
    }
    let header = buffer[start..<end]
    start = end + Self.separator.count
    guard let count = Self.contentLength(of: header) else {
      return .problem("a header has no Content-Length")
    }
    guard count <= Self.longest else {
      let present = min(count, buffer.count - start)
      start += present
      skipping = count - present
      return .problem("a message of \(count) bytes is too long")
    }
    length = count
    return next()
  }

  private var headerEnd: Int? {
    var index = start
    let last = min(buffer.count, start + Self.longestHeader) - Self.separator.count
    while index <= last {
      if buffer[index] == 0x0D, buffer[index...].starts(with: Self.separator) { return index }
      index += 1
    }
    return nil
  }

  private static func contentLength(of header: ArraySlice<UInt8>) -> Int? {
    var length: Int?
    for line in String(decoding: header, as: UTF8.self).split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      // Skipped bytes may precede the name.
      guard line[..<colon].lowercased().hasSuffix("content-length") else { continue }
      let digits = line[line.index(after: colon)...].drop { $0 == " " }
      guard digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
      length = Int(digits)
    }
    return length
  }

  /// Returns a message with its header.
  static func framed(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return Array("Content-Length: \(bytes.count)\r\n\r\n".utf8) + bytes
  }
}
