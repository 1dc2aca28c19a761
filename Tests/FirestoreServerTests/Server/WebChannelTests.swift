import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// Calls over WebChannel. Answers are those of the official emulator, with times and tokens left out.
@Suite struct WebChannelTests {
  private static let handshake = WireMessage(.writeRequest) {
    $0[.writeRequestDatabase] = TestClient.database
  }

  private static func write(_ writes: WireMessage...) -> WireMessage {
    WireMessage(.writeRequest) {
      $0[.writeRequestStreamToken] = [0x30]
      $0[.writeRequestWrites] = writes
    }
  }

  private static func remove(_ target: Int32) -> WireMessage {
    WireMessage(.listenRequest) {
      $0[.listenRequestDatabase] = TestClient.database
      $0[.listenRequestRemoveTarget] = target
    }
  }

  /// Chunks without what differs between two runs.
  private static func plain(_ chunks: [String]) -> [String] {
    chunks.map { chunk in
      chunk.replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "T")
        .replacing(/"resumeToken":"[^"]*"/, with: "\"resumeToken\":R")
        .replacing(String(TestClient.database) + "/documents", with: "~")
    }
  }

  // MARK: Recorded

  @Test func aSessionIsOpenedByItsFirstMessage() {
    var client = ChannelClient(.write, Self.handshake)
    let answer = client.open(as: nil, [Self.handshake])
    #expect(answer.status == 200 && answer.isWhole)
    #expect(answer.chunks == ["[[0,[\"c\",\"\(client.session)\",\"\",8,12,30000]]]"])
    for header in [
      "content-type: text/plain; charset=utf-8", "access-control-allow-origin: http://app",
      "access-control-allow-credentials: true", "vary: origin",
      "access-control-expose-headers: x-client-wire-protocol, x-http-session-id, "
        + "x-http-initial-response",
    ] {
      #expect(answer.head.contains(header), "\(header)")
    }
  }

  @Test func aWriteStreamShakesHandsAndCommits() {
    var client = ChannelClient(.write, Self.handshake)
    let back = client.back()
    #expect(client.chunks(back) == [#"[[1,[{"streamId":"0","streamToken":"MA=="}]]]"#])
    let answer = client.post(
      acknowledging: 1, Self.write(TestClient.set("a/b")), Self.write(TestClient.delete("a/c")))
    #expect(answer.status == 200 && answer.chunks == ["[1,1,0]"])
    #expect(
      Self.plain(client.chunks(back)) == [
        #"[[2,[{"streamToken":"MQ==","writeResults":[{"updateTime":"T"}],"commitTime":"T"}]],"#
          + #"[3,[{"streamToken":"Mg==","writeResults":[{}],"commitTime":"T"}]]]"#
      ])
    #expect(client.other.get("a/b").messages.first?[.batchGetDocumentsResponseFound] != nil)
    #expect(!client.take(back).isWhole)
    let end = client.terminate()
    #expect(end.status == 200 && end.chunks.isEmpty)
    #expect(client.take(back).isWhole)
  }

  @Test func aListenerHearsOfItsDocument() {
    var client = ChannelClient(.listen, TestClient.listen(to: "a/1", as: 2))
    let back = client.back()
    #expect(
      Self.plain(client.chunks(back)) == [
        #"[[1,[{"targetChange":{"targetChangeType":"ADD","targetIds":[2]}}]],"#
          + #"[2,[{"documentDelete":{"document":"~/a/1","readTime":"T","removedTargetIds":[2]}}]],"#
          + #"[3,[{"targetChange":{"targetChangeType":"CURRENT","targetIds":[2],"#
          + #""resumeToken":R,"readTime":"T"}}]],"#
          + #"[4,[{"targetChange":{"resumeToken":R,"readTime":"T"}}]]]"#
      ])
    client.other.commit(TestClient.set("a/1", [("s", .string("é😀"))]))
    #expect(
      Self.plain(client.chunks(back)) == [
        #"[[5,[{"documentChange":{"document":{"name":"~/a/1","fields":{"s":"#
          + #"{"stringValue":"é😀"}},"createTime":"T","updateTime":"T"},"targetIds":[2]}}]],"#
          + #"[6,[{"targetChange":{"resumeToken":R,"readTime":"T"}}]]]"#
      ])
    #expect(client.post(acknowledging: 6, Self.remove(2)).chunks == ["[1,6,0]"])
    #expect(
      client.chunks(back)
        == [#"[[7,[{"targetChange":{"targetChangeType":"REMOVE","targetIds":[2]}}]]]"#])
  }

  @Test func longPollsEndWithTheirData() {
    var client = ChannelClient(.listen, TestClient.listen(to: "a/1", as: 2))
    let first = client.back(polling: true)
    #expect(client.take(first).isWhole)
    let second = client.back(acknowledging: 4, polling: true)
    let silent = client.take(second)
    #expect(silent.status == 200 && !silent.isWhole)
    client.other.commit(TestClient.set("a/1"))
    let answer = client.take(second)
    #expect(answer.isWhole && answer.chunks.first?.hasPrefix("[[5,") == true)
    #expect(client.post(acknowledging: 6, Self.remove(2)).chunks == ["[0,6,0]"])
  }

  @Test(arguments: [
    (
      ["{\"database\":\"nope\"}"],
      #"INVALID_ARGUMENT: Database name \"nope\" lacks \"projects\" at index 0."#
    ),
    (
      ["{\"streamToken\":\"AA==\"}"],
      "INVALID_ARGUMENT: 'database' must be set on an initial write request."
    ),
    (["{\"unknown\":1}"], "INVALID_ARGUMENT: the request is malformed"),
    (["{"], "INVALID_ARGUMENT: the request is malformed"),
    (["", "\u{0}", "{"], "INVALID_ARGUMENT: the request is malformed"),
  ])
  func aCallThatFailsSaysSo(_ texts: [String], _ message: String) {
    var client = ChannelClient(.write)
    _ = client.post(texts: texts)
    let back = client.back()
    let error = #"{"error":{"message":"\#(message)","status":"INVALID_ARGUMENT"}}"#
    #expect(client.chunks(back) == ["[[1,[\(error)]]]"])
    // The client hears of it and ends the session; what it sent before is ignored.
    #expect(client.post(acknowledging: 1, Self.handshake).chunks == ["[1,1,0]"])
    #expect(client.chunks(back).isEmpty)
    #expect(client.terminate().status == 200)
  }

  @Test func denialsAreThoseOfEveryCall() {
    let rules = "match /a/{id} { allow read, write: if request.auth.uid == 'alice'; }"
    var client = ChannelClient(.write, rules: rules, Self.handshake)
    let back = client.back()
    _ = client.chunks(back)
    _ = client.post(acknowledging: 1, Self.write(TestClient.set("a/b")))
    #expect(
      client.chunks(back) == [
        #"[[2,[{"error":{"message":"PERMISSION_DENIED: \nNull value error. for 'create' @ L2, "#
          + #"Null value error. for 'update' @ L2, "#
          + #"Null value error. for 'create' @ L2","status":"PERMISSION_DENIED"}}]]]"#
      ])
    client.open(as: TestClient.user("alice"), [Self.handshake])
    _ = client.post(acknowledging: 1, Self.write(TestClient.set("a/b")))
    #expect(client.other.get("a/b").messages.first?[.batchGetDocumentsResponseFound] != nil)
    let second = client.back(acknowledging: 1)
    #expect(client.chunks(second).first?.contains("commitTime") == true)
    client.open(as: "x", [Self.handshake])
    let third = client.back()
    #expect(
      client.chunks(third) == [
        #"[[1,[{"error":{"message":"INVALID_ARGUMENT: invalid jwt","status":"INVALID_ARGUMENT"}}]]]"#
      ])
  }

  @Test func aDeniedTargetIsRemovedAndTheCallGoesOn() {
    let rules = "match /a/{id} { allow get: if id == 'good'; }"
    var client = ChannelClient(.listen, rules: rules, TestClient.listen(to: "a/bad", as: 2))
    let back = client.back()
    #expect(
      client.chunks(back) == [
        #"[[1,[{"targetChange":{"targetChangeType":"ADD","targetIds":[2]}}]],"#
          + #"[2,[{"targetChange":{"targetChangeType":"REMOVE","targetIds":[2],"#
          + #""cause":{"code":7,"message":"\nfalse for 'get' @ L2"}}}]]]"#
      ])
    _ = client.post(acknowledging: 2, TestClient.listen(to: "a/good", as: 4))
    #expect(client.chunks(back).first?.contains("CURRENT") == true)
  }

  // MARK: Sessions

  @Test func whatABrokenBackChannelCarriedIsSentAgain() {
    var client = ChannelClient(.write, Self.handshake)
    let first = client.back()
    let said = client.chunks(first)
    client.close(first)
    #expect(client.post(acknowledging: 0).chunks == ["[0,1,37]"])
    let second = client.back()
    #expect(client.chunks(second) == said)
    let third = client.back(acknowledging: 1)
    #expect(client.take(second).isWhole)
    #expect(client.chunks(third) == ["[[2,[\"noop\"]]]"])
  }

  @Test func aRequestThatIsSentTwiceIsTakenOnce() {
    var client = ChannelClient(.write, Self.handshake)
    let text = #"{"writes":[{"delete":"\#(TestClient.name("a/b"))"}]}"#.replacing("\"", with: "%22")
    let body = "count=1&ofs=1&req0___data__=" + text
    for _ in 0..<2 {
      let sent = client.send("POST", "SID=\(client.session)&AID=0", body)
      #expect(client.take(sent).status == 200)
    }
    let back = client.back()
    let chunks = client.chunks(back)
    #expect(chunks.count == 1 && chunks[0].hasPrefix("[[1,") && chunks[0].contains("[2,["))
    #expect(!chunks[0].contains("[3,["))
  }

  @Test func sessionsThatAreUnknownOrOverAreRefused() {
    var client = ChannelClient(.write, Self.handshake)
    let session = client.session
    func status(_ method: String, _ query: String) -> Int {
      let connection = client.send(method, query, method == "POST" ? "count=0" : "")
      let answer = client.take(connection)
      #expect(answer.isWhole && answer.head.contains("access-control-allow-origin: http://app"))
      return answer.status
    }
    #expect(status("GET", "SID=nope&RID=rpc&AID=0") == 400)
    #expect(status("POST", "SID=nope&AID=0") == 400)
    #expect(status("POST", "SID=nope&TYPE=terminate") == 400)
    #expect(status("GET", "SID=\(session)&RID=rpc&AID=7") == 400)
    #expect(status("POST", "SID=\(session)&AID=7") == 400)
    #expect(status("PUT", "SID=\(session)") == 400)
    #expect(status("POST", "SID=\(session)&TYPE=terminate") == 200)
    #expect(status("POST", "SID=\(session)&AID=0") == 400)
    #expect(status("GET", "SID=\(session)&RID=rpc&AID=0") == 400)
  }

  @Test func aSilentBackChannelIsKeptAlive() {
    var client = ChannelClient(.listen, TestClient.listen(to: "a/1", as: 2))
    let back = client.back()
    #expect(client.chunks(back).count == 1)
    client.other.pass(milliseconds: 29_000)
    #expect(client.chunks(back).isEmpty)
    client.other.pass(milliseconds: 1_100)
    #expect(client.chunks(back) == ["[[5,[\"noop\"]]]"])
    client.other.pass(milliseconds: 40_000)
    #expect(client.chunks(back) == ["[[6,[\"noop\"]]]"])
    #expect(client.other.server.listenerCount == 1)
  }

  @Test func aSessionThatNobodyReadsEnds() {
    var client = ChannelClient(.listen, TestClient.listen(to: "a/1", as: 2))
    let back = client.back()
    client.close(back)
    #expect(client.other.server.listenerCount == 1)
    client.other.pass(milliseconds: 119_000)
    #expect(client.other.server.listenerCount == 1)
    client.other.pass(milliseconds: 2_000)
    #expect(client.other.server.listenerCount == 0 && client.other.server.nextDeadline == nil)
    let late = client.back()
    #expect(client.take(late).status == 400)
  }

  @Test func theEndOfAClientsBytesEndsItsBackChannel() {
    var client = ChannelClient(.write, Self.handshake)
    let back = client.back()
    client.other.server.endOfInput(on: back, at: client.other.now)
    #expect(client.post(acknowledging: 0).chunks == ["[0,1,37]"])
  }

  @Test func aSessionThatKeepsTooMuchEnds() {
    let query = TestClient.listen(toQuery: TestClient.query("a"), as: 2)
    var client = ChannelClient(.listen, as: "owner", query) { $0.queuedBytes = 10_000 }
    #expect(client.other.server.listenerCount == 1)
    for number in 0..<40 { client.other.commit(TestClient.set("a/\(number)")) }
    #expect(client.other.server.listenerCount == 0)
    let late = client.back()
    #expect(client.take(late).status == 400)
  }

  @Test func thereAreOnlySoManySessions() {
    var channels = ServedChannels(seed: 1)
    let now = Timestamp.epoch
    var ids: Set<ChannelID> = []
    for _ in 0..<10_000 {
      guard let id = channels.open(Channel(.listen, first: 0, at: now)) else { break }
      ids.insert(id)
    }
    #expect(ids.count == 10_000)
    #expect(channels.open(Channel(.listen, first: 0, at: now)) == nil)
    for id in ids { _ = channels.remove(id) }
    #expect(channels.open(Channel(.listen, first: 0, at: now)) != nil)
  }

  @Test func aServerThatEndsEndsItsSessions() {
    var client = ChannelClient(.listen, TestClient.listen(to: "a/1", as: 2))
    let back = client.back()
    _ = client.chunks(back)
    client.other.server.shutDown(at: client.other.now)
    #expect(client.take(back).isWhole)
    #expect(client.other.server.listenerCount == 0)
  }

  @Test func writesThatWaitForLocksAreAnsweredLater() throws {
    var client = ChannelClient(.write, as: "owner", Self.handshake)
    let back = client.back()
    _ = client.chunks(back)
    let begun = client.other.unary(
      .beginTransaction,
      WireMessage(.beginTransactionRequest) {
        $0[.beginTransactionRequestDatabase] = TestClient.database
      })
    let transaction = try #require(begun.messages.first?[.beginTransactionResponseTransaction])
    _ = client.other.unary(
      .batchGetDocuments,
      WireMessage(.batchGetDocumentsRequest) {
        $0[.batchGetDocumentsRequestDatabase] = TestClient.database
        $0[.batchGetDocumentsRequestDocuments] = [TestClient.name("a/b")]
        $0[.batchGetDocumentsRequestTransaction] = transaction
      })
    _ = client.post(acknowledging: 1, Self.write(TestClient.set("a/b")))
    #expect(client.chunks(back).isEmpty)
    client.other.pass(milliseconds: 2_100)
    #expect(client.chunks(back).first?.contains("\"status\":\"ABORTED\"") == true)
  }
}
