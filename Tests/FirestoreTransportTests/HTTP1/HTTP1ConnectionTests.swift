import Testing

@testable import FirestoreTransport

@Suite struct HTTP1ConnectionTests {
  /// Sends a text in one piece or byte by byte; returns the requests.
  private static func receive(
    _ text: String, by size: Int, limits: TransportLimits = .standard
  ) -> (connection: HTTP1Connection, requests: [(HTTPRequest, StreamID)]) {
    var connection = HTTP1Connection(limits: limits)
    var requests: [(HTTPRequest, StreamID)] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      requests += connection.receive(Array(bytes[start..<min(bytes.count, start + size)]))
    }
    return (connection, requests)
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  struct Good: CustomTestStringConvertible {
    var name: String
    var text: String
    /// Method, target, number of headers and body of each request.
    var requests: [String]
    var testDescription: String { name }
  }

  static let good = [
    Good(name: "plain", text: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", requests: ["GET / 1 "]),
    Good(
      name: "pipelined",
      text:
        "GET /a HTTP/1.1\r\n\r\nPUT /b HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /c HTTP/1.1\r\n\r\n",
      requests: ["GET /a 0 ", "PUT /b 1 abc", "GET /c 0 "]),
    Good(
      name: "chunks with extensions and trailers",
      text:
        "POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n3;x=y\r\nabc\r\n0A \r\n0123456789\r\n0\r\nT: v\r\n\r\nGET /c HTTP/1.1\r\n\r\n",
      requests: ["POST / 1 abc0123456789", "GET /c 0 "]),
    Good(name: "HTTP/1.0", text: "GET / HTTP/1.0\r\n\r\n", requests: ["GET / 0 "]),
    Good(name: "line ends without CR", text: "GET / HTTP/1.1\nA: b\n\n", requests: ["GET / 1 "]),
    Good(
      name: "empty lines in front", text: "\r\n\r\nGET / HTTP/1.1\r\n\r\n", requests: ["GET / 0 "]),
    Good(
      name: "the form of proxies",
      text: "GET http://localhost:8080/a?b HTTP/1.1\r\n\r\nOPTIONS * HTTP/1.1\r\n\r\n",
      requests: ["GET /a?b 0 ", "OPTIONS * 0 "]),
    Good(
      name: "two equal lengths",
      text: "PUT / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
      requests: ["PUT / 2 x"]),
    Good(name: "unfinished", text: "GET / HTTP/1.1\r\nHost: x\r\n", requests: []),
    Good(
      name: "unfinished body", text: "PUT / HTTP/1.1\r\nContent-Length: 3\r\n\r\nab", requests: []),
  ]

  @Test(arguments: good, [1, 7, 100_000])
  func requestsAreReadInPiecesOfAnySize(_ given: Good, size: Int) {
    let (_, requests) = Self.receive(given.text, by: size)
    let texts = requests.map { request, _ in
      "\(request.method) \(request.target) \(request.headers.count) \(Self.text(request.body))"
    }
    #expect(texts == given.requests)
    #expect(requests.map { $0.1.number } == Array(1..<UInt32(requests.count + 1)))
  }

  static let bad: [(text: String, status: Int)] = [
    ("GET /\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505), ("GET / FTP/1.1\r\n\r\n", 400),
    ("G{T / HTTP/1.1\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400),
    (" GET / HTTP/1.1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400), ("GET / HTTP/1.1\r\nA : b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", 400), ("GET / HTTP/1.1\r\n: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nA: \u{1}\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
    ("PUT / HTTP/1.1\r\nContent-Length: 67108865\r\n\r\n", 413),
    ("PUT / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    ("PUT / HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\njunk", 400),
    ("PUT / HTTP/1.1\r\nContent-Encoding: deflate\r\nContent-Length: 4\r\n\r\njunk", 415),
    ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400),
    ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", 400),
    ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", 413),
    (
      "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: "0", count: 5000),
      400
    ),
    ("GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 501) + "\r\n", 431),
    ("GET /" + String(repeating: "a", count: 70_000), 431),
    ("GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 70_000) + "\r\n\r\n", 431),
  ]

  @Test(arguments: bad)
  func brokenRequestsEndTheConnectionWithAStatus(text: String, status: Int) {
    for size in [7, 100_000] {
      var (connection, requests) = Self.receive(text, by: size)
      #expect(requests.isEmpty)
      let output = Self.text(connection.takeOutput())
      #expect(output.hasPrefix("HTTP/1.1 \(status) ") && output.contains("connection: close\r\n"))
      #expect(connection.isFinished)
      #expect(connection.receive(Array("GET / HTTP/1.1\r\n\r\n".utf8)).isEmpty)
    }
  }

  /// `{}` as gzip has it.
  private static let compressed: [UInt8] = [
    0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 0xab, 0xae, 5, 0, 0x43, 0xbf, 0xa6, 0xa3, 2, 0, 0, 0,
  ]

  @Test(arguments: ["gzip", "x-gzip", "GZIP"], [1, 100_000])
  func compressedBodiesAreRead(_ encoding: String, by size: Int) {
    var connection = HTTP1Connection(limits: .standard)
    let head = "PUT / HTTP/1.1\r\nContent-Encoding: \(encoding)\r\n"
    let count = Self.compressed.count
    var bytes = Array("\(head)Content-Length: \(count)\r\n\r\n".utf8) + Self.compressed
    bytes += Array("\(head)Transfer-Encoding: chunked\r\n\r\n16\r\n".utf8) + Self.compressed
    bytes += Array("\r\n0\r\n\r\n\(head)\r\n".utf8)
    var bodies: [String] = []
    while !bytes.isEmpty {
      for (request, _) in connection.receive(Array(bytes.prefix(size))) {
        bodies.append(Self.text(request.body))
      }
      bytes.removeFirst(min(size, bytes.count))
    }
    #expect(bodies == ["{}", "{}", ""])
  }

  @Test func encodingsThatNobodyKnowsAreIgnored() {
    let (_, requests) = Self.receive(
      "PUT / HTTP/1.1\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\n{}", by: 100_000)
    #expect(requests.map { Self.text($0.0.body) } == ["{}"])
  }

  @Test func answersHaveALengthAndGoOutInTheOrderOfTheRequests() {
    var (connection, requests) = Self.receive(
      "GET / HTTP/1.1\r\n\r\nHEAD / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n", by: 100_000)
    let response = HTTPResponse(
      headers: [
        HTTPHeader("vary", "Origin"), HTTPHeader("content-length", "9"),
        HTTPHeader("x", "a\r\nb: c"),
      ],
      text: "Ok\n")
    connection.respond(response, to: requests[1].1)
    connection.respond(HTTPResponse(status: 204), to: requests[2].1)
    #expect(!connection.hasOutput && connection.queuedBytes > 80)
    connection.respond(response, to: requests[0].1)
    connection.respond(response, to: requests[0].1)
    let head = "HTTP/1.1 200 OK\r\nvary: Origin\r\nx: a  b: c\r\ncontent-length: 3\r\n\r\n"
    #expect(
      Self.text(connection.takeOutput()) == head + "Ok\n" + head + "HTTP/1.1 204 No Content\r\n\r\n"
    )
    #expect(connection.queuedBytes == 0 && !connection.isFinished)
  }

  @Test func answersInPartsAreChunked() {
    var (connection, requests) = Self.receive(
      "GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n", by: 100_000)
    connection.begin(HTTPResponse(), to: requests[0].1)
    connection.sendChunk(Array("0123456789abcdef".utf8), on: requests[0].1)
    connection.sendChunk([], on: requests[0].1)
    connection.respond(HTTPResponse(), to: requests[0].1)
    connection.respond(HTTPResponse(), to: requests[1].1)
    let start = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\n0123456789abcdef\r\n"
    #expect(Self.text(connection.takeOutput()) == start)
    connection.sendChunk([0x78], on: requests[0].1)
    connection.endChunks(on: requests[0].1)
    connection.sendChunk([0x78], on: requests[0].1)
    #expect(
      Self.text(connection.takeOutput())
        == "1\r\nx\r\n0\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
  }

  @Test func aClientOfHTTP10GetsPartsUntilTheEndOfTheConnection() {
    var (connection, requests) = Self.receive(
      "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\nGET / HTTP/1.0\r\n\r\n", by: 100_000)
    connection.respond(HTTPResponse(), to: requests[0].1)
    #expect(Self.text(connection.takeOutput()).contains("connection: keep-alive\r\n"))
    connection.begin(HTTPResponse(), to: requests[1].1)
    connection.sendChunk(Array("abc".utf8), on: requests[1].1)
    connection.endChunks(on: requests[1].1)
    #expect(Self.text(connection.takeOutput()) == "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nabc")
    #expect(connection.isFinished)
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\nConnection: x, Close\r\n\r\nGET /b HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.0\r\n\r\n",
  ])
  func theConnectionEndsIfTheClientSaysSo(text: String) {
    var (connection, requests) = Self.receive(text, by: 100_000)
    #expect(requests.count == 1 && !connection.isFinished)
    connection.respond(HTTPResponse(), to: requests[0].1)
    #expect(Self.text(connection.takeOutput()).contains("connection: close\r\n"))
    #expect(connection.isFinished)
  }

  @Test func theConnectionEndsIfTheServerSaysSo() {
    var (connection, requests) = Self.receive("GET / HTTP/1.1\r\n\r\n", by: 100)
    connection.respond(
      HTTPResponse(headers: [HTTPHeader("connection", "close")]), to: requests[0].1)
    #expect(
      Self.text(connection.takeOutput())
        == "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
    #expect(connection.isFinished)
  }

  @Test func aClientThatWaitsWithItsBodyIsToldToGoOnBehindEarlierAnswers() {
    let head = "PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    var (connection, requests) = Self.receive("GET / HTTP/1.1\r\n\r\n" + head, by: 100_000)
    #expect(!connection.hasOutput)
    connection.respond(HTTPResponse(), to: requests[0].1)
    #expect(Self.text(connection.takeOutput()).hasSuffix("\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"))
    #expect(connection.receive([1, 2]).first?.0.body == [1, 2])
    #expect(!connection.hasOutput)
    let (whole, _) = Self.receive(head + "ab", by: 100_000)
    #expect(!whole.hasOutput)
  }

  @Test func pipelinedRequestsHaveALimit() {
    var (connection, requests) = Self.receive(
      String(repeating: "GET / HTTP/1.1\r\n\r\n", count: 300), by: 100_000)
    #expect(requests.count == 256)
    for (_, stream) in requests { connection.respond(HTTPResponse(), to: stream) }
    let output = Self.text(connection.takeOutput())
    #expect(output.hasSuffix("Too many requests wait for answers\n") && connection.isFinished)
  }

  @Test func theEndOfInputLeavesTimeForAnswersButNotForParts() {
    var (connection, requests) = Self.receive("GET / HTTP/1.1\r\n\r\n", by: 100)
    #expect(connection.endOfInput().isEmpty && !connection.isFinished)
    connection.respond(HTTPResponse(), to: requests[0].1)
    #expect(connection.hasOutput && connection.isFinished)
    (connection, requests) = Self.receive("GET / HTTP/1.1\r\n\r\n", by: 100)
    connection.begin(HTTPResponse(), to: requests[0].1)
    #expect(connection.endOfInput() == [StreamID(1)] && connection.isFinished)
    (connection, _) = Self.receive("GET / HT", by: 100)
    #expect(connection.endOfInput().isEmpty && connection.isFinished)
  }

  @Test func pathAndQueryAreDecoded() {
    let request = HTTPRequest(
      method: "GET", target: "/v1/a%20b/%28c%2Fd%29//x+y?mask=a&q=1%202+3&mask=b%zz&flag&=#f",
      headers: [HTTPHeader("a", "1"), HTTPHeader("a", "2")],
      body: Array("count=1&req0___data__=%7B%7D".utf8))
    #expect(request.path == "/v1/a b/(c/d)//x+y")
    #expect(request.segments == ["v1", "a b", "(c/d)", "x+y"])
    #expect(
      request.query.map { "\($0.0)=\($0.1)" } == ["mask=a", "q=1 2 3", "mask=b%zz", "flag=", "=#f"])
    #expect(
      request.form(limit: 2)?.map { "\($0.0)=\($0.1)" } == ["count=1", "req0___data__={}"])
    #expect(request.form(limit: 1) == nil)
    #expect(request.value(of: "a") == "2" && request.value(of: "b") == nil)
  }
}
