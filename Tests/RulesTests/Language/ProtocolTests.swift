import RulesEval
import RulesHost
import RulesLang
import Testing

@testable import rules_check

/// Messages, their order, and what is no message.
@Suite struct ProtocolTests {
  private let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{uid} { allow read: if reqest.auth.uid == uid; }
      }
    }
    """

  @Test func aSessionGoesFromInitializeToExit() {
    let client = ScriptedClient()
    let hello = client.ask("initialize", #"{"capabilities": {}}"#)
    #expect(hello?.at(["result", "capabilities", "textDocumentSync", "change"])?.plainInt == 2)
    #expect(hello?.at(["result", "capabilities", "positionEncoding"])?.plainText == "utf-16")
    client.tell("initialized")
    client.open("/project/a.rules", rules)
    #expect(
      client.diagnostics() == [
        "3 unknown-variable Invalid variable name: reqest."
      ])
    #expect(client.ask("shutdown")?.result?.kindName == "null")
    #expect(client.ask("textDocument/hover")?.errorCode == -32600)
    client.tell("exit")
    #expect(client.server.phase == .ended(isOrderly: true))
  }

  @Test func exitWithoutShutdownIsNotOrderly() {
    let client = ScriptedClient.started()
    client.tell("exit")
    #expect(client.server.phase == .ended(isOrderly: false))
  }

  @Test func utf8IsSpokenWithWhoOffersIt() {
    let client = ScriptedClient()
    let hello = client.ask(
      "initialize",
      #"{"capabilities": {"general": {"positionEncodings": ["utf-16", "utf-8"]}}}"#)
    #expect(hello?.at(["result", "capabilities", "positionEncoding"])?.plainText == "utf-8")
  }

  @Test func whatIsWrongHasTheCodeOfTheProtocol() {
    let client = ScriptedClient()
    #expect(client.ask("textDocument/hover")?.errorCode == -32002)
    _ = client.ask("initialize", #"{"capabilities": {}}"#)
    #expect(client.ask("initialize")?.errorCode == -32600)
    #expect(client.ask("textDocument/nothing")?.errorCode == -32601)
    #expect(client.ask("$/nothing")?.errorCode == -32601)
    #expect(client.ask("textDocument/hover")?.errorCode == -32602)
    let closed =
      #"{"textDocument": {"uri": "file:///x.rules"}, "position": {"line": 0, "character": 0}}"#
    #expect(client.ask("textDocument/hover", closed)?.errorCode == -32602)
    client.open("/x.rules", rules)
    let nowhere = #"{"textDocument": {"uri": "file:///x.rules"}, "position": {"line": -1}}"#
    #expect(client.ask("textDocument/hover", nowhere)?.errorCode == -32602)
    #expect(client.ask("workspace/executeCommand", #"{"command": "x"}"#)?.errorCode == -32602)
    let beyond =
      #"{"textDocument": {"uri": "file:///x.rules"}, "position": {"line": 9999999, "character": 99999999}}"#
    #expect(client.ask("textDocument/hover", beyond)?.result?.kindName == "null")
  }

  @Test(arguments: [
    ("{", -32700), ("", -32700), ("[1, 2", -32700), ("\u{0}", -32700), ("[]", -32600),
    ("7", -32600),
    ("null", -32600), (#"{"jsonrpc": "2.0"}"#, -32600), (#"{"jsonrpc": "2.0", "id": 1}"#, -32600),
    (#"{"jsonrpc": "2.0", "id": 1, "method": 5}"#, -32600),
    (#"{"jsonrpc": "1.0", "id": 1, "method": "shutdown"}"#, -32600),
    (#"{"id": 1, "method": "shutdown"}"#, -32600),
    (#"{"jsonrpc": "2.0", "id": null, "method": "shutdown"}"#, -32600),
    (#"{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}"#, -32600),
    (String(repeating: "[", count: 100_000), -32700),
    (#"[{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}]"#, -32600),
  ])
  func whatIsNoMessageIsAnswered(_ text: String, code: Int) {
    let client = ScriptedClient.started()
    client.send([text])
    #expect(client.received.count == 1)
    #expect(client.received.first?.errorCode == code)
    // And the server goes on.
    #expect(client.ask("shutdown")?.result != nil)
  }

  @Test func requestsMayHaveTextsAsTheirNumbers() {
    let client = ScriptedClient.started()
    client.send([#"{"jsonrpc": "2.0", "id": "a\"b", "method": "shutdown"}"#])
    #expect(client.received.first?.member("id")?.plainText == "a\"b")
  }

  private func symbols(_ id: Int) -> String {
    """
    {"jsonrpc": "2.0", "id": \(id), "method": "textDocument/documentSymbol",
    "params": {"textDocument": {"uri": "file:///a.rules"}}}
    """
  }

  @Test func aRequestThatIsTakenBackInTimeIsNotBegun() {
    let client = ScriptedClient.started()
    client.open("/a.rules", rules)
    client.send([
      symbols(50),
      #"{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 50}}"#,
      symbols(51),
    ])
    #expect(client.answer(to: 50)?.errorCode == -32800)
    #expect(client.answer(to: 51)?.result?.list.count == 1)
    // Taking back what was answered, or never asked, changes nothing.
    client.tell("$/cancelRequest", #"{"id": 51}"#)
    client.tell("$/cancelRequest", #"{"id": "never"}"#)
    client.tell("$/cancelRequest")
    #expect(client.ask("shutdown")?.result != nil)
  }

  @Test func aCommandThatIsTakenBackWhileItRunsEndsEarly() throws {
    let client = ScriptedClient.started()
    client.open("/a.rules", rules.replacing("reqest", with: "request"))
    let answer = client.ask(
      "workspace/executeCommand",
      #"{"command": "rules-check.prove", "arguments": ["file:///a.rules", "/users/{uid}", ["read"]]}"#
    )
    #expect(answer == nil)
    let id = client.lastRequest
    let work = try #require(client.nextWork())
    client.tell("$/cancelRequest", #"{"id": \#(id)}"#)
    client.server.finish(work.run())
    client.send([])
    #expect(client.answer(to: id)?.errorCode == -32800)
  }

  @Test func editsThatComeOutOfOrderAreNotMade() {
    let client = ScriptedClient.started()
    client.tell(
      "textDocument/didChange",
      #"{"textDocument": {"uri": "file:///a.rules", "version": 2}, "contentChanges": []}"#)
    #expect(client.told("window/logMessage") != nil)
    client.open("/a.rules", rules, version: 5)
    _ = client.diagnostics()
    let range = #"{"start": {"line": 3, "character": 40}, "end": {"line": 3, "character": 46}}"#
    client.change("/a.rules", range, to: "request", version: 4)
    #expect(client.told("window/logMessage") != nil)
    #expect(client.diagnostics() == nil)
    client.change("/a.rules", range, to: "request", version: 6)
    #expect(client.diagnostics() == [])
    for wrong in [
      #"{"range": {"start": 1}, "text": "x"}"#, #"{"range": 7, "text": "x"}"#, #"{"text": 7}"#,
      "{}",
    ] {
      client.tell(
        "textDocument/didChange",
        #"{"textDocument": {"uri": "file:///a.rules", "version": 7}, "contentChanges": [\#(wrong)]}"#
      )
      #expect(client.told("window/logMessage") != nil)
    }
    client.tell("textDocument/didClose", #"{"textDocument": {"uri": "file:///a.rules"}}"#)
    #expect(client.diagnostics() == [])
    client.tell("textDocument/didClose", #"{"textDocument": {"uri": "file:///a.rules"}}"#)
    #expect(client.told("window/logMessage") != nil)
  }

  @Test func everyNotificationIsTakenWithoutWhatBelongsToIt() {
    let client = ScriptedClient.started()
    client.open("/a.rules", rules)
    let methods = [
      "initialized", "textDocument/didOpen", "textDocument/didChange", "textDocument/didSave",
      "textDocument/didClose", "workspace/didChangeConfiguration",
      "workspace/didChangeWatchedFiles",
      "workspace/didChangeWorkspaceFolders", "$/setTrace", "unknown", "$/unknown",
    ]
    for method in methods {
      for parameters in ["{}", "null", "[]", "7", #"{"textDocument": []}"#, #"{"event": 1}"#] {
        client.tell(method, parameters)
      }
    }
    for question in TextQuestion.allCases {
      for parameters in ["{}", "null", #"{"textDocument": {"uri": "file:///a.rules"}}"#] {
        #expect(client.ask(question.rawValue, parameters) != nil)
      }
    }
    #expect(client.ask("shutdown")?.result != nil)
  }
}

/// The headers between messages.
@Suite struct MessageReaderTests {
  private func items(_ bytes: [UInt8], portion: Int) -> [MessageReader.Item] {
    var reader = MessageReader()
    var items: [MessageReader.Item] = []
    var place = 0
    while place < bytes.count {
      reader.add(Array(bytes[place..<min(bytes.count, place + portion)]))
      place += portion
      while let item = reader.next() { items.append(item) }
    }
    return items
  }

  @Test func messagesAreTheSameHoweverTheyCome() {
    let bytes =
      MessageReader.framed("{}") + MessageReader.framed("é")
      + Array("content-length:1\r\nContent-Type: x\r\n\r\n7".utf8)
    for portion in 1...bytes.count {
      #expect(
        items(bytes, portion: portion) == [
          .message(Array("{}".utf8)), .message(Array("é".utf8)), .message(Array("7".utf8)),
        ])
    }
  }

  @Test func aHeaderThatIsNoneIsPassedOver() {
    for wrong in ["nonsense", "Content-Length: x", "Content-Length: -5", "Content-Length: 9e9", ""]
    {
      let bytes = Array("\(wrong)\r\n\r\n".utf8) + MessageReader.framed("1")
      let items = items(bytes, portion: 7)
      #expect(items.count == 2, "\(wrong)")
      #expect(items.last == .message([UInt8(ascii: "1")]), "\(wrong)")
    }
  }

  @Test func whatIsTooLongIsPassedOverWithoutBeingKept() {
    let length = MessageReader.longest + 1
    var reader = MessageReader()
    reader.add(Array("Content-Length: \(length)\r\n\r\n".utf8))
    guard case .problem? = reader.next() else {
      Issue.record("a message of \(length) bytes was taken")
      return
    }
    let portion = [UInt8](repeating: 32, count: 1 << 20)
    var left = length
    while left > 0 {
      reader.add(Array(portion.prefix(left)))
      left -= portion.count
      #expect(reader.next() == nil)
    }
    reader.add(MessageReader.framed("1"))
    #expect(reader.next() == .message([UInt8(ascii: "1")]))
  }

  @Test func bytesWithoutAnyHeaderDoNotPileUp() {
    var reader = MessageReader()
    var problems = 0
    for _ in 0..<100 {
      reader.add([UInt8](repeating: 65, count: 5000))
      while let item = reader.next() {
        if case .problem = item { problems += 1 }
      }
    }
    #expect(problems == 100)
    reader.add(Array("\r\n\r\n".utf8) + MessageReader.framed("1"))
    var items: [MessageReader.Item] = []
    while let item = reader.next() { items.append(item) }
    #expect(items.last == .message([UInt8(ascii: "1")]))
  }
}
