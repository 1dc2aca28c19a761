import FirestoreServer
import FirestoreTransport
import RulesEval
import RulesLang

@testable import rules_check

/// A browser and an app of the live page's emulator in memory: HTTP/1.1 in bytes.
struct LiveClient {
  /// An answer, or as much of it as has come.
  struct Answer {
    var status: Int
    var head: String
    var body: String
  }

  private var server: EmulatorServer
  private var view: LiveView
  private var nextConnection: UInt64 = 1

  /// The headers with which a page asks for its own paths.
  static let own = ["host: localhost:8080", "sec-fetch-site: same-origin"]

  /// Starts an emulator with some blocks of rules.
  init(
    rules: String, recorder: LiveView.Recorder? = nil, host: String = "localhost",
    mostStreamBytes: Int = LiveView.mostStreamBytes
  ) {
    var configuration = ServerConfiguration()
    let content =
      "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{db}/documents {\n\(rules)\n  }\n}\n"
    configuration.generalRules = RulesFile(name: "<b>app</b>.rules", content: content)
    configuration.passesOn = { LiveGuard.isOwn($0) }
    server = EmulatorServer(configuration)
    view = LiveView(host: host, start: 7, recorder: recorder, mostStreamBytes: mostStreamBytes)
  }

  /// Sends a request on a connection of its own, which stays open if that is wanted.
  mutating func send(
    _ method: String, _ target: String, headers: [String] = LiveClient.own, body: String = ""
  ) -> ConnectionID {
    let connection = ConnectionID(nextConnection)
    nextConnection += 1
    server.open(connection)
    let lines = ["\(method) \(target) HTTP/1.1"] + headers + ["content-length: \(body.utf8.count)"]
    let text = lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    server.receive(Array(text.utf8), on: connection, at: Timestamp(epochSeconds: 1_800_000_000)!)
    for call in server.takeDecisions() { view.add(call) }
    view.serve(&server)
    return connection
  }

  /// Takes what came on a connection since the last time.
  mutating func take(_ connection: ConnectionID) -> String {
    String(decoding: server.takeOutput(of: connection).bytes, as: UTF8.self)
  }

  /// Makes a request and takes the whole answer.
  mutating func ask(
    _ method: String, _ target: String, headers: [String] = LiveClient.own, body: String = ""
  ) -> Answer {
    let connection = send(method, target, headers: headers, body: body)
    let text = take(connection)
    server.closed(connection)
    let end = text.firstRange(of: "\r\n\r\n")
    let head = String(text[..<(end?.lowerBound ?? text.endIndex)])
    let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return Answer(
      status: status, head: head.lowercased(),
      body: end.map { String(text[$0.upperBound...]) } ?? "")
  }

  /// Ends a connection from the client's side.
  mutating func close(_ connection: ConnectionID) { server.closed(connection) }

  /// Writes or reads a document as a user: nil for nobody.
  mutating func app(
    _ method: String, _ path: String, as uid: String?, field: String = "x"
  ) -> Int {
    var headers = ["host: localhost:8080"]
    if let uid {
      let claims = JSONText.object([("sub", .string(uid))]).compact
      let parts = [#"{"alg":"none"}"#, claims].map {
        String(Base64.urlSafe.text(of: Array($0.utf8)))
      }
      headers.append("authorization: Bearer \(parts.joined(separator: ".")).")
    }
    let fields = JSONText.object([(field, .object([("integerValue", .string("1"))]))])
    let body = method == "PATCH" ? JSONText.object([("fields", fields)]).compact : ""
    return ask(
      method, "/v1/projects/demo/databases/(default)/documents/\(path)", headers: headers,
      body: body
    ).status
  }
}
