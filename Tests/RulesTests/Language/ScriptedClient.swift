import Foundation
import RulesEval
import RulesHost
import RulesLang
import Synchronization
import Testing

@testable import rules_check

/// A client of the language server in the same process: it sends messages as bytes, and keeps what comes
/// back.
final class ScriptedClient {
  /// The server.
  var server: LanguageServer
  /// What came back and was not looked at yet.
  private(set) var received: [JSON] = []
  private var last = 0

  /// The abilities of an editor that can do everything.
  static let abilities = """
    {"general": {"positionEncodings": ["utf-16"]}, "workspace": {"configuration": true,
    "inlayHint": {"refreshSupport": true}, "codeLens": {"refreshSupport": true}}, "textDocument": {
    "completion": {"completionItem": {"snippetSupport": true}},
    "publishDiagnostics": {"relatedInformation": true},
    "documentSymbol": {"hierarchicalDocumentSymbolSupport": true}}}
    """

  /// A client of a server that sees some files.
  init(files: [String: String] = [:]) {
    server = LanguageServer(
      LanguageFiles(
        read: { files[$0].map { Array($0.utf8) } },
        find: { folder, suffix in
          files.keys.filter { $0.hasPrefix(folder + "/") && $0.hasSuffix(suffix) }.sorted()
        }))
  }

  /// A client that has said hello.
  static func started(
    files: [String: String] = [:], options: String = "{}",
    abilities: String = ScriptedClient.abilities
  ) -> ScriptedClient {
    let client = ScriptedClient(files: files)
    _ = client.ask(
      "initialize",
      #"{"capabilities": \#(abilities), "rootUri": "file:///project", "initializationOptions": \#(options)}"#
    )
    client.tell("initialized")
    client.received = []
    return client
  }

  /// Sends messages as they are, together, and takes what comes back.
  func send(_ messages: [String]) {
    var reader = MessageReader()
    for message in messages { reader.add(MessageReader.framed(message)) }
    var bytes: [[UInt8]] = []
    while case .message(let message)? = reader.next() { bytes.append(message) }
    server.receive(bytes)
    server.settle()
    take()
  }

  /// What the server has to do next.
  func nextWork() -> LanguageWork? { server.queue.next(isIdle: false) }

  /// The same when nobody types.
  func nextIdleWork() -> LanguageWork? {
    server.rest()
    return server.queue.next(isIdle: true)
  }

  /// Does what the server would do when nobody types.
  func rest() {
    while let work = nextIdleWork() {
      finish(work)
      server.settle()
    }
    take()
  }

  /// Does work, and passes on what it reports in between.
  func finish(_ work: LanguageWork) {
    let reports = Reports()
    let result = work.run { reports.add($0) }
    for report in reports.all { server.finish(report) }
    server.finish(result)
  }

  /// The results that work has reported.
  private final class Reports: Sendable {
    private let results = Mutex<[LanguageResult]>([])
    var all: [LanguageResult] { results.withLock { $0 } }
    func add(_ result: LanguageResult) { results.withLock { $0.append(result) } }
  }

  private func take() {
    for message in server.takeOutgoing() {
      do throws(JSONProblem) {
        received.append(try JSONParser.parse(SourceText(name: "", message.compact)))
      } catch {
        Issue.record("the server has written what is no JSON: \(message.compact)")
      }
    }
  }

