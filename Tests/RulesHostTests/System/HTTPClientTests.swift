import Testing

@testable import RulesHost
@testable import RulesTesting

/// What the client makes of answers, of servers that mean well and of others.
@Suite struct HTTPClientTests {
  private func answer(
    _ text: String, pause: Double = 0, seconds: Double = 60
  ) throws -> Result<HTTPClient.Response, HTTPProblem> {
    let server = try #require(ScriptedServer(text, pause: pause))
    let client = HTTPClient(host: "127.0.0.1", port: server.port, seconds: seconds)
    return Result { () throws(HTTPProblem) in
      try client.send("GET", to: "/", body: nil, bearer: nil)
    }
  }

  private func problem(_ text: String) throws -> String? {
    guard case .failure(let problem) = try answer(text) else { return nil }
    return switch problem {
    case .noConnection(let why), .broken(let why), .late(let why): why
    }
  }

  @Test func aBodyWithALengthIsRead() throws {
    let response = try answer("HTTP/1.1 201 Created\r\nContent-Length: 3\r\n\r\nabc").get()
    #expect(response.status == 201)
    #expect(response.body == Array("abc".utf8))
  }

  @Test func chunksArePutTogether() throws {
    let response = try answer(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nab\r\nA\r\n0123456789\r\n"
        + "0\r\nTrailer: t\r\n\r\n"
    ).get()
    #expect(response.body == Array("ab0123456789".utf8))
  }

  @Test(arguments: ["-5", "0x10", "99999999999999999999", "1, 2", ""])
  func aLengthThatCannotBeIsAnError(_ length: String) throws {
    let problem = try problem("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nabc")
    #expect(problem?.contains("an invalid Content-Length") == true)
  }

  @Test func twoLengthsAreAnError() throws {
    let problem = try problem(
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab")
    #expect(problem?.contains("an invalid Content-Length") == true)
  }

  @Test func anAnswerThatIsTooLargeIsNotRead() throws {
    let problem = try problem("HTTP/1.1 200 OK\r\nContent-Length: 67108865\r\n\r\n")
    #expect(problem == "the answer is too large")
  }

  @Test(arguments: ["-1", "zz", "7fffffffffffffff0"])
  func aChunkOfASizeThatCannotBeIsAnError(_ size: String) throws {
    let problem = try problem(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\nab\r\n")
    #expect(problem == "a chunk has no size")
  }

  @Test func aHeadWithoutEndIsGivenUp() throws {
    let problem = try problem("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 1 << 17))
    #expect(problem == "the head of the answer does not end")
  }

  /// Each byte comes in time, all of them never would.
  @Test func aServerThatDripsDoesNotHoldItsClient() throws {
    let text =
      "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + String(repeating: "x", count: 90)
    guard case .failure(.late(let why)) = try answer(text, pause: 0.05, seconds: 0.2) else {
      Issue.record("the answer was taken for a whole one")
      return
    }
    #expect(why == "no complete answer within 0.2 seconds")
  }

  @Test func namesOfHeadersHaveNoCaseAndTheSameLengthTwiceIsOne() throws {
    let response = try answer(
      "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nCONTENT-LENGTH:2\r\n\r\nab"
    ).get()
    #expect(response.body == Array("ab".utf8))
    let chunked = try answer(
      "HTTP/1.0 404 Not Found\r\ntransfer-encoding: Chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"
    ).get()
    #expect(chunked.status == 404 && chunked.body == Array("x".utf8))
  }

  @Test func anAnswerWithoutLengthHasNoBody() throws {
    let response = try answer("HTTP/1.1 204 No Content\r\n\r\n").get()
    #expect(response.status == 204 && response.body.isEmpty)
  }

  @Test(arguments: ["SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTP/2 ok\r\n\r\n", "\r\n\r\n"])
  func whatIsNoHTTPIsAnError(_ text: String) throws {
    #expect(try problem(text)?.hasSuffix("does not speak HTTP") == true)
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "HTTP/1.1 200 OK\r\nContent-Le", "",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
  ])
  func anAnswerThatBreaksOffIsAnError(_ text: String) throws {
    guard case .failure(.broken) = try answer(text) else {
      Issue.record("the answer was taken for a whole one")
      return
    }
  }

  @Test func aChunkThatIsTooLargeIsNotRead() throws {
    let problem = try problem(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4000001\r\n")
    #expect(problem == "the answer is too large")
  }

  /// The server hangs up after each answer, though it says nothing of it.
  @Test func aConnectionThatWasClosedIsMadeAnew() throws {
    let server = try #require(ScriptedServer("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"))
    let client = HTTPClient(host: "127.0.0.1", port: server.port, seconds: 10)
    for _ in 0..<3 {
      let response = try client.send("POST", to: "/", body: "{}", bearer: "t")
      #expect(response.status == 200 && response.body == Array("x".utf8))
    }
  }

  @Test func aHostThatIsNotKnownIsNamed() throws {
    let nowhere = HTTPClient(host: "no.such.host.invalid", port: 1, seconds: 5)
    do throws(HTTPProblem) {
      _ = try nowhere.send("GET", to: "/", body: nil, bearer: nil)
      Issue.record("a host that is not known answered")
    } catch {
      guard case .noConnection(let why) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(why == "the host no.such.host.invalid is not known")
    }
  }

  /// A server that takes a request and never answers.
  @Test func silenceEndsWithTheDeadline() throws {
    guard
      case .failure(.late(let why)) = try answer("HTTP/1.1 200 OK\r\n", pause: 5, seconds: 0.1)
    else {
      Issue.record("silence was taken for an answer")
      return
    }
    #expect(why == "no complete answer within 0.1 seconds")
  }
}
