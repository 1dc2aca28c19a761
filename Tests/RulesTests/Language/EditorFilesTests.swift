import Foundation
import RulesEval
import RulesHost
import RulesLang
import Testing

@testable import RulesTesting
@testable import rules_check

/// The files for editors say what the program does.
@Suite struct EditorFilesTests {
  private func text(_ path: String) throws -> String {
    try String(
      contentsOf: CommandLineCase.package.appendingPathComponent(path), encoding: .utf8)
  }

  /// The grammar knows the words of the language's own tables.
  @Test func theGrammarHasEveryWordOfTheTables() throws {
    let path = "Editors/vscode/syntaxes/firestore-rules.tmLanguage.json"
    let json = try JSONParser.parse(SourceText(name: path, try text(path)))
    let repository = try #require(json.member("repository"))
    func words(_ key: Text) -> Set<String> {
      let rule = repository.member(key).map { JSONText($0).compact } ?? ""
      return Set(
        rule.components(separatedBy: CharacterSet.alphanumerics.union(["_"]).inverted))
    }
    // Beside an escape such as `\b` a word has its letter in front.
    func has(_ word: String, in words: Set<String>) -> Bool {
      words.contains(word) || words.contains("b" + word)
    }
    for type in TypeWord.allCases { #expect(has(type.spelling, in: words("keywords"))) }
    for word in Operation.words { #expect(has(word, in: words("allow"))) }
    for space in Builtins.namespaces { #expect(has(String(space), in: words("builtins"))) }
    for entry in Builtins.table where entry.receiver == nil && entry.namespace == nil {
      #expect(has(entry.fullName, in: words("calls")), "\(entry.fullName)")
    }
  }

  @Test func theExtensionAndThePageNameTheSettingsAndCommandsThatThereAre() throws {
    let page = try text("Docs/Editors.md")
    let manifest = try text("Editors/vscode/package.json")
    let script = try text("Editors/vscode/extension.js")
    for command in LanguageCommand.allCases {
      #expect(page.contains("`\(command.rawValue)`"), "\(command.rawValue)")
    }
    let settings = ["deep", "runTests", "seconds", "coverage", "asksForReasons"]
    for setting in settings {
      #expect(page.contains("| `\(setting)` |"), "\(setting)")
      #expect(script.contains("\(setting):"), "\(setting)")
    }
    for setting in settings.prefix(3) {
      #expect(manifest.contains("\"rules-check.\(setting)\""), "\(setting)")
    }
    var options = LanguageOptions()
    options.read(
      try JSONParser.parse(
        SourceText(
          name: "",
          """
          {"deep": false, "runTests": false, "seconds": 7, "coverage": true, "asksForReasons": true}
          """)))
    #expect(!options.isDeep && !options.runsTests && options.seconds == 7)
    #expect(options.wantsCoverage && options.asksForReasons)
  }

  /// Each hook runs a command that there is.
  @Test func theHooksBeforeACommitRunCommandsThatThereAre() throws {
    let hooks = try text(".pre-commit-hooks.yaml")
    let entries = hooks.components(separatedBy: "entry: rules-check ").dropFirst().map {
      String($0.prefix { $0.isLetter })
    }
    #expect(Set(entries) == ["check", "fmt", "test"])
    for entry in entries { #expect(Tool.rulesCheck.commands.contains { $0.name == entry }) }
  }

  /// The server itself, over its streams, from hello to the end.
  @Test func theProgramSpeaksOverItsStreams() throws {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = CommandLineCase.program
    process.arguments = ["lsp"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let messages = [
      #"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}"#,
      #"{"jsonrpc": "2.0", "method": "initialized", "params": {}}"#, "nonsense",
      #"{"jsonrpc": "2.0", "id": 2, "method": "shutdown"}"#,
      #"{"jsonrpc": "2.0", "method": "exit"}"#,
    ]
    for message in messages {
      input.fileHandleForWriting.write(Data(MessageReader.framed(message)))
    }
    let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    var reader = MessageReader()
    reader.add(bytes)
    var answers: [String] = []
    while case .message(let message)? = reader.next() {
      let json = try JSONParser.parse(SourceText(name: "", bytes: message))
      answers.append("\(json.member("id")?.plainInt ?? 0) \(json.errorCode ?? 0)")
    }
    #expect(answers == ["1 0", "0 -32700", "2 0"])
    #expect(process.terminationStatus == 0)
  }

  @Test func anEditorThatIsGoneEndsTheServer() throws {
    let process = Process()
    let input = Pipe()
    process.executableURL = CommandLineCase.program
    process.arguments = ["lsp"]
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
  }
}