  /// Tells the server something.
  func tell(_ method: String, _ parameters: String = "{}") {
    send([#"{"jsonrpc": "2.0", "method": "\#(method)", "params": \#(parameters)}"#])
  }

  /// Asks the server something; the whole answer, nil if there is none yet.
  func ask(_ method: String, _ parameters: String = "{}") -> JSON? {
    last += 1
    send([#"{"jsonrpc": "2.0", "id": \#(last), "method": "\#(method)", "params": \#(parameters)}"#])
    return answer(to: last)
  }

  /// The answer to a request.
  func answer(to id: Int) -> JSON? {
    let place = received.firstIndex {
      $0.member("id")?.plainInt == id && $0.member("method") == nil
    }
    return place.map { received.remove(at: $0) }
  }

  /// The number of the last request.
  var lastRequest: Int { last }

  /// Everything that the server told with a method, in order; the rest stays.
  func all(_ method: String) -> [JSON] {
    let found = received.filter { $0.member("method")?.plainText == method }
    received.removeAll { $0.member("method")?.plainText == method }
    return found
  }

  /// The last thing that the server told with a method; the others are forgotten.
  func told(_ method: String) -> JSON? {
    let found = received.last { $0.member("method")?.plainText == method }
    received.removeAll { $0.member("method")?.plainText == method }
    return found?.member("params")
  }

  // MARK: Texts

  /// Opens a text.
  func open(_ path: String, _ text: String, version: Int = 1) {
    tell(
      "textDocument/didOpen",
      """
      {"textDocument": {"uri": "file://\(path)", "languageId": "firestore-rules", "version": \(version),
      "text": \(JSONText.string(text).compact)}}
      """)
  }

  /// Opens a text in which `‸` marks a place, and tells where that is.
  func open(_ path: String, marked text: String) -> Place {
    open(path, text.replacingOccurrences(of: "‸", with: ""))
    return Place(path: path, before: text.components(separatedBy: "‸")[0])
  }

  /// A place in a text.
  struct Place {
    /// The text.
    var path: String
    /// The line.
    var line: Int
    /// The character on it.
    var character: Int

    /// The place behind some text.
    init(path: String, before: String) {
      let lines = before.components(separatedBy: "\n")
      self.path = path
      line = lines.count - 1
      character = lines[line].utf16.count
    }

    /// The text and the place as parameters.
    var parameters: String {
      """
      {"textDocument": {"uri": "file://\(path)"}, "position": {"line": \(line), "character": \(character)}}
      """
    }
  }

  /// Replaces a part of a text.
  func change(_ path: String, _ range: String, to text: String, version: Int) {
    tell(
      "textDocument/didChange",
      """
      {"textDocument": {"uri": "file://\(path)", "version": \(version)}, "contentChanges": [
      {"range": \(range), "text": \(JSONText.string(text).compact)}]}
      """)
  }

  /// The messages of the diagnostics that were told last, each with its line and code.
  func diagnostics() -> [String]? {
    told("textDocument/publishDiagnostics")?.member("diagnostics")?.list.map { diagnostic in
      let line = diagnostic.at(["range", "start", "line"])?.plainInt ?? -1
      return "\(line) \(diagnostic.member("code")?.plainText ?? "") "
        + (diagnostic.member("message")?.plainText ?? "").components(separatedBy: "\n")[0]
    }
  }
}

extension JSON {
  /// The result of an answer.
  var result: JSON? { member("result") }

  /// The code of an answer that is an error.
  var errorCode: Int? { at(["error", "code"])?.plainInt }

  /// The text of `label` or `name` of each element.
  func labels(_ key: Text = "label") -> [String] { list.compactMap { $0.member(key)?.plainText } }

  /// `0:4-0:9` of a range.
  var span: String {
    func place(_ key: Text) -> String {
      "\(at([key, "line"])?.plainInt ?? -1):\(at([key, "character"])?.plainInt ?? -1)"
    }
    return place("start") + "-" + place("end")
  }

  /// A text with the replacements that this is a list of.
  func applied(to text: String) -> String {
    var lines = text.components(separatedBy: "\n")
    // From the last to the first, so that no place moves.
    let edits = list.sorted { one, other in
      let (left, right) = (one.member("range"), other.member("range"))
      func key(_ json: JSON?) -> (Int, Int) {
        (
          json?.at(["start", "line"])?.plainInt ?? 0,
          json?.at(["start", "character"])?.plainInt ?? 0
        )
      }
      return key(left) > key(right)
    }
    for edit in edits {
      func place(_ key: Text) -> (Int, Int) {
        (
          edit.at(["range", key, "line"])?.plainInt ?? 0,
          edit.at(["range", key, "character"])?.plainInt ?? 0
        )
      }
      let (start, end) = (place("start"), place("end"))
      let new = edit.member("newText")?.plainText ?? ""
      let first = lines[start.0].utf16.prefix(start.1)
      let last = end.0 < lines.count ? lines[end.0].utf16.dropFirst(end.1) : "".utf16.dropFirst(0)
      let joined =
        String(decoding: Array(first), as: UTF16.self) + new
        + String(decoding: Array(last), as: UTF16.self)
      lines.replaceSubrange(
        start.0...min(end.0, lines.count - 1), with: joined.components(separatedBy: "\n"))
    }
    return lines.joined(separator: "\n")
  }
}
