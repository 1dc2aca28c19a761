import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// Conversations on `Listen`.
@Suite struct ListenStreamTests {
  @Test func aDocumentIsSentWithTheMarksThatClientsWaitFor() throws {
    var client = TestClient()
    client.commit(TestClient.set("a/b"))
    let stream = client.listen(TestClient.listen(to: "a/b", as: 1002))
    let messages = client.take(stream, as: .listenResponse)
    #expect(messages.count == 4)
    let document = messages[1][.listenResponseDocumentChange]?[.documentChangeDocument]
    #expect(document?[.documentCreateTime] != nil && document?[.documentUpdateTime] != nil)
    let current = try #require(messages[2][.listenResponseTargetChange])
    let snapshot = try #require(messages[3][.listenResponseTargetChange])
    let time = try #require(current[.targetChangeReadTime])
    #expect(snapshot[.targetChangeTargetIds] == [])
    #expect(try #require(snapshot[.targetChangeReadTime]) >= time)
    let token = current[.targetChangeResumeToken]
    #expect(token.count == 11 && token.starts(with: [0x0A, 0x09, 0x08]))
    client.send(
      WireMessage(.listenRequest) { $0[.listenRequestRemoveTarget] = 1002 }, on: stream)
    #expect(client.heard(stream) == ["REMOVE 1002"])
    client.send(
      WireMessage(.listenRequest) { $0[.listenRequestRemoveTarget] = 1002 }, on: stream)
    #expect(client.heard(stream) == [])
    client.halfClose(stream)
    #expect(client.status(stream) == .ok)
  }

  @Test func theAdditionOfATargetHasNoDefaultFields() {
    var client = TestClient()
    let stream = client.listen(TestClient.listen(to: "a/b", as: 2))
    #expect(client.streams[stream]?.messages.first == [0x12, 0x05, 0x08, 0x01, 0x12, 0x01, 0x02])
  }

