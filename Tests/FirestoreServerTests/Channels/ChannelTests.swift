import FirestoreTransport
import FirestoreWire
import RulesEval
import Testing

@testable import FirestoreServer

/// Sessions of WebChannel by themselves.
@Suite struct ChannelTests {
  private static let start = Timestamp(epochSeconds: 1_800_000_000)!
  private static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: start.milliseconds + milliseconds)!
  }

  private static func messages(_ body: String) -> ClientMessages? {
    ClientMessages(HTTPRequest(method: "POST", target: "/", body: Array(body.utf8)))
  }

  private static func channel() -> Channel { Channel(.listen, first: 1, at: start) }

  private static func back(
    _ acknowledged: Int?, isPolling: Bool = false, timeout: Int64? = nil
  ) -> ChannelRequest.BackRequest {
    ChannelRequest.BackRequest(
      acknowledged: acknowledged, isPolling: isPolling, timeout: timeout)
  }

  private static func text(_ bytes: [UInt8]?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: Texts

  @Test(arguments: [
    ("", "0\n"), ("[1,2,7]", "7\n[1,2,7]"), ("é", "1\né"), ("€", "1\n€"), ("😀", "2\n😀"),
    ("é😀", "3\né😀"), ("e\u{301}", "2\ne\u{301}"),
  ])
  func lengthsCountUnitsOfUTF16(_ text: String, _ chunk: String) {
    #expect(Self.text(ChannelText.chunk(Array(text.utf8))) == chunk)
    #expect(chunk.hasPrefix("\(text.utf16.count)\n"))
  }

  @Test(arguments: [
    (
      CallStatus(.permissionDenied, "\nno"),
      #""PERMISSION_DENIED: \nno","status":"PERMISSION_DENIED""#
    ),
    (CallStatus(.unknown), #""UNKNOWN","status":"UNKNOWN""#),
  ])
  func errorsAreNamedTwice(_ status: CallStatus, _ text: String) {
    #expect(Self.text(ChannelText.error(status)) == "{\"error\":{\"message\":\(text)}}")
  }

  // MARK: Requests

  private static let path = "/google.firestore.v1.Firestore/"

  @Test(arguments: [
    ("POST", "Listen/channel?VER=8&RID=1", "open Listen"),
    ("POST", "Write/channel", "open Write"),
    ("POST", "Write/channel?SID=s&RID=2&AID=3", "messages s 3"),
    ("POST", "Write/channel?SID=s", "messages s nil"),
    ("GET", "Write/channel?SID=s&RID=rpc&AID=3&CI=0", "back s 3 streaming"),
    ("GET", "Write/channel?SID=s&RID=rpc&CI=1&TO=500", "back s nil polling 500"),
    ("POST", "Write/channel?SID=s&TYPE=terminate", "end s"),
    ("GET", "Write/channel?SID=s&TYPE=terminate", "end s"),
    ("GET", "Write/channel?SID=s", "malformed"), ("GET", "Write/channel?RID=rpc", "malformed"),
    ("PUT", "Write/channel?SID=s", "malformed"),
    ("POST", "Write/channel?TYPE=terminate", "malformed"),
    ("POST", "Write/channel?SID=s&AID=-1", "malformed"),
    ("POST", "Write/channel?SID=s&AID=99999999999999999999", "malformed"),
    ("POST", "Write/channel?SID=s&AID=2147483648", "malformed"),
    ("POST", "Commit/channel", "none"), ("POST", "Write", "none"),
    ("POST", "Write/channel/x", "none"),
  ])
  func requestsAreRead(_ method: String, _ target: String, _ expected: String) {
    let request = HTTPRequest(method: method, target: Self.path + target)
    let text: String
    switch ChannelRequest(request) {
    case .open(let method, _, _)?: text = "open \(method.name)"
    case .messages(let id, _, let acknowledged, _)?:
      text = "messages \(id.text) \(acknowledged.map { "\($0)" } ?? "nil")"
    case .back(let id, _, let wishes)?:
      text =
        "back \(id.text) \(wishes.acknowledged.map { "\($0)" } ?? "nil") "
        + (wishes.isPolling ? "polling" : "streaming")
        + (wishes.timeout.map { " \($0)" } ?? "")
    case .end(let id, _)?: text = "end \(id.text)"
    case .malformed?: text = "malformed"
    case nil: text = "none"
    }
    #expect(text == expected)
  }

  @Test func headersComeFromTheRequestThenTheURLThenTheBody() {
    let url = "$httpHeaders=A:1%0D%0AAuthorization:Bearer%20u%0D%0A&RID=1"
    let request = HTTPRequest(
      method: "POST", target: Self.path + "Write/channel?" + url,
      headers: [HTTPHeader("authorization", "Bearer h")],
      body: Array("headers=AUTHORIZATION:%20Bearer%20b%0D%0Anone%0D%0A&count=0".utf8))
    guard case .open(_, let headers, let messages)? = ChannelRequest(request) else {
      Issue.record("is not read")
      return
    }
    #expect(
      headers == [
        HTTPHeader("authorization", "Bearer h"), HTTPHeader("a", "1"),
        HTTPHeader("authorization", "Bearer u"), HTTPHeader("authorization", "Bearer b"),
      ])
    #expect(messages.inOrder.isEmpty)
  }

  @Test(arguments: [
    ("count=0", ""), ("", ""), ("count=1&ofs=0&req0___data__={}", "0:{}"),
    ("count=2&ofs=5&req1___data__=b&req0___data__=a%26", "5:a& 6:b"),
    ("req1_type=_badmap&req0___data__=a", "0:a 1:-"), ("req0___data__=a&req0_x=b", "0:a"),
    ("req0_x=b&req0___data__=a", "0:a"), ("reqx&req0&re=1", ""),
    ("req2147483647___data__=a&ofs=2147483647", "4294967294:a"),
  ])
  func messagesAreReadInOrder(_ body: String, _ expected: String) {
    let texts = Self.messages(body)?.inOrder.map { "\($0.number):\(Self.text($0.text) ?? "-")" }
    #expect(texts?.joined(separator: " ") == expected)
  }

  @Test(arguments: [
    "ofs=-1", "ofs=x", "ofs=99999999999", "req_x=1", "req-1_x=1", "req99999999999___data__=a",
    (0...1_003).map { "req\($0)___data__=a" }.joined(separator: "&"),
  ])
  func bodiesThatNoClientSendsAreRefused(_ body: String) {
    #expect(Self.messages(body) == nil)
  }

  // MARK: Sessions

  @Test func messagesThatComeTwiceAreTakenOnce() throws {
    var channel = Self.channel()
    func receive(_ body: String) -> String? {
      guard let messages = Self.messages(body) else { return nil }
      return channel.receive(messages, acknowledged: nil, at: Self.start)?.texts
        .map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
    #expect(receive("ofs=1&req0___data__=a&req1___data__=b") == "a b")
    #expect(receive("ofs=1&req0___data__=a&req1___data__=b") == "")
    #expect(receive("ofs=2&req0___data__=b&req1___data__=c") == "c")
    #expect(receive("ofs=5&req0___data__=e") == nil)
    #expect(receive("ofs=4&req0_x=-&req1___data__=e") == "e")
  }

  @Test func arraysAreKeptUntilTheyAreAcknowledged() throws {
    var channel = Self.channel()
    channel.say(Array("{}".utf8))
    channel.say(Array("\"é\"".utf8))
    #expect(channel.takeOutput(at: Self.start) == nil)
    #expect(channel.openBack(Self.back(0), at: Self.start) == true)
    let first = channel.takeOutput(at: Self.start)
    #expect(Self.text(first?.chunk) == "20\n[[1,[{}]],[2,[\"é\"]]]")
    #expect(first?.ends == false)
    #expect(channel.takeOutput(at: Self.start) == nil)
    // The back channel breaks: the next one brings what the client does not have.
    channel.closeBack()
    #expect(channel.openBack(Self.back(1), at: Self.start) == true)
    let again = channel.takeOutput(at: Self.start)
    #expect(Self.text(again?.chunk) == "11\n[[2,[\"é\"]]]")
    #expect(channel.keptBytes == 4)
    let empty = try #require(Self.messages("count=0"))
    let receipt = channel.receive(empty, acknowledged: 2, at: Self.start)?.receipt
    #expect(Self.text(receipt) == "7\n[1,2,0]")
    #expect(channel.keptBytes == 0)
    channel.say(Array("{}".utf8))
    let last = channel.takeOutput(at: Self.start)
    #expect(Self.text(last?.chunk) == "10\n[[3,[{}]]]")
  }

  @Test func whatCannotBeAcknowledgedIsRefused() throws {
    var channel = Self.channel()
    channel.say(Array("{}".utf8))
    channel.say(Array("{}".utf8))
    let empty = try #require(Self.messages("count=0"))
    #expect(channel.receive(empty, acknowledged: 3, at: Self.start) == nil)
    #expect(channel.openBack(Self.back(3), at: Self.start) == false)
    #expect(channel.openBack(Self.back(2), at: Self.start) == true)
    // Arrays 1 and 2 are gone.
    #expect(channel.openBack(Self.back(1), at: Self.start) == false)
    #expect(channel.receive(empty, acknowledged: 1, at: Self.start) != nil)
    #expect(channel.openBack(Self.back(nil), at: Self.start) == true)
  }

  @Test func aPollEndsWithWhatIsSaid() {
    var channel = Self.channel()
    #expect(channel.openBack(Self.back(0, isPolling: true), at: Self.start) == true)
    #expect(channel.takeOutput(at: Self.start) == nil)
    channel.say(Array("{}".utf8))
    #expect(channel.takeOutput(at: Self.start)?.ends == true)
  }

  @Test func aBackChannelThatSaidMuchEnds() {
    var channel = Self.channel()
    let large = [UInt8](repeating: UInt8(ascii: "1"), count: 700_000)
    for _ in 0..<3 { channel.say(large) }
    #expect(channel.openBack(Self.back(0), at: Self.start) == true)
    let output = channel.takeOutput(at: Self.start)
    #expect(output?.ends == true)
    #expect((output?.chunk.count ?? 0) / 700_000 == 2)
    channel.closeBack()
    #expect(channel.openBack(Self.back(2), at: Self.start) == true)
    #expect(channel.keptBytes == 700_000)
    let rest = channel.takeOutput(at: Self.start)
    #expect(rest?.ends == false && (rest?.chunk.count ?? 0) / 700_000 == 1)
  }

  @Test func aBackChannelOfASilentSessionBeginsWithANoop() {
    var channel = Self.channel()
    #expect(channel.openBack(Self.back(0), at: Self.start) == true)
    let output = channel.takeOutput(at: Self.start)
    #expect(Self.text(output?.chunk) == "14\n[[1,[\"noop\"]]]")
  }

  @Test func silenceIsBrokenEvery30Seconds() {
    var channel = Self.channel()
    channel.say(Array("{}".utf8))
    #expect(channel.openBack(Self.back(0), at: Self.start) == true)
    _ = channel.takeOutput(at: Self.time(10))
    #expect(channel.deadline == Self.time(30_010))
    #expect(channel.tick(at: Self.time(30_009)) == true)
    #expect(channel.takeOutput(at: Self.start) == nil)
    #expect(channel.tick(at: Self.time(30_010)) == true)
    let output = channel.takeOutput(at: Self.time(30_010))
    #expect(Self.text(output?.chunk) == "14\n[[2,[\"noop\"]]]" && output?.ends == false)
    #expect(channel.deadline == Self.time(60_010))
  }

  @Test(arguments: [(Int64?.none, Int64(30_000)), (500, 500), (0, 0), (90_000, 30_000)])
  func aPollEndsWhenItsClientWants(_ timeout: Int64?, _ milliseconds: Int64) {
    var channel = Self.channel()
    let wishes = Self.back(0, isPolling: true, timeout: timeout)
    #expect(channel.openBack(wishes, at: Self.start) == true)
    #expect(channel.deadline == Self.time(milliseconds))
    let deadline = channel.deadline
    #expect(channel.tick(at: deadline) == true)
    #expect(channel.takeOutput(at: Self.start)?.ends == true)
  }

  @Test func aSessionWithoutABackChannelIsForgottenAfterTwoMinutes() throws {
    var channel = Self.channel()
    #expect(channel.deadline == Self.time(120_000))
    let empty = try #require(Self.messages("count=0"))
    #expect(channel.receive(empty, acknowledged: nil, at: Self.time(100_000)) != nil)
    #expect(channel.tick(at: Self.time(219_999)) == true)
    #expect(channel.openBack(Self.back(0), at: Self.time(219_999)) == true)
    #expect(channel.tick(at: Self.time(220_000)) == true)
    channel.closeBack()
    #expect(channel.tick(at: Self.time(339_998)) == true)
    #expect(channel.tick(at: Self.time(339_999)) == false)
  }
}
