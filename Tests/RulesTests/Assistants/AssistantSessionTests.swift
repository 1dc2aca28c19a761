import Foundation
import RulesEval
import RulesHost
import RulesLang
import Testing

@testable import RulesTesting
@testable import rules_check

/// The program as a server: it reads files in its folder alone, writes none, and ends with its input.
@Suite struct AssistantSessionTests {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /notes/{note} { allow read: if request.auth.uid == 'secret-owner'; }
      }
    }

    """

  /// A folder `project` with links that lead out, beside files that are not to be read.
  private func folder() throws -> Script {
    let script = try Script()
    let suite = #"{"rules": "RULES", "tests": [{"as": null, "get": "/notes/a", "expect": "deny"}]}"#
    for name in ["outside.rules", "project/app.rules", "project-too/app.rules"] {
      try script.write(Self.rules, to: name)
    }
    try script.write(#"{"rules": ["../outside.rules"]}"#, to: "project/configured/.rulescheck.json")
    try script.write(#"{"firestore": {"rules": "outside.rules"}}"#, to: "firebase.json")
    try script.write(
      suite.replacingOccurrences(of: "RULES", with: "app.rules"), to: "project/in.suite.json")
    try script.write(
      suite.replacingOccurrences(of: "RULES", with: "../../outside.rules"),
      to: "project/away/out.suite.json")
    let made = try script.run(
      "ln -s ../outside.rules project/link.rules; ln -s .. project/up; ln -s app.rules project/in.rules"
    )
    #expect(made.exit == 0)
    return script
  }

  /// Sends lines to the program in the folder `project`, and returns what it has answered by ID.
  private func answers(
    _ script: Script, _ lines: [String], in project: String = "project",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Int: JSON] {
    let hello =
      #"{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}"#
    try script.write(([hello] + lines).joined(separator: "\n"), to: "lines")
    let run = try script.run("cd \(project) && \"$PROGRAM\" mcp < \(script.folder.path)/lines")
    #expect(run.exit == 0 && run.complaints.isEmpty, sourceLocation: sourceLocation)
    var found: [Int: JSON] = [:]
    for line in run.output.split(separator: "\n") {
      let json = try JSONParser.parse(SourceText(name: "", String(line)))
      found[json.member("id")?.plainInt ?? -1] = json
    }
    return found
  }

  private func call(_ id: Int, _ tool: String, _ arguments: String) -> String {
    #"{"jsonrpc": "2.0", "id": \#(id), "method": "tools/call", "params": {"name": "\#(tool)", "arguments": \#(arguments)}}"#
  }

  /// The text of an answer, and whether it is an error.
  private func result(_ answer: JSON?) -> (text: String, isError: Bool) {
    let result = answer?.result
    return (
      result?.member("content")?.list.first?.member("text")?.plainText ?? "",
      result?.member("isError").map { JSONText($0).compact } != "false"
    )
  }

  @Test func toolsAnswerWithTheReportsOfTheirCommands() throws {
    let script = try folder()
    defer { script.remove() }
    let found = try answers(
      script,
      [
        call(1, "check", #"{"files": ["in.rules"]}"#),
        call(2, "test", #"{"files": ["in.suite.json"]}"#),
        call(3, "simulate", #"{"rules": "app.rules", "method": "get", "path": "/notes/a"}"#),
        call(
          4, "prove",
          #"{"files": ["app.rules"], "path": "/notes/{n}", "only-if": "request.auth != null", "steps": 1}"#
        ),
        call(5, "explain", #"{"topic": "open-write"}"#),
      ])
    for (id, code, words) in [
      (1, 0, "1 file, 0 errors"), (2, 0, "1 test, 1 passed"), (3, 1, "DENY"), (4, 4, "UNDECIDED"),
    ] {
      let (text, isError) = result(found[id])
      #expect(!isError && text.contains(words) && text.contains("exit code \(code): "), "\(text)")
      let structured = found[id]?.at(["result", "structuredContent"])
      #expect(structured?.member("exitCode")?.plainInt == code)
      #expect(structured?.at(["report", "schema"])?.plainText?.hasPrefix("rules-check.") == true)
    }
    #expect(result(found[5]).text.contains("## Prefer"))
    #expect(found[5]?.at(["result", "structuredContent"]) == nil)
  }

  @Test func nothingOutsideTheFolderIsRead() throws {
    let script = try folder()
    defer { script.remove() }
    let outside = "\(script.folder.path)/outside.rules"
    let paths = [
      "../outside.rules", outside, "link.rules", "up/outside.rules", "up", "..", "configured/../up",
      "../project-too/app.rules", "\(script.folder.path)/project/../outside.rules",
      "missing/../../outside.rules", "/etc/passwd", "-", "/dev/stdin", "away/out.suite.json",
    ]
    var lines: [String] = []
    for (place, path) in paths.enumerated() {
      let text = JSONText.string(path).compact
      lines.append(call(10 * place + 1, "check", #"{"files": [\#(text)]}"#))
      lines.append(call(10 * place + 2, "test", #"{"files": [\#(text)]}"#))
      lines.append(call(10 * place + 3, "audit", #"{"rules": \#(text)}"#))
      lines.append(call(10 * place + 4, "diff", #"{"old": "app.rules", "new": \#(text)}"#))
      lines.append(
        call(
          10 * place + 5, "simulate",
          #"{"rules": \#(text), "method": "get", "path": "/notes/a", "data": \#(JSONText.string("@" + path).compact)}"#
        ))
      lines.append(
        call(
          10 * place + 6, "prove", #"{"files": [\#(text)], "path": "/notes/{n}", "never": true}"#))
    }
    let found = try answers(script, lines)
    #expect(found.count == lines.count + 1)
    for (id, answer) in found where id > 0 {
      let (text, isError) = result(answer)
      #expect(
        isError && text.contains("exit code 2: "), "\(lines[id / 10 * 6 + id % 10 - 1]) \(text)")
      #expect(!text.contains("secret-owner") && !text.contains("root:"), "\(text)")
    }
    #expect(result(found[1]).text.contains("is outside the folder that may be read"))
  }

  /// A project above the folder is not found, and one inside that names files outside is refused.
  @Test func projectFilesOutsideAreNotRead() throws {
    let script = try folder()
    defer { script.remove() }
    var found = try answers(
      script, [call(1, "audit", "{}"), call(2, "check", #"{"files": ["."]}"#)])
    #expect(result(found[1]).isError && !result(found[1]).text.contains("outside.rules"))
    #expect(result(found[2]).text.contains("link.rules: leads out of the folder that may be read"))
    found = try answers(script, [call(1, "check", "{}")], in: "project/configured")
    #expect(result(found[1]).isError && !result(found[1]).text.contains("secret-owner"))
  }

  @Test func noFileIsWritten() throws {
    let script = try folder()
    defer { script.remove() }
    let list = "find project | sort; cat project/*.rules"
    let before = try script.run(list)
    let found = try answers(
      script,
      [
        call(1, "check", #"{"output": "new.json"}"#), call(2, "check", #"{"fix": true}"#),
        call(3, "prove", #"{"certificate": "new.proof"}"#),
        call(4, "audit", #"{"rules": "app.rules"}"#), call(5, "test", #"{"coverage": true}"#),
      ])
    for id in 1...3 { #expect(result(found[id]).isError) }
    #expect(!result(found[4]).text.isEmpty)
    #expect(try script.run(list).output == before.output)
  }

  @Test func hostileInputIsSurvived() throws {
    let script = try folder()
    defer { script.remove() }
    try script.write("", to: "lines")
    let parts = [
      #"printf '{"jsonrpc": "2.0", "id": 7, "method": "\xff\xfe"}\n'"#,
      "head -c 17000000 /dev/zero | tr '\\0' '['", "echo", "head -c 100000 /dev/zero", "echo",
      "printf '%0.s[' {1..5000}; echo",
      #"printf '{"jsonrpc": "2.0", "id": 8, "method": "ping"}'"#,
    ]
    let run = try script.run(
      "{ \(parts.joined(separator: "; ")); } | (cd project && \"$PROGRAM\" mcp)")
    #expect(run.exit == 0 && run.complaints.isEmpty)
    let last = run.output.split(separator: "\n").last ?? ""
    #expect(last == #"{"jsonrpc":"2.0","id":8,"result":{}}"#, "\(run.output.suffix(400))")
  }

  /// A client that goes away, before it has read anything or in the middle, ends the server.
  @Test func closedPipesEndTheServer() throws {
    let script = try folder()
    defer { script.remove() }
    let ping = #"{"jsonrpc": "2.0", "id": 8, "method": "ping"}"#
    for command in [
      "yes '\(ping)' 2> /dev/null | head -n 20000 2> /dev/null | \"$PROGRAM\" mcp project | head -n 1; echo \"${PIPESTATUS[2]}\"",
      "echo '\(ping)' | \"$PROGRAM\" mcp project >&-; echo $?",
      "\"$PROGRAM\" mcp project <&-; echo $?",
    ] {
      let run = try script.run(command)
      #expect(run.output.hasSuffix("0\n") && run.complaints.isEmpty, "\(command): \(run)")
    }
  }

  @Test func theRootIsNoProject() throws {
    let script = try folder()
    defer { script.remove() }
    for (folder, reason) in [
      ("/", "is the root of the file system, not a project"), ("none", "no such file or directory"),
    ] {
      let run = try script.run("\"$PROGRAM\" mcp \(folder)")
      #expect(run.exit == 2 && run.complaints == "rules-check: \(folder): \(reason)\n")
    }
  }
}