  @Test func aDocumentTargetHearsOfEachWriteAndDeletion() {
    var client = TestClient()
    let stream = client.listen(TestClient.listen(to: "a/b", "a/c", as: 2))
    #expect(
      client.heard(stream)
        == ["ADD 2", "MISSING 2 a/b", "MISSING 2 a/c", "CURRENT 2", "SNAPSHOT"])
    client.commit(TestClient.set("a/b"))
    #expect(client.heard(stream) == ["DOCUMENT 2 a/b", "MISSING 2 a/c", "SNAPSHOT"])
    // A write that changes nothing is told, too.
    client.commit(TestClient.set("a/b"))
    #expect(client.heard(stream) == ["DOCUMENT 2 a/b", "MISSING 2 a/c", "SNAPSHOT"])
    client.commit(TestClient.set("a/d"))
    #expect(client.heard(stream) == [])
    client.commit(TestClient.delete("a/b"))
    #expect(client.heard(stream) == ["MISSING 2 a/b", "MISSING 2 a/c", "SNAPSHOT"])
    client.commit(TestClient.set("a/b"), TestClient.set("a/c"))
    #expect(client.heard(stream) == ["DOCUMENT 2 a/b", "DOCUMENT 2 a/c", "SNAPSHOT"])
    _ = client.http(
      "DELETE", "/emulator/v1/projects/demo/databases/(default)/documents")
    #expect(client.heard(stream) == ["MISSING 2 a/b", "MISSING 2 a/c", "SNAPSHOT"])
  }

  @Test func aQueryTargetHearsAllOfItsDocumentsAtEachCommitInItsCollection() {
    var client = TestClient()
    client.commit(TestClient.set("a/2"), TestClient.set("a/1"))
    let stream = client.listen(TestClient.listen(toQuery: TestClient.query("a"), as: 2))
    #expect(
      client.heard(stream)
        == ["ADD 2", "DOCUMENT 2 a/1", "DOCUMENT 2 a/2", "CURRENT 2", "SNAPSHOT"])
    client.commit(TestClient.set("b/1"), TestClient.set("a/1/a/1"))
    #expect(client.heard(stream) == [])
    client.commit(TestClient.delete("a/1"), TestClient.set("a/3"))
    #expect(
      client.heard(stream)
        == ["RESET 2", "DOCUMENT 2 a/2", "DOCUMENT 2 a/3", "CURRENT 2", "SNAPSHOT"])
    client.commit(TestClient.set("a/3"))
    #expect(client.heard(stream).first == "RESET 2")
    _ = client.http(
      "DELETE", "/emulator/v1/projects/demo/databases/(default)/documents")
    #expect(client.heard(stream) == ["RESET 2", "CURRENT 2", "SNAPSHOT"])
  }

  @Test func documentTargetsAreToldBeforeQueriesAndOneSnapshotEndsTheRound() {
    var client = TestClient()
    let stream = client.listen(TestClient.listen(toQuery: TestClient.query("a"), as: 2))
    client.send(TestClient.listen(to: "a/1", as: 4), on: stream)
    _ = client.heard(stream)
    client.commit(TestClient.set("a/1"))
    #expect(
      client.heard(stream)
        == ["DOCUMENT 4 a/1", "RESET 2", "DOCUMENT 2 a/1", "CURRENT 2", "SNAPSHOT"])
  }

  @Test func aResumeTokenIsAnsweredWithEverything() {
    var client = TestClient()
    client.commit(TestClient.set("a/1"))
    for token: [UInt8] in [[1], [0x0A, 0x09, 0x08, 1, 2, 3, 4, 5, 6, 7, 8]] {
      var message = TestClient.listen(toQuery: TestClient.query("a"), as: 2)
      var target = message[.listenRequestAddTarget]!
      target[.targetResumeToken] = token
      target[.targetExpectedCount] = 7
      message[.listenRequestAddTarget] = target
      let stream = client.listen(message)
      #expect(
        client.heard(stream)
          == ["ADD 2", "RESET 2", "DOCUMENT 2 a/1", "CURRENT 2", "SNAPSHOT"])
    }
  }

  @Test func aDenialRemovesTheTargetAndTheStreamGoesOn() {
    var client = TestClient(
      rules: """
        match /a/{id} { allow get: if id == 'open'; }
        match /b/{id} { allow list: if false; }
        """)
    let stream = client.listen(as: nil, TestClient.listen(to: "a/open", "a/secret", as: 2))
    #expect(client.heard(stream) == ["ADD 2", "REMOVE 2 7 \nfalse for 'get' @ L2"])
    client.send(TestClient.listen(toQuery: TestClient.query("b"), as: 4), on: stream)
    #expect(client.heard(stream) == ["ADD 4", "REMOVE 4 7 \nfalse for 'list' @ L3"])
    client.send(TestClient.listen(toQuery: TestClient.query("c"), as: 6), on: stream)
    #expect(client.heard(stream) == ["ADD 6", "REMOVE 6 7 No matching allow statements"])
    client.send(TestClient.listen(to: "a/open", as: 8), on: stream)
    #expect(client.heard(stream) == ["ADD 8", "MISSING 8 a/open", "CURRENT 8", "SNAPSHOT"])
    #expect(client.status(stream) == nil)
  }

  @Test func listenersAreJudgedAgainAtTheNextChangeThatConcernsThem() {
    var client = TestClient(rules: "match /a/{id} { allow read; }")
    let stream = client.listen(as: nil, TestClient.listen(to: "a/b", as: 2))
    client.send(TestClient.listen(toQuery: TestClient.query("a"), as: 4), on: stream)
    _ = client.heard(stream)
    client.upload(TestClient.whole("match /a/{id} { allow read: if false; }"))
    #expect(client.heard(stream) == [])
    client.commit(TestClient.set("b/b"))
    #expect(client.heard(stream) == [])
    client.commit(TestClient.set("a/b"))
    #expect(
      client.heard(stream)
        == [
          "REMOVE 2 7 \nfalse for 'get' @ L2", "RESET 4", "REMOVE 4 7 \nfalse for 'list' @ L2",
        ])
    client.commit(TestClient.set("a/b"))
    #expect(client.heard(stream) == [])
  }

  @Test func aDocumentThatItsReaderLosesEndsTheListener() {
    var client = TestClient(rules: "match /a/{id} { allow get: if resource.data.x == 1; }")
    client.commit(TestClient.set("a/b"))
    let stream = client.listen(as: nil, TestClient.listen(to: "a/b", as: 2))
    _ = client.heard(stream)
    client.commit(TestClient.set("a/b", [("x", .int(2))]))
    #expect(
      client.heard(stream)
        == ["REMOVE 2 7 \nevaluation error at L2:31 for 'get' @ L2, false for 'get' @ L2"])
  }

  @Test func whatCannotBeListenedToIsRemovedForGood() {
    var client = TestClient()
    var query = TestClient.query("a")
    query[.structuredQueryLimit] = -1
    let stream = client.listen(TestClient.listen(toQuery: query, as: 2))
    #expect(client.heard(stream) == ["ADD 2", "REMOVE 2 3 limit is negative"])
    client.send(TestClient.listen(to: "a", as: 4), on: stream)
    let name = String(TestClient.name("a"))
    #expect(
      client.heard(stream)
        == [
          "ADD 4", "REMOVE 4 3 Document name \"\(name)\" lacks \"/\" at index \(name.utf8.count).",
        ])
    client.send(TestClient.listen(to: "a/b", as: 0), on: stream)
    #expect(client.heard(stream).first == "ADD 1")
    #expect(client.status(stream) == nil)
  }

  private static func contains(_ field: Text) -> WireMessage {
    WireMessage(.filter) {
      $0[.filterFieldFilter] = WireMessage(.fieldFilter) {
        $0[.fieldFilterField] = WireMessage(.fieldReference) {
          $0[.fieldReferenceFieldPath] = field
        }
        $0[.fieldFilterOp] = .arrayContains
        $0[.fieldFilterValue] = .int(1)
      }
    }
  }

  /// Queries that nobody can listen to, with what those hear whom the rules allow them.
  private static let refused: [(change: @Sendable (inout WireMessage) -> Void, words: String)] = [
    (
      {
        $0[.structuredQueryWhere] = WireMessage(.filter) {
          $0[.filterCompositeFilter] = WireMessage(.compositeFilter) {
            $0[.compositeFilterOp] = .and
            $0[.compositeFilterFilters] = [Self.contains("x"), Self.contains("y")]
          }
        }
      }, "9 Only a single array-contains clause is allowed in a query"
    ),
    ({ $0[.structuredQueryLimit] = -1 }, "3 limit is negative"),
    ({ $0[.structuredQueryOffset] = -1 }, "3 offset is negative"),
  ]

  @Test(arguments: refused.indices)
  func whoMayNotReadHearsNothingOfTheMistakesOfAQuery(_ row: Int) {
    let (change, words) = Self.refused[row]
    var client = TestClient(
      rules: "match /a/{d} { allow list: if request.auth.uid == 'alice'; }")
    var query = TestClient.query("a")
    change(&query)
    func answer(as token: String?) -> String? {
      let stream = client.listen(as: token, TestClient.listen(toQuery: query, as: 2))
      return client.heard(stream).last
    }
    #expect(answer(as: TestClient.user("bob")) == "REMOVE 2 7 \nfalse for 'list' @ L2")
    #expect(answer(as: TestClient.user("alice")) == "REMOVE 2 " + words)
    #expect(answer(as: "owner") == "REMOVE 2 " + words)
  }

  @Test func aListenerToAnyCollectionHearsOfNoLaterCommit() {
    var client = TestClient()
    client.commit(TestClient.set("a/1"))
    let stream = client.listen(TestClient.listen(toQuery: TestClient.query(""), as: 2))
    #expect(client.heard(stream) == ["ADD 2", "DOCUMENT 2 a/1", "CURRENT 2", "SNAPSHOT"])
    client.commit(TestClient.set("a/1"), TestClient.delete("b/1"))
    #expect(client.heard(stream) == [])
  }

  @Test func aVerificationIsToldAndABatchThatWroteNothingIsNot() {
    var client = TestClient()
    client.commit(TestClient.set("a/1"), TestClient.set("a/9"))
    let stream = client.listen(TestClient.listen(to: "a/1", as: 2))
    client.send(TestClient.listen(toQuery: TestClient.query("a"), as: 4), on: stream)
    _ = client.heard(stream)
    let query = ["RESET 4", "DOCUMENT 4 a/1", "DOCUMENT 4 a/9", "CURRENT 4", "SNAPSHOT"]
    client.commit(
      TestClient.ifExists(
        true, WireMessage(.write) { $0[.writeVerify] = TestClient.name("a/1") }))
    #expect(client.heard(stream) == ["DOCUMENT 2 a/1"] + query)
    func batch(_ writes: WireMessage...) {
      _ = client.unary(
        .batchWrite,
        WireMessage(.batchWriteRequest) {
          $0[.batchWriteRequestDatabase] = TestClient.database
          $0[.batchWriteRequestWrites] = writes
        })
    }
    let refused = TestClient.ifExists(false, TestClient.set("a/1"))
    batch(refused)
    #expect(client.heard(stream) == [])
    batch(refused, TestClient.set("a/9"))
    #expect(client.heard(stream) == query)
  }

  @Test func theDatabaseMayBeMissing() {
    var client = TestClient()
    var message = TestClient.listen(to: "a/b", as: 2)
    message[.listenRequestDatabase] = ""
    let stream = client.listen(message)
    #expect(client.heard(stream).last == "SNAPSHOT")
    client.commit(TestClient.set("a/b"))
    #expect(client.heard(stream) == ["DOCUMENT 2 a/b", "SNAPSHOT"])
  }

  @Test func aCancelledListenerHearsNothingAndCostsNothing() {
    var client = TestClient()
    let stream = client.listen(TestClient.listen(toQuery: TestClient.query("a"), as: 2))
    client.cancel(stream)
    _ = client.heard(stream)
    client.commit(TestClient.set("a/b"))
    #expect(client.heard(stream) == [])
    #expect(client.server.listenerCount == 0)
  }

  @Test func listenersHearOfAWriteBeforeItsWriterDoes() {
    var client = TestClient()
    let listener = client.listen(TestClient.listen(to: "a/b", as: 2))
    let writer = client.beginWrite(as: "owner")
    _ = client.heard(listener)
    _ = client.take(writer, as: .writeResponse)
    client.arrivals = []
    client.write(TestClient.set("a/b"), on: writer)
    #expect(client.arrivals == [listener, listener, writer])
  }
}
