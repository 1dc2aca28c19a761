import Foundation
import RulesEval
import RulesHost
import RulesLang
import RulesStyle
import Testing

@testable import RulesTesting
@testable import rules_check

/// Whatever a client sends, the server answers and goes on.
@Suite struct LanguageHostilityTests {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        function owns(user) { let a = request.auth; return a != null && a.uid == user; }
        match /notes/{note} {
          // rules-check: ignore open-read why
          allow read, write: if owns(note) && [1, {'x': 2}].size() < 3 || get(/a/$(note)).data.b is int;
        }
      }
    }
    """

  private static let place = #""position": {"line": 6, "character": 33}"#
  private static let range =
    #""range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}"#

  /// Messages as an editor sends them.
  private static let messages: [String] = {
    let text = JSONText.string(rules).compact
    var all = [
      #"{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": "file:///a.rules", "languageId": "rules", "version": 1, "text": \#(text)}}}"#,
      #"{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": "file:///a.rules", "version": 2}, "contentChanges": [{\#(range), "text": "x"}]}}"#,
      #"{"jsonrpc": "2.0", "id": 1, "method": "workspace/executeCommand", "params": {"command": "rules-check.prove", "arguments": ["file:///a.rules", "/notes/{n}", ["get"], "owns(n)"]}}"#,
      #"{"jsonrpc": "2.0", "id": 1, "method": "workspace/symbol", "params": {"query": "o"}}"#,
      #"{"jsonrpc": "2.0", "id": 1, "method": "textDocument/rename", "params": {"textDocument": {"uri": "file:///a.rules"}, \#(place), "newName": "x"}}"#,
      #"{"jsonrpc": "2.0", "method": "workspace/didChangeConfiguration", "params": {"settings": {"rules-check": {"seconds": 1}}}}"#,
      #"{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}}"#,
    ]
    for question in TextQuestion.allCases {
      all.append(
        #"{"jsonrpc": "2.0", "id": 1, "method": "\#(question.rawValue)", "params": {"textDocument": {"uri": "file:///a.rules"}, \#(place), \#(range), "ch": ";", "positions": [], "context": {}}}"#
      )
    }
    return all
  }()

  @Test func messagesWithWrongBytesAreSurvived() {
    let client = ScriptedClient.started()
    var random = SplitMix(seed: 20)
    var answers = 0
    for _ in 0..<1500 {
      var bytes = Array(Self.messages[Int(random.next() % UInt64(Self.messages.count))].utf8)
      for _ in 0..<(random.next() % 4) {
        let index = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 4 {
        case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(contentsOf: bytes[..<min(8, bytes.count)], at: index)
        default: bytes.removeLast(min(bytes.count - 1, Int(random.next() % 20)))
        }
      }
      client.server.receive([bytes])
      client.server.settle()
      if random.next() % 50 == 0, let work = client.nextIdleWork() {
        work.cancellation.cancel()
        client.server.finish(work.run())
      }
      answers += client.server.takeOutgoing().count
    }
    #expect(answers > 500)
    #expect(client.ask("shutdown")?.result != nil)
  }

  @Test func anyTextIsAnsweredAboutWhereverSomebodyPoints() {
    let client = ScriptedClient.started(options: #"{"deep": false, "runTests": false}"#)
    var random = SplitMix(seed: 21)
    var text = Self.rules
    client.open("/a.rules", text)
    let pieces = [
      "{", "}", "(", "'", "/", "$(", "allow", " ", "\n", "é😀", ";", "//", "/*", "match /", ".",
    ]
    for version in 2..<120 {
      let scalars = Array(text.unicodeScalars)
      let start = Int(random.next() % UInt64(scalars.count + 1))
      let end = min(scalars.count, start + Int(random.next() % 12))
      let piece = pieces[Int(random.next() % UInt64(pieces.count))]
      text =
        String(String.UnicodeScalarView(scalars[..<start])) + piece
        + String(String.UnicodeScalarView(scalars[end...]))
      if text.utf8.count < 100 { text = Self.rules }
      client.tell(
        "textDocument/didChange",
        """
        {"textDocument": {"uri": "file:///a.rules", "version": \(version)},
        "contentChanges": [{"text": \(JSONText.string(text).compact)}]}
        """)
      #expect(client.told("textDocument/publishDiagnostics") != nil)
      let line = Int(random.next() % 12)
      let place = #""position": {"line": \#(line), "character": \#(random.next() % 60)}"#
      for question in TextQuestion.allCases {
        let answer = client.ask(
          question.rawValue,
          """
          {"textDocument": {"uri": "file:///a.rules"}, \(place), \(Self.range), "ch": "\\n",
          "positions": [{"line": \(line), "character": 3}], "context": {}}
          """)
        #expect(answer?.result != nil || answer?.errorCode == -32803, "\(question.rawValue)")
      }
    }
  }

  @Test func deepAndLongTextsAreSurvived() {
    let client = ScriptedClient.started(options: #"{"deep": false, "runTests": false}"#)
    let many = Wanted.cases(2_000, of: 20_000)
    let texts = [
      String(repeating: "(", count: many), String(repeating: "match /a/{b} {", count: many / 10),
      String(repeating: "a.", count: many), String(repeating: "[", count: many),
      "service cloud.firestore { match /a { allow read: if "
        + String(repeating: "!", count: many),
      String(repeating: "/*", count: many), String(repeating: "{\"a\":", count: many),
      String(repeating: "function f() { return f(); }\n", count: many / 20),
      "\u{0}\u{FEFF}\u{2028}",
    ]
    for (number, text) in texts.enumerated() {
      for suffix in [".rules", ".suite.json"] {
        let path = "/\(number)\(suffix)"
        client.open(path, text)
        #expect(client.told("textDocument/publishDiagnostics") != nil)
        for question in TextQuestion.allCases {
          let answer = client.ask(
            question.rawValue,
            """
            {"textDocument": {"uri": "file://\(path)"}, "position": {"line": 0, "character": 9000},
            \(Self.range), "ch": "}", "positions": [{"line": 0, "character": 9000}], "context": {}}
            """)
          #expect(answer?.result != nil || answer?.errorCode == -32803, "\(question.rawValue)")
        }
        client.tell("textDocument/didClose", #"{"textDocument": {"uri": "file://\#(path)"}}"#)
      }
    }
  }

  /// Everything that is offered as a fix leads to a text without the finding that it is for.
  @Test func aFixMendsWhatItIsFor() throws {
    let client = ScriptedClient.started(options: #"{"deep": false, "runTests": false}"#)
    var count = 0
    for lint in Lints.all where !lint.isProved {
      let text = Lint.file(of: lint.avoid)
      client.open("/a.rules", text)
      _ = client.diagnostics()
      let actions = client.ask(
        "textDocument/codeAction",
        """
        {"textDocument": {"uri": "file:///a.rules"}, "context": {}, "range": {"start": {"line": 0,
        "character": 0}, "end": {"line": 99, "character": 0}}}
        """)
      for action in actions?.result?.list ?? [] {
        let edits = try #require(action.at(["edit", "changes", "file:///a.rules"]))
        let code = action.member("diagnostics")?.list.first?.member("code")?.plainText ?? ""
        let before = Checker.checkFirestore(SourceText(name: "", text)).checked
        let after = Checker.checkFirestore(SourceText(name: "", edits.applied(to: text))).checked
        func findings(_ rules: Checked?) -> Int {
          rules.map { Linter().run($0).count { $0.code.name == code } } ?? 0
        }
        count += 1
        #expect(findings(after) < findings(before) || code == "unused-ignore", "\(lint.code.name)")
      }
    }
    #expect(count > 20)
  }
}
