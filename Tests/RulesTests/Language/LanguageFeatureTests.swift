import Foundation
import RulesEval
import RulesHost
import RulesLang
import RulesService
import RulesStyle
import Testing

@testable import rules_check

/// What an editor gets for its questions.
@Suite struct LanguageFeatureTests {
  private static let head = "rules_version = '2';\nservice cloud.firestore {\n"
  private static let before =
    head + "match /databases/{database}/documents { match /notes/{note} {\n"

  private func rules(_ statements: String) -> String { Self.before + statements + "\n}}}\n" }

  private func uri(_ path: String, and more: String = "") -> String {
    #"{"textDocument": {"uri": "file://\#(path)"}\#(more)}"#
  }

  @Test func diagnosticsFollowTheTextAndItsVersion() throws {
    let client = ScriptedClient.started()
    client.open("/a.rules", rules("allow read: if tru;"))
    let told = try #require(client.told("textDocument/publishDiagnostics"))
    #expect(told.member("version")?.plainInt == 1)
    let one = try #require(
      told.member("diagnostics")?.list.first {
        $0.member("code")?.plainText == "unknown-variable"
      })
    #expect(one.member("range")?.span == "3:15-3:18")
    #expect(one.member("severity")?.plainInt == 1)
    #expect(one.member("source")?.plainText == "rules-check")
    client.change(
      "/a.rules", #"{"start": {"line": 3, "character": 18}, "end": {"line": 3, "character": 18}}"#,
      to: "e", version: 2)
    #expect(client.diagnostics()?.allSatisfy { $0.contains("open-read") } == true)
    // Edits that come together are told of once.
    let edit =
      """
      {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {
      "uri": "file:///a.rules", "version": %}, "contentChanges": [{"text": "x"}]}}
      """
    client.send([3, 4, 5].map { edit.replacingOccurrences(of: "%", with: "\($0)") })
    #expect(
      client.received.count { $0.member("method")?.plainText == "textDocument/publishDiagnostics" }
        == 1)
    #expect(client.told("textDocument/publishDiagnostics")?.member("version")?.plainInt == 5)
  }

  @Test func placesAreCountedInUTF16() throws {
    let client = ScriptedClient.started()
    let place = client.open("/a.rules", marked: rules("allow read: if '😀é' == no‸te;"))
    let answer = client.ask("textDocument/definition", place.parameters)
    #expect(answer?.at(["result", "range"])?.span == "2:54-2:58")
    let hover = client.ask("textDocument/hover", place.parameters)
    #expect(hover?.at(["result", "range"])?.span == "3:24-3:28")
  }

  @Test func namesLeadToTheirPlacesAndAreChangedEverywhere() throws {
    let suite = #"{"rules": "a.rules", "claims": [{"path": "/notes/{n}", "onlyIf": "owns(n)"}]}"#
    let client = ScriptedClient.started(files: ["/project/a.suite.json": suite])
    let text = rules("function owns(x) { return x == note; }\nallow read: if ow‸ns(note);")
    let place = client.open("/project/a.rules", marked: text)
    let references = client.ask("textDocument/references", place.parameters)?.result?.list ?? []
    #expect(references.compactMap { $0.member("range")?.span } == ["3:9-3:13", "4:15-4:19"])
    #expect(client.ask("textDocument/documentHighlight", place.parameters)?.result?.list.count == 2)
    let prepared = client.ask("textDocument/prepareRename", place.parameters)
    #expect(prepared?.at(["result", "placeholder"])?.plainText == "owns")
    let more = place.parameters.dropLast() + #", "newName": "isMine"}"#
    let answer = try #require(client.ask("textDocument/rename", String(more))?.result)
    let changes = try #require(answer.member("changes"))
    let plain = text.replacingOccurrences(of: "‸", with: "")
    #expect(
      changes.member("file:///project/a.rules")?.applied(to: plain)
        == plain.replacingOccurrences(of: "owns", with: "isMine"))
    #expect(
      changes.member("file:///project/a.suite.json")?.applied(to: suite)
        == suite.replacingOccurrences(of: "owns", with: "isMine"))
    let wrong = place.parameters.dropLast() + #", "newName": "exi sts"}"#
    #expect(client.ask("textDocument/rename", String(wrong))?.errorCode == -32803)
    let missing = String(place.parameters)
    #expect(client.ask("textDocument/rename", missing)?.errorCode == -32602)
  }

  @Test func editsNameTheVersionOfTheirTextWhereTheClientTakesThat() throws {
    let client = ScriptedClient.started(
      files: ["/project/a.suite.json": #"{"rules": "a.rules", "claims": [{"onlyIf": "owns(n)"}]}"#],
      abilities: #"{"workspace": {"workspaceEdit": {"documentChanges": true}}}"#)
    let text = rules("function owns(x) { return x == note; }\nallow read: if ow‸ns(notes);")
    let place = client.open("/project/a.rules", marked: text)
    func changes(_ answer: JSON?) -> [String] {
      (answer?.member("documentChanges")?.list ?? []).map { change in
        let document = change.member("textDocument")
        return (document?.member("uri")?.plainText ?? "") + " "
          + (document?.member("version")?.plainInt.map { "\($0)" } ?? "null")
          + " \(change.member("edits")?.list.count ?? 0)"
      }
    }
    let more = place.parameters.dropLast() + #", "newName": "isMine"}"#
    let renamed = client.ask("textDocument/rename", String(more))?.result
    #expect(changes(renamed).contains("file:///project/a.rules 1 2"))
    #expect(renamed?.member("changes") == nil)
    let actions = client.ask(
      "textDocument/codeAction",
      """
      {"textDocument": {"uri": "file:///project/a.rules"}, "context": {}, "range": {
      "start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}}
      """)
    let edits = (actions?.result?.list ?? []).compactMap { $0.member("edit") }
    #expect(!edits.isEmpty)
    for edit in edits { #expect(changes(edit) == ["file:///project/a.rules 1 1"]) }
  }

  @Test func completionsStandAtTheirPlaceWithTheCaretInside() throws {
    let client = ScriptedClient.started()
    let place = client.open("/a.rules", marked: rules("allow read: if request.auth.u‸"))
    let items = client.ask("textDocument/completion", place.parameters)?.at(["result", "items"])
    #expect(items?.labels() == ["uid", "token"])
    #expect(items?.list.first?.at(["textEdit", "range"])?.span == "3:28-3:29")
    let call = client.open("/b.rules", marked: rules("allow read: if ‸"))
    let all = client.ask("textDocument/completion", call.parameters)?.at(["result", "items"])
    let get = try #require(all?.list.first { $0.member("label")?.plainText == "get" })
    #expect(get.at(["textEdit", "newText"])?.plainText == "get($0)")
    #expect(get.member("insertTextFormat")?.plainInt == 2)
    let suite = client.open("/a.suite.json", marked: #"{"tests": [{"expect": "‸"}]}"#)
    let values = client.ask("textDocument/completion", suite.parameters)?.at(["result", "items"])
    #expect(values?.labels() == ["allow", "deny"])
    #expect(values?.list.first?.member("filterText")?.plainText == #""allow""#)
  }

  @Test func aFormattedTextIsWhatFmtWrites() throws {
    let client = ScriptedClient.started()
    let text = rules("allow   read:if note=='é😀'&&true ;\nallow write : if  false;")
    client.open("/a.rules", text)
    let edits = try #require(
      client.ask("textDocument/formatting", uri("/a.rules", and: #", "options": {}"#))?.result)
    guard case .formatted(let bytes) = RulesFormatter.format(SourceText(name: "", text)) else {
      Issue.record("not formatted")
      return
    }
    #expect(edits.applied(to: text) == String(decoding: bytes, as: UTF8.self))
    let range =
      #", "range": {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 9}}"#
    let part = client.ask("textDocument/rangeFormatting", uri("/a.rules", and: range))?.result
    #expect(part?.list.isEmpty == false)
    let typed = client.open("/b.rules", marked: rules("allow   read:if true;‸"))
    let more = typed.parameters.dropLast() + #", "ch": ";"}"#
    let onType = client.ask("textDocument/onTypeFormatting", String(more))?.result
    #expect(
      onType?.applied(to: rules("allow   read:if true;")).contains("      allow read: if true;")
        == true)
  }

  @Test func everythingElseAboutATextIsAnswered() throws {
    let client = ScriptedClient.started()
    let text = rules("function f(a) {\n  // x\n  // y\n  return a;\n}\nallow read: if f(1);")
    let place = client.open("/a.rules", marked: text.replacing("f(1)", with: "f(‸1)"))
    func ask(_ method: String, _ more: String = "") -> JSON? {
      client.ask("textDocument/" + method, uri("/a.rules", and: more))?.result
    }
    let all =
      #", "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}"#
    #expect(ask("documentSymbol")?.labels("name") == ["cloud.firestore"])
    #expect(
      ask("foldingRange")?.list.contains { $0.member("kind")?.plainText == "comment" } == true)
    let tokens = ask("semanticTokens/full")?.member("data")?.list ?? []
    #expect(tokens.count > 50 && tokens.count.isMultiple(of: 5))
    #expect(ask("semanticTokens/range", all)?.member("data")?.list.count == tokens.count)
    #expect(ask("inlayHint", all)?.list.isEmpty == true)
    #expect(
      ask("selectionRange", #", "positions": [{"line": 8, "character": 17}]"#)?.list.count == 1)
    let help = client.ask("textDocument/signatureHelp", place.parameters)?.result
    #expect(help?.member("signatures")?.labels() == ["f(a)"])
    #expect(client.ask("textDocument/declaration", place.parameters)?.result != nil)
    let actions = ask("codeAction", all + #", "context": {"diagnostics": []}"#)
    #expect(actions?.labels("title").contains { $0.hasPrefix("Ignore") } == true)
    let none = ask("codeAction", all + #", "context": {"diagnostics": [], "only": ["refactor"]}"#)
    #expect(none?.list.isEmpty == true)
    let lenses = ask("codeLens")?.list.compactMap { $0.at(["command", "title"])?.plainText }
    #expect(lenses == ["prove …"])
  }

  @Test func symbolsOfAllFilesAreFound() {
    let client = ScriptedClient.started(files: [
      "/project/one.rules": rules("function owner() { return true; }\nallow read: if owner();"),
      "/project/deep/two.rules": rules(
        "function other() { return true; }\nallow read: if other();"),
      "/elsewhere/three.rules": rules("function outside() { return true; }"),
    ])
    func names(_ query: String) -> [String] {
      client.ask("workspace/symbol", #"{"query": "\#(query)"}"#)?.result?.labels("name").sorted()
        ?? []
    }
    #expect(names("wer") == ["owner"])
    #expect(names("OWN") == ["owner"])
    #expect(names("outside") == [])
    #expect(names("").count > 6)
  }
}

/// Suites, tests and proofs beside the text.
@Suite struct LanguageWorkTests {
  private let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /notes/{note} {
          allow get: if request.auth != null && request.auth.uid == note;
          allow get: if request.auth.uid == note && request.time != null;
        }
      }
    }
    """
  private let suite = """
    {"rules": "a.rules", "users": {"ann": "ann"}, "tests": [
      {"name": "one", "as": "ann", "get": "/notes/ann", "expect": "allow"},
      {"name": "two", "as": null, "get": "/notes/ann", "expect": "allow"}],
     "claims": [{"name": "three", "path": "/notes/{n}", "methods": "get", "never": true}]}
    """

  private func call(_ command: String, _ arguments: String) -> String {
    #"{"command": "\#(command)", "arguments": [\#(arguments)]}"#
  }

  private func ask(_ client: ScriptedClient, _ parameters: String) -> JSON? {
    #expect(client.ask("workspace/executeCommand", parameters) == nil)
    client.rest()
    return client.answer(to: client.lastRequest)
  }

  @Test func testsAreRunWhenNobodyTypes() {
    let client = ScriptedClient.started(
      files: ["/project/a.suite.json": suite], options: #"{"deep": false, "coverage": true}"#)
    client.open("/project/a.rules", rules)
    client.rest()
    let lenses = client.ask(
      "textDocument/codeLens", #"{"textDocument": {"uri": "file:///project/a.rules"}}"#)
    let titles = lenses?.result?.list.compactMap { $0.at(["command", "title"])?.plainText }
    #expect(titles == ["1 of 2 tests fail", "prove …", "1 of 1 tests fail", "prove …"])
    let coverage = client.told("rules-check/coverage")?.member("statements")
    #expect(coverage?.labels("state") == ["both", "one"])
    #expect(
      client.received.contains { $0.member("method")?.plainText == "workspace/codeLens/refresh" })
  }

  @Test func failedTestsAreDiagnosticsOfTheirSuite() {
    let client = ScriptedClient.started(
      files: ["/project/a.rules": rules], options: #"{"deep": false}"#)
    client.open("/project/a.suite.json", suite)
    #expect(client.diagnostics() == [])
    client.rest()
    #expect(
      client.diagnostics() == [
        "2 suite two: expected allow, the rules deny it"
      ])
    let lenses = client.ask(
      "textDocument/codeLens", #"{"textDocument": {"uri": "file:///project/a.suite.json"}}"#)
    let titles = lenses?.result?.list.compactMap { $0.at(["command", "title"])?.plainText }
    #expect(titles == ["passed, run", "failed, run", "prove"])
    // Other rules give other results.
    let open = rules.replacing("request.auth != null && request.auth.uid == note", with: "true")
    client.open("/project/a.rules", open)
    client.rest()
    #expect(client.diagnostics()?.contains { $0.contains("two") } != true)
  }

  @Test func mistakesInASuiteAreToldAtOnce() {
    let client = ScriptedClient.started()
    client.open("/project/a.suite.json", #"{"tests": [{"expct": "allow"}]}"#)
    let told = client.diagnostics() ?? []
    #expect(told.contains { $0.contains("has no key \"expct\"") })
  }

  @Test func testsAndClaimsAreRunOnDemand() throws {
    let client = ScriptedClient.started(
      files: ["/project/a.rules": rules], options: #"{"deep": false, "runTests": false}"#)
    client.open("/project/a.suite.json", suite)
    let uri = #""file:///project/a.suite.json""#
    let all = try #require(ask(client, call("rules-check.runTests", uri))?.result)
    #expect(all.member("passed")?.isTrue == false)
    #expect(
      all.member("message")?.plainText
        == "1 of 2 tests pass; 0 of 1 claims are as expected; two: expected "
        + "allow, the rules deny it")
    #expect(client.told("window/showMessage") != nil)
    let lenses = client.ask("textDocument/codeLens", #"{"textDocument": {"uri": \#(uri)}}"#)
    let first = try #require(lenses?.result?.list.first?.at(["command", "arguments"]))
    let one = ask(
      client, call("rules-check.runTest", JSONText(first).compact.dropFirst().dropLast() + ""))
    #expect(one?.at(["result", "message"])?.plainText == "1 of 1 tests pass")
    let last = try #require(lenses?.result?.list.last?.at(["command", "arguments"]))
    let claim = ask(
      client, call("rules-check.decide", JSONText(last).compact.dropFirst().dropLast() + ""))
    #expect(
      claim?.at(["result", "message"])?.plainText
        == "0 of 1 claims are as expected; three is violated")
    #expect(client.diagnostics()?.contains { $0.contains("three is violated") } == true)
  }

  @Test func aClaimOfTheEditorIsDecided() {
    let client = ScriptedClient.started(options: #"{"deep": false}"#)
    client.open("/project/a.rules", rules)
    func verdict(_ more: String) -> String? {
      ask(
        client,
        call("rules-check.prove", #""file:///project/a.rules", "/notes/{n}", ["get"]\#(more)"#))?
        .at(["result", "verdict"])?.plainText
    }
    #expect(verdict("") == "proved")
    #expect(verdict(#", "request.auth.uid == n""#) == "proved")
    #expect(verdict(#", "request.auth.token.admin == true""#) == "violated")
    let wrong = ask(
      client,
      call("rules-check.prove", #""file:///project/a.rules", "/notes/{n}", ["get"], "nosuch()""#))
    #expect(wrong?.errorCode == -32803)
    for wrong in [
      #""file:///project/a.rules", "notes""#, #""file:///project/a.rules", "/notes/{n}", ["fly"]"#,
      #""file:///other.rules""#, "7", "",
    ] {
      let answer = client.ask("workspace/executeCommand", call("rules-check.prove", wrong))
      #expect(answer?.errorCode == -32602, "\(wrong)")
    }
    let none = client.ask(
      "workspace/executeCommand", call("rules-check.runTests", #""file:///project/a.rules""#))
    #expect(none?.errorCode == -32803)
  }

  @Test func proofsComeWhenNobodyTypesAndGoWithTheText() throws {
    let client = ScriptedClient.started()
    client.open("/project/a.rules", rules)
    #expect(client.diagnostics()?.contains { $0.contains("covered-allow") } == false)
    client.rest()
    #expect(client.diagnostics()?.contains { $0.contains("covered-allow") } == true)
    let all =
      """
      {"textDocument": {"uri": "file:///project/a.rules"}, "range": {"start": {"line": 0, "character": 0},
      "end": {"line": 99, "character": 0}}, "context": {"diagnostics": []}}
      """
    let hints = client.ask("textDocument/inlayHint", all)?.result
    #expect(hints?.labels() == ["owner {note}: always", "owner {note}: always"])
    let actions = client.ask("textDocument/codeAction", all)?.result?.labels("title") ?? []
    #expect(actions.contains("Remove all parts that are proved to change no decision"))
    client.change(
      "/project/a.rules",
      #"{"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}"#,
      to: " ", version: 2)
    #expect(client.ask("textDocument/inlayHint", all)?.result?.list.isEmpty == true)
    // What comes of a text that is no more is thrown away.
    let work = try #require(client.server.queue.isWaiting ? client.nextIdleWork() : nil)
    client.change(
      "/project/a.rules",
      #"{"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}"#,
      to: "", version: 3)
    #expect(work.cancellation.isCancelled)
    _ = client.diagnostics()
    client.server.finish(work.run())
    client.send([])
    #expect(client.diagnostics() == nil)
  }

  /// Rules with three blocks.
  private let blocks = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /a/{x} { allow get: if request.auth.uid == x; }
        match /b/{x} { allow get: if request.auth.uid == x; allow get: if request.auth.uid == x; }
        match /c/{x} { allow get: if true; }
      }
    }
    """

  @Test func proofsComeBlockByBlock() throws {
    let client = ScriptedClient.started()
    client.open("/project/a.rules", blocks)
    let work = try #require(client.nextIdleWork())
    client.finish(work)
    client.send([])
    let all =
      """
      {"textDocument": {"uri": "file:///project/a.rules"}, "range": {"start": {"line": 0, "character": 0},
      "end": {"line": 99, "character": 0}}}
      """
    #expect(client.ask("textDocument/inlayHint", all)?.result?.list.count == 4)
    // The first answer was told before the others, and once more with all of them.
    #expect(client.all("textDocument/publishDiagnostics").count >= 3)
  }

  @Test func progressBeginsWhenTheClientAgreesAndEndsWithTheProofs() throws {
    let client = ScriptedClient.started(abilities: #"{"window": {"workDoneProgress": true}}"#)
    client.open("/project/a.rules", blocks)
    let work = try #require(client.nextIdleWork())
    var (done, source, findings): (Int, SourceText?, DeepFindings?) = (0, nil, nil)
    guard case .proofs(let text, var facts, let count) = work.run() else {
      Issue.record("no proofs")
      return
    }
    (done, source) = (count.done, text)
    facts.isPartial = true
    findings = facts
    #expect(done == 3)
    func report(_ done: Int, isLong: Bool = true) throws {
      client.server.finish(
        .proofs(
          try #require(source), try #require(findings),
          ProofCount(done: done, all: 3, isLong: isLong)))
      client.send([])
    }
    // Short work shows nothing.
    try report(1, isLong: false)
    #expect(client.all("window/workDoneProgress/create").isEmpty)
    try report(1)
    let asked = try #require(client.all("window/workDoneProgress/create").first)
    // Nobody has agreed to a line of progress yet.
    try report(1)
    #expect(client.all("$/progress").isEmpty)
    let answer =
      #"{"jsonrpc": "2.0", "id": \#(asked.member("id")?.plainInt ?? 0), "result": null}"#
    client.send([answer])
    try report(2)
    facts.isPartial = false
    client.server.finish(.proofs(text, facts, count))
    client.send([])
    // An answer that comes again, or too late, changes nothing.
    client.send([answer])
    let lines = client.all("$/progress").compactMap { $0.member("params") }
    #expect(Set(lines.compactMap { $0.member("token")?.plainText }).count == 1)
    let values = lines.compactMap { $0.member("value") }
    #expect(values.compactMap { $0.member("kind")?.plainText } == ["begin", "report", "end"])
    #expect(values[1].member("message")?.plainText == "2 of 3 blocks")
    #expect(values[1].member("percentage")?.plainInt == 66)
  }

  @Test func proofsThatRunOutOfTimeSaySo() throws {
    let client = ScriptedClient.started(options: #"{"seconds": 0.000001}"#)
    client.open("/project/a.rules", blocks)
    client.rest()
    let log = client.told("window/logMessage")?.member("message")?.plainText
    #expect(log == "proofs stopped after 1e-06 s: 0 of 3 blocks")
    // Nothing begins again by itself.
    #expect(client.nextIdleWork() == nil)
  }

  @Test func aCommandDoesNotWaitForProofs() throws {
    let client = ScriptedClient.started()
    client.open("/project/a.rules", rules)
    let proofs = try #require(client.nextIdleWork())
    _ = client.ask(
      "workspace/executeCommand",
      call("rules-check.prove", #""file:///project/a.rules", "/notes/{n}", ["get"]"#))
    #expect(client.nextWork() == nil)
    #expect(proofs.cancellation.isCancelled)
    client.server.finish(proofs.run())
    let command = try #require(client.nextWork())
    client.server.finish(command.run())
    client.send([])
    #expect(
      client.answer(to: client.lastRequest)?.at(["result", "verdict"])?.plainText == "proved")
    // The proofs begin anew afterwards.
    #expect(client.nextIdleWork() != nil)
  }

  @Test func settingsAndFoldersHoldForTheTextsInThem() {
    let client = ScriptedClient.started(
      files: [
        "/project/.rulescheck.json":
          #"{"levels": {"open-read": "off"}}"#
      ], options: #"{"deep": false}"#)
    let open = rules.replacing("request.auth != null && request.auth.uid == note", with: "true")
    client.open("/project/deep/a.rules", open)
    let inside = client.diagnostics() ?? []
    client.open("/elsewhere/a.rules", open)
    let outside = client.diagnostics() ?? []
    #expect(!inside.contains { $0.contains("open-read") })
    #expect(outside.contains { $0.contains("open-read") })
    client.tell(
      "workspace/didChangeWorkspaceFolders",
      #"{"event": {"added": [], "removed": [{"uri": "file:///project"}]}}"#)
    #expect(
      client.received.contains { $0.at(["params", "uri"])?.plainText?.contains("deep") == true })
    // The settings of the editor come when they are asked for.
    client.tell(
      "workspace/didChangeConfiguration", #"{"settings": {"rules-check": {"seconds": 3}}}"#)
    #expect(client.server.options.seconds == 3)
    let request = client.received.last {
      $0.member("method")?.plainText == "workspace/configuration"
    }
    let id = request?.member("id")?.plainInt ?? 0
    client.send([#"{"jsonrpc": "2.0", "id": \#(id), "result": [{"deep": true, "seconds": 5}]}"#])
    #expect(client.server.options.isDeep)
    #expect(client.server.options.seconds == 5)
  }
}
