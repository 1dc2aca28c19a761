/// The server's side of one HTTP/1 connection: requests in, answers out in the order of the requests.
struct HTTP1Connection: Sendable {
  /// A request without a complete answer.
  private struct Exchange {
    let number: UInt32
    let isHead: Bool
    let isOld: Bool
    var keepsAlive: Bool
    /// The framing of the answer; nil until the answer begins.
    var framing: ResponseWriter.Framing?
    /// True if the answer is complete.
    var isEnded = false
    /// Bytes of the answer that wait for earlier answers.
    var waiting: [UInt8] = []
  }

  private let limits: TransportLimits
  private var input = ByteQueue()
  private var parser: RequestParser
  /// The requests without complete answers; their numbers are consecutive.
  private var exchanges: [Exchange] = []
  private var nextNumber: UInt32 = 1
  /// False after an error, `connection: close` or the end of input.
  private var readsOn = true
  private var output: [UInt8] = []
  /// True if nothing follows the output.
  private(set) var isFinished = false

  /// Creates a connection.
  init(limits: TransportLimits) {
    self.limits = limits
    parser = RequestParser(limits: limits)
  }

  /// Takes bytes from the client and returns the completed requests.
  mutating func receive(_ bytes: [UInt8]) -> [(HTTPRequest, StreamID)] {
    guard readsOn else { return [] }
    input.append(bytes)
    var requests: [(HTTPRequest, StreamID)] = []
    while readsOn {
      do throws(RequestProblem) {
        guard let parsed = try parser.next(from: &input) else { break }
        guard exchanges.count < limits.pipelinedRequests else {
          throw RequestProblem(503, "Too many requests wait for answers")
        }
        let exchange = open(
          isHead: parsed.request.method == "HEAD", isOld: parsed.isOld,
          keepsAlive: parsed.keepsAlive)
        requests.append((parsed.request, exchange))
        if !parsed.keepsAlive { stopReading() }
      } catch {
        refuse(error)
      }
    }
    continueIfAwaited()
    return requests
  }

  private mutating func open(isHead: Bool, isOld: Bool, keepsAlive: Bool) -> StreamID {
    let number = nextNumber
    nextNumber &+= 1
    exchanges.append(
      Exchange(number: number, isHead: isHead, isOld: isOld, keepsAlive: keepsAlive))
    return StreamID(number)
  }

  private mutating func stopReading() {
    readsOn = false
    input = ByteQueue()
  }

  private mutating func refuse(_ problem: RequestProblem) {
    let exchange = open(isHead: false, isOld: false, keepsAlive: false)
    stopReading()
    respond(HTTPResponse(status: problem.status, text: problem.message + "\n"), to: exchange)
  }

  /// Sends `100 Continue` if the client waits for it and there are no unanswered requests.
  private mutating func continueIfAwaited() {
    guard parser.awaitsContinue, exchanges.isEmpty, readsOn else { return }
    parser.didContinue()
    output += ResponseWriter.proceed
  }

  /// Records the end of the client's bytes. Complete requests can still be answered, unless an answer in
  /// parts has begun, since the client may be gone.
  ///
  /// - Returns: The requests that cannot be answered any more.
  mutating func endOfInput() -> [StreamID] {
    stopReading()
    let begun = exchanges.filter { $0.framing != nil && !$0.isEnded }.map { StreamID($0.number) }
    if begun.isEmpty {
      isFinished = exchanges.isEmpty || isFinished
      return []
    }
    let all = exchanges.filter { !$0.isEnded }.map { StreamID($0.number) }
    exchanges = []
    isFinished = true
    return all
  }

  /// Answers a request; ignored if it has an answer.
  mutating func respond(_ response: HTTPResponse, to stream: StreamID) {
    guard let place = place(of: stream), exchanges[place].framing == nil else { return }
    let hasBody = response.status >= 200 && response.status != 204 && response.status != 304
    let framing = hasBody ? ResponseWriter.Framing.length(response.body.count) : .nothing
    write(headOf: response, framing: framing, at: place)
    if hasBody, !exchanges[place].isHead { exchanges[place].waiting += response.body }
    exchanges[place].isEnded = true
    flush()
  }

  /// Begins an answer in parts; the body of `response` is ignored.
  mutating func begin(_ response: HTTPResponse, to stream: StreamID) {
    guard let place = place(of: stream), exchanges[place].framing == nil else { return }
    let isOld = exchanges[place].isOld
    if isOld { exchanges[place].keepsAlive = false }
    write(headOf: response, framing: isOld ? .close : .chunked, at: place)
    flush()
  }

  private mutating func write(
    headOf response: HTTPResponse, framing: ResponseWriter.Framing, at place: Int
  ) {
    if response.headers.value(of: "connection")?.lowercased() == "close" {
      exchanges[place].keepsAlive = false
    }
    let exchange = exchanges[place]
    exchanges[place].framing = framing
    exchanges[place].waiting += ResponseWriter.head(
      response, framing: framing, keepsAlive: exchange.keepsAlive, isOld: exchange.isOld)
  }

  /// Sends a part of an answer in parts. Ignored if it is empty.
  mutating func sendChunk(_ bytes: [UInt8], on stream: StreamID) {
    guard let place = place(of: stream), let framing = exchanges[place].framing, !bytes.isEmpty,
      !exchanges[place].isEnded, !exchanges[place].isHead
    else { return }
    exchanges[place].waiting += framing == .chunked ? ResponseWriter.chunk(bytes) : bytes
    flush()
  }

  /// Ends an answer in parts.
  mutating func endChunks(on stream: StreamID) {
    guard let place = place(of: stream), let framing = exchanges[place].framing,
      !exchanges[place].isEnded
    else { return }
    if framing == .chunked, !exchanges[place].isHead {
      exchanges[place].waiting += ResponseWriter.lastChunk
    }
    exchanges[place].isEnded = true
    flush()
  }

  /// Ends the connection because an answer cannot be completed.
  mutating func abort(_ stream: StreamID) {
    guard place(of: stream) != nil else { return }
    stopReading()
    exchanges = []
    isFinished = true
  }

  private func place(of stream: StreamID) -> Int? {
    guard let first = exchanges.first?.number else { return nil }
    let place = Int(stream.number &- first)
    return place < exchanges.count ? place : nil
  }

  /// Moves all bytes that do not wait for an earlier answer to the output.
  private mutating func flush() {
    var ended = 0
    while ended < exchanges.count, !isFinished {
      output += exchanges[ended].waiting
      exchanges[ended].waiting = []
      guard exchanges[ended].isEnded else { break }
      if !exchanges[ended].keepsAlive { isFinished = true }
      ended += 1
    }
    exchanges.removeFirst(ended)
    if isFinished {
      stopReading()
      exchanges = []
    } else if exchanges.isEmpty {
      if readsOn { continueIfAwaited() } else { isFinished = true }
    }
  }

  /// Takes the bytes for the client.
  mutating func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  /// True if there are bytes for the client.
  var hasOutput: Bool { !output.isEmpty }

  /// The bytes of untaken answers.
  var queuedBytes: Int { exchanges.reduce(output.count) { $0 + $1.waiting.count } }
  /// The bytes of untaken answers and of an incomplete request.
  var heldBytes: Int { queuedBytes + input.count + parser.heldBytes }
}
