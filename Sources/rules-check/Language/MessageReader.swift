/// Cuts a stream of bytes into messages, each behind a header that says how long it is.
///
/// A header that says nothing of the kind is told and passed over; reading goes on behind it. Memory is
/// bounded: of a message that is longer than any text somebody edits nothing is kept.
struct MessageReader {
  /// What comes next in the stream.
  enum Item: Equatable {
    /// The bytes of a message.
    case message([UInt8])
    /// What is wrong with what was passed over.
    case problem(String)
  }

  /// The bytes that were not understood yet.
  private var buffer: [UInt8] = []
  /// How many of them were used up.
  private var start = 0
  /// How many bytes of a message are to be passed over.
  private var skipping = 0
  /// The length of the message whose header was read.
  private var length: Int?

  /// Longer messages are not read.
  static let longest = 64 << 20
  /// A header has no more bytes.
  private static let longestHeader = 4096
  private static let separator: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]

  /// Adds bytes that have come.
  mutating func add(_ bytes: [UInt8]) {
    let skipped = min(skipping, bytes.count)
    skipping -= skipped
    if start > 0, start == buffer.count || start > 1 << 20 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer += bytes[skipped...]
  }

  /// The next item; nil if more has to come first.
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
      // Whatever this is, it is no header. A later one is looked for.
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
      // What was passed over before may stand in front of the name.
      guard line[..<colon].lowercased().hasSuffix("content-length") else { continue }
      let digits = line[line.index(after: colon)...].drop { $0 == " " }
      guard digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
      length = Int(digits)
    }
    return length
  }

  /// A message behind its header.
  static func framed(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return Array("Content-Length: \(bytes.count)\r\n\r\n".utf8) + bytes
  }
}
