import FirestoreStore
import RulesEval
import RulesHost
import RulesLang
import Testing

@testable import FirestoreServer
@testable import RulesTesting
@testable import rules_check

/// The live page of `serve`: its routes, who may ask for them, and what they tell.
@Suite struct LiveViewTests {
  private static let rules = """
        match /users/{uid} {
          allow read: if true;
          allow write: if request.auth.uid == uid;
        }
    """
  private static let browser = ["host: localhost:8080", "accept: text/html,application/xml;q=0.9"]
  /// An ID that would be markup, and one of a document, escaped.
  private static let hostile = "<script>alert(1)</script>\"'&"
  private static let escaped = "%3Cscript%3Ealert(1)%22%27%26"

  @Test func theRootIsThePageForBrowsersAlone() {
    var client = LiveClient(rules: Self.rules)
    let page = client.ask("GET", "/", headers: Self.browser)
    #expect(page.status == 200 && page.body.hasPrefix("<!DOCTYPE html>"))
    #expect(page.head.contains("content-security-policy: default-src 'none'; script-src 'self'"))
    for accept in ["", "accept: */*", "accept: application/json"] {
      let answer = client.ask("GET", "/", headers: ["host: x"] + (accept.isEmpty ? [] : [accept]))
      #expect(answer.body == "Ok\n")
    }
    for file in ["style.css", "script.js"] {
      #expect(client.ask("GET", "/live/\(file)").status == 200)
    }
    #expect(client.ask("GET", "/live/other").status == 404)
  }

  @Test(
    arguments: [
      ("GET", "/live/requests/1", "localhost:8080", nil, nil, 200),
      ("GET", "/live/requests/1", "127.0.0.1", nil, nil, 200),
      ("GET", "/live/requests/1", "[::1]:8080", nil, nil, 200),
      ("GET", "/live/requests/1", "LOCALHOST", nil, nil, 200),
      ("GET", "/live/requests/1", "evil.example:8080", nil, nil, 403),
      ("GET", "/live/requests/1", "localhost.evil.example", nil, nil, 403),
      ("GET", "/live/requests/1", "192.168.0.1", nil, nil, 403),
      ("GET", "/live/requests/1", "localhost", "cross-site", nil, 403),
      ("GET", "/live/events", "localhost", "same-site", nil, 403),
      ("POST", "/live/record/1", "localhost", nil, nil, 403),
      ("POST", "/live/record/1", "localhost", nil, "http://evil.example", 403),
      ("POST", "/live/record/1", "localhost", nil, "null", 403),
      ("POST", "/live/record/1", "localhost:1", nil, "http://localhost:2", 403),
      ("POST", "/live/record/1", "localhost:1", "same-origin", "http://localhost:1", 200),
      ("GET", "/live/record/1", "localhost", nil, nil, 404),
      ("OPTIONS", "/live/record/1", "localhost", nil, "http://evil.example", 403),
      ("GET", "/live/requests/2", "localhost", nil, nil, 404),
    ] as [(String, String, String, String?, String?, Int)])
  func onlyThePageItselfMayAsk(
    _ method: String, _ target: String, _ host: String, _ site: String?, _ origin: String?,
    _ status: Int
  ) {
    var client = LiveClient(rules: Self.rules, recorder: { _ in (1, "a.suite.json") })
    #expect(client.app("GET", "users/alice", as: "alice") == 404)
    var headers = ["host: \(host)"]
    if let site { headers.append("sec-fetch-site: \(site)") }
    if let origin { headers.append("origin: \(origin)") }
    let answer = client.ask(method, target, headers: headers)
    #expect(answer.status == status)
    #expect(!answer.head.contains("access-control"))
  }

  @Test func addressesAreKnownWhereEveryAddressIsListenedTo() {
    var client = LiveClient(rules: Self.rules, host: "0.0.0.0")
    for (host, status) in [("192.168.0.1:8080", 200), ("[fe80::1]", 200), ("evil.example", 403)] {
      let headers = ["host: \(host)", "accept: text/html"]
      #expect(client.ask("GET", "/", headers: headers).status == status)
    }
  }

  @Test func aRequestIsARowAndOpensWithItsReasonAndTest() throws {
    var client = LiveClient(rules: Self.rules)
    let events = client.send("GET", "/live/events")
    let begun = client.take(events)
    #expect(begun.contains("event: start\ndata: 1\n\n"))
    #expect(client.app("PATCH", "users/bob", as: "alice") == 403)
    let told = client.take(events)
    #expect(told.contains("id: 7-1\ndata: {"))
    for part in [
      #""verdict":"deny""#, #""who":"alice""#, #""method":"create""#, #""path":"/users/bob""#,
      #""line":6"#,
    ] {
      #expect(told.contains(part))
    }
    let opened = client.ask("GET", "/live/requests/1").body
    let json = try JSONParser.parse(SourceText(name: "detail", opened))
    #expect(text(json, "picture")?.contains("\"alice\"") == true)
    #expect(opened.contains("request.auth.uid"))
    // The test is one that passes in a suite.
    let test = try #require(text(json, "test"))
    let suite = SuiteReader.read(
      SourceText(name: "a.suite.json", "{ \"rules\": \"a\", \"tests\": [\(test)] }")
    ).suite
    #expect(suite?.tests.first?.name == "alice may not create /users/bob")
  }

