import RulesEval
import RulesHost
import RulesLang
import Testing

@testable import RulesTesting
@testable import rules_check

/// The protocol, message by message; the commands themselves are not run.
@Suite struct AssistantServerTests {
  /// A client in the same process.
  private struct Client {
    var server = AssistantServer(.rulesCheck, folder: "/project")

    /// A client that has agreed on a version.
    init(_ version: String? = "2025-11-25") {
      guard let version else { return }
      _ = send(
        AssistantServerTests.request(0, "initialize", #"{"protocolVersion": "\#(version)"}"#))
    }

    /// Sends a line; the answers.
    mutating func send(_ line: String) -> [JSON] {
      server.receive(Array(line.utf8))
      return taken()
    }

    mutating func taken() -> [JSON] {
      server.takeOutgoing().map { message in
        do throws(JSONProblem) {
          return try JSONParser.parse(SourceText(name: "", message.compact))
        } catch {
          Issue.record("the server has written what is no JSON: \(message.compact)")
          return JSON(.null)
        }
      }
    }

    /// Ends the next call.
    mutating func finish(_ status: RulesHost.ExitStatus = .success, json: String? = nil) -> [JSON] {
      _ = server.next()
      server.finish(
        CapturedRun(status: status, text: "done\n", json: json.map { Array($0.utf8) }))
      return taken()
    }
  }

  private static func request(_ id: Int, _ method: String, _ parameters: String = "{}") -> String {
    #"{"jsonrpc": "2.0", "id": \#(id), "method": "\#(method)", "params": \#(parameters)}"#
  }

  private static func call(_ id: Int, _ tool: String = "check", _ more: String = "") -> String {
    request(id, "tools/call", #"{"name": "\#(tool)", "arguments": {}\#(more)}"#)
  }

  private static func cancel(_ id: Int) -> String {
    #"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": \#(id)}}"#
  }

  @Test(arguments: [
    ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"),
    ("2025-11-25", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("1", "2025-11-25"),
  ])
  func versionsAreNegotiated(_ wanted: String, _ agreed: String) {
    var client = Client(nil)
    let answer = client.send(
      Self.request(1, "initialize", #"{"protocolVersion": "\#(wanted)", "capabilities": {}}"#))[0]
    #expect(answer.at(["result", "protocolVersion"])?.plainText == agreed)
    #expect(answer.at(["result", "serverInfo", "name"])?.plainText == "rules-check")
    #expect(answer.at(["result", "capabilities", "tools"]) != nil)
    #expect(client.send(#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#).isEmpty)
    #expect(client.send(Self.request(2, "tools/list"))[0].at(["result", "tools"])?.list.count == 7)
    #expect(client.send(Self.request(3, "initialize", "{}"))[0].errorCode == -32600)
  }

  @Test func beforeInitializeOnlyPingIsAnswered() {
    var client = Client(nil)
    #expect(client.send(Self.request(1, "ping"))[0].result != nil)
    #expect(client.send(Self.request(2, "tools/list"))[0].errorCode == -32600)
    #expect(client.send(Self.call(3))[0].errorCode == -32600)
    #expect(client.send(Self.request(4, "server/discover"))[0].errorCode == -32601)
    #expect(client.send(Self.request(5, "initialize", "{}"))[0].errorCode == -32602)
    #expect(
      client.send(Self.request(6, "initialize", #"{"protocolVersion": 1}"#))[0].errorCode == -32602)
    #expect(!client.server.isBusy)
  }

  @Test(arguments: [
    ("{", -32700), ("nonsense", -32700), ("{\"a\": \u{1}}", -32700), ("1", -32600), ("[]", -32600),
    ("[1]", -32600), ("null", -32600), ("{}", -32600),
    (#"{"jsonrpc": "1.0", "id": 1, "method": "ping"}"#, -32600),
    (#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#, -32600),
    (#"{"jsonrpc": "2.0", "id": 1, "method": 1}"#, -32600),
    (#"{"jsonrpc": "2.0", "id": 1, "method": "resources/list"}"#, -32601),
    (#"{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}"#, -32602),
    (#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"cursor": "x"}}"#, -32602),
    (#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}"#, -32602),
    (#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 7}}"#, -32602),
    (#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "mcp"}}"#, -32602),
    (
      #"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "check", "arguments": []}}"#,
      -32602
    ),
  ])
  func wrongMessagesHaveTheirCodes(_ line: String, _ code: Int) {
    var client = Client()
    let answers = client.send(line)
    #expect(answers.map(\.errorCode) == [code])
    #expect(client.send(Self.request(9, "ping"))[0].result != nil)
  }

  @Test func notificationsAndAnswersAreNotAnswered() {
    var client = Client()
    for line in [
      #"{"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}"#,
      #"{"jsonrpc": "2.0", "method": "nonsense", "params": 7}"#,
      #"{"jsonrpc": "2.0", "id": 1, "result": {}}"#, Self.cancel(17),
    ] {
      #expect(client.send(line).isEmpty)
    }
  }

  @Test func exitCodesAreExplained() throws {
    for (status, isError, words) in [
      (RulesHost.ExitStatus.success, false, "exit code 0: the rules compile"),
      (.failure, false, "exit code 1: something does not hold"),
      (.unusable, true, "exit code 2: it could not run"),
      (.undecided, false, "exit code 4: undecided"),
      (.defect, true, "exit code 70: a defect"),
    ] {
      var client = Client()
      #expect(client.send(Self.call(1)).isEmpty)
      let result = try #require(
        client.finish(status, json: #"{"schema": "rules-check.check/1"}"#)[0].result)
      let text = result.member("content")?.list[0].member("text")?.plainText ?? ""
      #expect(text.hasPrefix("done\n\n\(words)"), "\(text)")
      #expect(result.member("isError").map { JSONText($0).compact } == "\(isError)")
      let structured = result.member("structuredContent")
      #expect(structured?.member("exitCode")?.plainInt == Int(status.rawValue))
      #expect(structured?.at(["report", "schema"])?.plainText == "rules-check.check/1")
    }
  }

  @Test func structuredContentBelongsToLaterVersions() {
    for (version, isStructured) in [("2025-03-26", false), ("2025-06-18", true)] {
      var client = Client(version)
      _ = client.send(Self.call(1))
      let result = client.finish(json: "{}")[0].result
      #expect((result?.member("structuredContent") != nil) == isStructured)
    }
  }

  @Test func argumentsThatDoNotFitAreErrorsOfTheTool() {
    var client = Client()
    let line = Self.request(1, "tools/call", #"{"name": "check", "arguments": {"deep": "yes"}}"#)
    let result = client.send(line)[0].result
    #expect(result?.member("isError").map { JSONText($0).compact } == "true")
    #expect(!client.server.isBusy)
  }

  @Test func callsRunOneAfterTheOther() {
    var client = Client()
    for id in 1...3 { #expect(client.send(Self.call(id)).isEmpty) }
    #expect(client.server.next() != nil && client.server.next() == nil)
    #expect(client.send(Self.request(9, "ping"))[0].member("id")?.plainInt == 9)
    // The ID of a request that still waits is not taken twice.
    #expect(client.send(Self.call(2))[0].errorCode == -32600)
    for id in 1...3 { #expect(client.finish().map { $0.member("id")?.plainInt } == [id]) }
    #expect(!client.server.isBusy && client.finish().isEmpty)
  }

  @Test func cancelledCallsHaveNoAnswer() {
    var client = Client()
    for id in 1...3 { _ = client.send(Self.call(id)) }
    _ = client.server.next()
    #expect(client.send(Self.cancel(1)).isEmpty && client.server.isInterrupted)
    #expect(client.send(Self.cancel(2)).isEmpty)
    #expect(client.finish().isEmpty)
    #expect(!client.server.isInterrupted)
    #expect(client.finish().map { $0.member("id")?.plainInt } == [3])
  }

  @Test func progressIsToldToThoseWhoAsk() {
    var client = Client()
    _ = client.send(Self.call(1, "audit", #", "_meta": {"progressToken": "t"}"#))
    #expect(!client.server.wantsProgress)
    _ = client.server.next()
    client.server.tellProgress(seconds: 3)
    let told = client.taken()
    #expect(told.count == 1 && told[0].at(["params", "progressToken"])?.plainText == "t")
    #expect(told.first?.at(["params", "progress"])?.plainInt == 3)
    _ = client.finish()
    _ = client.send(Self.call(2, "audit", #", "_meta": {"progressToken": [1]}"#))
    _ = client.server.next()
    #expect(!client.server.wantsProgress)
  }

  @Test func batchesBelongToOneVersion() {
    let batch =
      "[\(Self.request(1, "ping")), \(Self.call(2)), 7, \(Self.call(3)), \(Self.cancel(3))]"
    var client = Client("2025-03-26")
    #expect(client.send(batch).isEmpty)
    let answers = client.finish()
    #expect(answers.count == 1)
    #expect(answers[0].list.map { $0.member("id")?.plainInt } == [1, nil, 2])
    #expect(client.send("[\(Self.cancel(5))]").isEmpty)
    var other = Client("2025-06-18")
    #expect(other.send(batch).map(\.errorCode) == [-32600])
  }

  @Test func linesWithWrongBytesAreSurvived() {
    let messages = [
      Self.call(1, "simulate", #", "_meta": {"progressToken": 1}"#), Self.request(2, "tools/list"),
      Self.request(3, "initialize", #"{"protocolVersion": "2025-11-25"}"#), Self.cancel(1),
      "[\(Self.request(4, "ping")), \(Self.call(5))]",
    ]
    for version in ["2025-03-26", nil] as [String?] {
      var client = Client(version)
      var random = SplitMix(seed: 55)
      var answers = 0
      for _ in 0..<3000 {
        var bytes = Array(messages[Int(random.next() % UInt64(messages.count))].utf8)
        for _ in 0..<(random.next() % 4) {
          let index = Int(random.next() % UInt64(bytes.count))
          switch random.next() % 4 {
          case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
          case 1: bytes.remove(at: index)
          case 2: bytes.insert(contentsOf: bytes[..<min(8, bytes.count)], at: index)
          default: bytes.removeLast(min(bytes.count - 1, Int(random.next() % 20)))
          }
        }
        client.server.receive(bytes)
        if random.next() % 3 == 0 { answers += client.finish().count }
        answers += client.taken().count
      }
      while client.server.isBusy { _ = client.finish() }
      #expect(answers > 500)
      #expect(client.send(Self.request(9, "ping"))[0].result != nil)
    }
  }

  @Test func linesComeInPartsAndMayBeTooLong() {
    var reader = LineReader()
    for byte in Array("{\"a\": 1}\r\n\n  \n[2]\nrest".utf8) { reader.add([byte]) }
    #expect(reader.next() == .line(Array("{\"a\": 1}\r".utf8)))
    #expect(reader.next() == .line(Array("[2]".utf8)))
    #expect(reader.next() == nil)
    reader.add([0x0A])
    #expect(reader.next() == .line(Array("rest".utf8)))
    let part = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    var items: [LineReader.Item] = []
    for _ in 0..<40 {
      reader.add(part)
      while let item = reader.next() { items.append(item) }
    }
    reader.add(Array("\nnext\n".utf8))
    while let item = reader.next() { items.append(item) }
    #expect(items == [.problem("a line is longer than 16 MiB"), .line(Array("next".utf8))])
  }
}
