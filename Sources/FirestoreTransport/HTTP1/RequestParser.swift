/// A parser of the requests on an HTTP/1 connection (RFC 9112). Bytes of an incomplete request are not
/// scanned again.
struct RequestParser: Sendable {
  /// A request with the properties that its connection needs.
  struct Parsed: Sendable {
    /// The complete request.
    var request: HTTPRequest
    /// True for HTTP/1.0.
    var isOld: Bool
    /// True if the client wants to keep the connection open.
    var keepsAlive: Bool
  }

  private enum State {
    case head
    case body(Int)
    case chunkLine
    case chunk(Int)
    case chunkEnd
    case trailers
  }

  private let limits: TransportLimits
  private var state = State.head
  /// The request whose body is being read.
  private var head: RequestHead?
  /// The content of the chunks so far.
  private var body: [UInt8] = []
  /// The number of bytes of the queue that contain no further line end.
  private var scanned = 0
  /// The start of the line at `scanned`, while a head is read.
  private var lineStart = 0
  /// The number of bytes of trailers so far.
  private var trailerSize = 0
  /// True while a client waits for `100 Continue`.
  private(set) var awaitsContinue = false

  /// Creates a parser.
  init(limits: TransportLimits) { self.limits = limits }

  /// The bytes of the chunks of an incomplete body.
  var heldBytes: Int { body.count }

  /// Records that `100 Continue` was sent.
  mutating func didContinue() { awaitsContinue = false }

  /// Takes the next request from the queue; nil if it is incomplete.
  mutating func next(from queue: inout ByteQueue) throws(RequestProblem) -> Parsed? {
    while true {
      switch state {
      case .head:
        guard let head = try readHead(from: &queue) else { return nil }
        self.head = head
        switch head.body {
        case .length(let size): state = .body(size)
        case .chunked: state = .chunkLine
        }
        awaitsContinue = head.expectsContinue
      case .body(let size):
        guard queue.count >= size else { return nil }
        body = queue.take(size)
        return try finish()
      case .chunkLine:
        guard let size = try readChunkLine(from: &queue) else { return nil }
        state = size == 0 ? .trailers : .chunk(size)
      case .chunk(let size):
        guard !queue.isEmpty else { return nil }
        let part = min(size, queue.count)
        body += queue.slice(0..<part)
        queue.consume(part)
        state = part == size ? .chunkEnd : .chunk(size - part)
      case .chunkEnd:
        guard let line = try readLine(from: &queue, limit: 2) else { return nil }
        guard line.isEmpty else { throw RequestProblem(400, "Bad chunk") }
        state = .chunkLine
      case .trailers:
        guard let line = try readLine(from: &queue, limit: limits.headSize) else { return nil }
        if line.isEmpty { return try finish() }
        trailerSize += line.count
        guard trailerSize <= limits.headSize else { throw RequestProblem(431, "Long trailers") }
      }
    }
  }

  private mutating func finish() throws(RequestProblem) -> Parsed? {
    guard var parsed = head else { return nil }
    parsed.request.body = try expanded(body, as: parsed.request.value(of: "content-encoding"))
    body = []
    head = nil
    state = .head
    trailerSize = 0
    awaitsContinue = false
    return Parsed(
      request: parsed.request, isOld: parsed.isOld, keepsAlive: parsed.keepsAlive)
  }

  /// Returns the body without its content encoding. As on the official emulator, an unknown encoding is
  /// ignored.
  private func expanded(
    _ body: [UInt8], as encoding: String?
  ) throws(RequestProblem) -> [UInt8] {
    guard let encoding, !body.isEmpty else { return body }
    switch encoding.lowercased() {
    case "gzip", "x-gzip": break
    case "deflate", "x-deflate":
      throw RequestProblem(415, "Content encoding deflate is not supported, gzip is")
    default: return body
    }
    do throws(CompressionProblem) {
      return try GzipReader.expand(body, limit: limits.bodySize)
    } catch {
      switch error {
      case .damaged: throw RequestProblem(400, "Request body is not in gzip format")
      case .tooLarge:
        throw RequestProblem(413, "Request body exceeds \(limits.bodySize) bytes")
      }
    }
  }

  /// Removes a complete head. Empty lines before it are dropped (RFC 9112 §2.2).
  private mutating func readHead(
    from queue: inout ByteQueue
  ) throws(RequestProblem) -> RequestHead? {
    while let end = queue.offset(of: UInt8(ascii: "\n"), from: scanned) {
      let isEmpty =
        end == lineStart || end == lineStart + 1 && queue[lineStart] == UInt8(ascii: "\r")
      scanned = end + 1
      if isEmpty, lineStart == 0 {
        queue.consume(end + 1)
        scanned = 0
      } else if isEmpty {
        guard end < limits.headSize else { break }
        let lines = queue.slice(0..<lineStart)
        let head = try RequestHead(lines, limits: limits)
        queue.consume(end + 1)
        (scanned, lineStart) = (0, 0)
        return head
      } else {
        lineStart = end + 1
      }
    }
    scanned = max(scanned, queue.count)
    guard scanned < limits.headSize else { throw RequestProblem(431, "Long request head") }
    return nil
  }

  private mutating func readChunkLine(
    from queue: inout ByteQueue
  ) throws(RequestProblem) -> Int? {
    guard let line = try readLine(from: &queue, limit: limits.chunkLineSize) else { return nil }
    let digits = line.prefix { $0 != UInt8(ascii: ";") }[...].trimmed
    guard !digits.isEmpty, digits.allSatisfy({ $0.hexadecimalValue != nil }) else {
      throw RequestProblem(400, "Bad chunk size")
    }
    guard let size = digits.number(base: 16, limit: limits.bodySize - body.count) else {
      throw RequestProblem(413, "Request body exceeds \(limits.bodySize) bytes")
    }
    return size
  }

  /// Takes a line without its end; nil if it is incomplete.
  private mutating func readLine(
    from queue: inout ByteQueue, limit: Int
  ) throws(RequestProblem) -> ArraySlice<UInt8>? {
    guard let end = queue.offset(of: UInt8(ascii: "\n"), from: scanned) else {
      scanned = queue.count
      guard scanned <= limit else { throw RequestProblem(400, "Long line in a chunked body") }
      return nil
    }
    guard end <= limit else { throw RequestProblem(400, "Long line in a chunked body") }
    scanned = 0
    let hasReturn = end > 0 && queue[end - 1] == UInt8(ascii: "\r")
    let line = queue.slice(0..<(hasReturn ? end - 1 : end))
    queue.consume(end + 1)
    return line
  }
}