  @Test func textsOfRequestsAreNeverMarkup() {
    var client = LiveClient(rules: Self.rules)
    let events = client.send("GET", "/live/events")
    _ = client.app("PATCH", "users/\(Self.escaped)", as: Self.hostile, field: "<script>")
    _ = client.app("PATCH", "users/x", as: Self.hostile, field: "<script>")
    let told = client.take(events)
    #expect(told.split(separator: "data: {").count == 3)
    #expect(told.contains(#"<script>alert(1)</script>\"'&"#))
    for target in ["/live/requests/1", "/live/requests/2"] {
      let answer = client.ask("GET", target)
      #expect(answer.head.contains("content-type: application/json"))
      #expect(answer.head.contains("x-content-type-options: nosniff"))
    }
    let painted = client.ask("GET", "/live/coverage?project=demo&database=(default)").body
    #expect(painted.contains("&lt;b&gt;app&lt;/b&gt;.rules"))
    #expect(!painted.contains("<script") && !painted.contains("<b>"))
    // Rules that hold for every database hold for one of any name.
    let named = client.ask("GET", "/live/coverage?project=%3Cb%3E&database=%3Cb%3E")
    #expect(named.status == 200 && !named.body.contains("<b>"))
  }

  @Test func aPageThatOpensLaterSeesTheLastRequests() {
    var client = LiveClient(rules: Self.rules)
    let most = LiveHistory.mostEntries
    for _ in 0..<(most + 2) { _ = client.app("GET", "users/a", as: nil) }
    let events = client.send("GET", "/live/events")
    let told = client.take(events)
    #expect(told.contains("event: start\ndata: 3\n\n"))
    #expect(told.contains("id: 7-3\n") && !told.contains("id: 7-2\n"))
    #expect(told.contains("id: 7-\(most + 2)\n"))
    // A browser that connects again says what it has seen.
    let again = client.send("GET", "/live/events", headers: Self.own(after: "7-\(most + 1)"))
    let rest = client.take(again)
    #expect(!rest.contains("event: start") && !rest.contains("id: 7-\(most + 1)\n"))
    #expect(rest.contains("id: 7-\(most + 2)\n"))
    let other = client.send("GET", "/live/events", headers: Self.own(after: "8-3"))
    let anew = client.take(other)
    #expect(anew.contains("event: start"))
  }

  private static func own(after id: String) -> [String] {
    LiveClient.own + ["last-event-id: \(id)"]
  }

  @Test func pagesAndTheirStreamsAreBounded() {
    let bound = Wanted.cases(1 << 16, of: LiveView.mostStreamBytes)
    var client = LiveClient(rules: Self.rules, mostStreamBytes: bound)
    let open = (0..<LiveView.mostStreams).map { _ in client.send("GET", "/live/events") }
    #expect(client.ask("GET", "/live/events").status == 503)
    client.close(open[0])
    let next = client.send("GET", "/live/events")
    let begun = client.take(next)
    #expect(begun.hasPrefix("HTTP/1.1 200"))
    // A row has at most some hundred characters of each text, so that a stream of long ones ends late.
    let long = String(repeating: "a", count: 1_400)
    for _ in 0..<(bound / 600) { _ = client.app("GET", "users/\(long)", as: long) }
    let told = client.take(open[1])
    #expect(told.utf8.count < bound * 3 / 2)
    #expect(told.hasSuffix("0\r\n\r\n"))
    #expect(!told.contains(long) && told.contains(long.prefix(290)))
  }

  @Test func theOldestRequestsGoWhereTheyTakeTooMuchMemory() {
    let data = MapValue([("x", .bytes(Array(repeating: 0, count: 300)))])
    let call = DecidedCall(
      id: DatabaseID(project: "p", database: .standard), method: "GetDocument",
      caller: .client(nil), outcome: .open,
      request: Request(
        principal: nil, time: .epoch, operation: .get([DocumentPath(["a", "b"])])),
      documents: Documents([(DocumentPath(["a", "b"]), data)]))
    let size = call.request.size(with: call.documents)
    #expect(size > 300)
    var history = LiveHistory(mostBytes: 3 * size - 1)
    for _ in 0..<5 { history.add(call) }
    #expect(history.numbers == 4..<6)
    #expect(history[3] == nil && history[4]?.number == 4 && history[5]?.number == 5)
  }

  private func text(_ json: JSON, _ key: Text) -> String? {
    guard case .object(let members) = json.kind,
      case .string(let text)? = members.first(where: { $0.key == key })?.value.kind
    else { return nil }
    return String(text)
  }
}
