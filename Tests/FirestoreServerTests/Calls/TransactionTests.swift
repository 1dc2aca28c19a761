import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// Transactions over the wire: what waits, and for how long.
@Suite struct TransactionTests {
  private static func begin(_ client: inout TestClient) -> [UInt8] {
    let (messages, _) = client.unary(
      .beginTransaction,
      WireMessage(.beginTransactionRequest) {
        $0[.beginTransactionRequestDatabase] = TestClient.database
      })
    return messages.first?[.beginTransactionResponseTransaction] ?? []
  }

  private static func read(
    _ path: String, in transaction: [UInt8], _ client: inout TestClient, as token: String? = "owner"
  ) -> CallStatus? {
    client.unary(
      .batchGetDocuments, as: token,
      WireMessage(.batchGetDocumentsRequest) {
        $0[.batchGetDocumentsRequestDatabase] = TestClient.database
        $0[.batchGetDocumentsRequestDocuments] = [TestClient.name(path)]
        $0[.batchGetDocumentsRequestTransaction] = transaction
      }
    ).status
  }

  private static func commit(_ path: String, in transaction: [UInt8] = []) -> WireMessage {
    WireMessage(.commitRequest) {
      $0[.commitRequestDatabase] = TestClient.database
      $0[.commitRequestWrites] = [TestClient.set(path)]
      $0[.commitRequestTransaction] = transaction
    }
  }

  private static func startCommit(_ message: WireMessage, _ client: inout TestClient) -> UInt32 {
    let stream = client.call("Commit")
    client.send(message, on: stream)
    client.halfClose(stream)
    return stream
  }

  @Test func aWriteFromOutsideWaitsForTheLockAndGoesOnWhenItIsFree() {
    var client = TestClient()
    let transaction = Self.begin(&client)
    #expect(Self.read("a/b", in: transaction, &client) == .ok)
    let outside = Self.startCommit(Self.commit("a/b"), &client)
    #expect(client.status(outside) == nil)
    let elsewhere = Self.startCommit(Self.commit("a/c"), &client)
    #expect(client.status(elsewhere) == .ok)
    #expect(client.unary(.commit, Self.commit("a/b", in: transaction)).status == .ok)
    #expect(client.status(outside) == .ok)
  }

  @Test func itWaitsForTwoSecondsAtMost() {
    var client = TestClient()
    let transaction = Self.begin(&client)
    #expect(Self.read("a/b", in: transaction, &client) == .ok)
    let outside = Self.startCommit(Self.commit("a/b"), &client)
    client.pass(milliseconds: 1_500)
    #expect(client.status(outside) == nil)
    client.pass(milliseconds: 600)
    #expect(client.status(outside) == CallStatus(.aborted, "Transaction lock timeout."))
    #expect(client.unary(.commit, Self.commit("a/b", in: transaction)).status == .ok)
  }

  @Test func aWriteStreamWaitsInItsOrder() {
    var client = TestClient()
    let transaction = Self.begin(&client)
    #expect(Self.read("a/b", in: transaction, &client) == .ok)
    let stream = client.beginWrite(as: "owner")
    client.write(TestClient.set("a/b"), on: stream)
    client.write(TestClient.set("a/c"), on: stream)
    client.halfClose(stream)
    #expect(client.take(stream, as: .writeResponse).count == 1)
    let rollback = WireMessage(.rollbackRequest) {
      $0[.rollbackRequestDatabase] = TestClient.database
      $0[.rollbackRequestTransaction] = transaction
    }
    #expect(client.unary(.rollback, rollback).status == .ok)
    #expect(client.take(stream, as: .writeResponse).count == 2)
    #expect(client.status(stream) == .ok)
  }

  @Test func ofTwoThatReadAndWriteTheSecondWins() {
    var client = TestClient()
    let one = Self.begin(&client)
    let two = Self.begin(&client)
    #expect(one != two)
    #expect(Self.read("a/b", in: one, &client) == .ok)
    #expect(Self.read("a/b", in: two, &client) == .ok)
    let first = Self.startCommit(Self.commit("a/b", in: one), &client)
    client.pass(milliseconds: 2_100)
    #expect(client.status(first)?.code == .aborted)
    #expect(client.unary(.commit, Self.commit("a/b", in: two)).status == .ok)
  }

  @Test func aForgottenTransactionKeepsItsLocksForAMinute() {
    var client = TestClient()
    let transaction = Self.begin(&client)
    #expect(Self.read("a/b", in: transaction, &client) == .ok)
    #expect(client.server.nextDeadline != nil)
    client.pass(milliseconds: 61_000)
    #expect(client.unary(.commit, Self.commit("a/b")).status == .ok)
    #expect(
      client.unary(.commit, Self.commit("a/b", in: transaction)).status
        == CallStatus(.invalidArgument, "Transaction is invalid or closed."))
    #expect(client.server.takeNotices().count == 1)
  }

  @Test func aDeniedReadLeavesATransactionOpenAndADeniedCommitEndsIt() {
    var client = TestClient(rules: "match /a/{id} { allow get, write: if id == 'may'; }")
    let transaction = Self.begin(&client)
    #expect(Self.read("a/no", in: transaction, &client, as: nil)?.code == .permissionDenied)
    #expect(Self.read("a/may", in: transaction, &client, as: nil) == .ok)
    #expect(
      client.unary(.commit, as: nil, Self.commit("a/no", in: transaction)).status?.code
        == .permissionDenied)
    #expect(client.unary(.commit, as: nil, Self.commit("a/may")).status == .ok)
    #expect(
      client.unary(.commit, as: nil, Self.commit("a/may", in: transaction)).status?.code
        == .invalidArgument)
  }

  /// Locks that a denied read leaves: those on what the rules have read to decide it. The official emulator
  /// lets a write of `a/1`, `a/2` and `b/1` wait (y) or not (n).
  @Test(arguments: [
    ("false", "nnn", "nnn"), ("request.auth.token.foo == 1", "ynn", "nnn"),
    ("resource.data.x == 5", "ynn", "nnn"),
    ("get(/databases/$(db)/documents/b/1).data.x == 5", "yny", "nny"),
    ("true", "ynn", "yyn"),
  ])
  func aReadLocksWhatWasReadForIt(_ condition: String, _ get: String, _ query: String) {
    var client = TestClient(
      rules: "match /{p=**} { allow write; } match /a/{d} { allow read: if \(condition); }")
    client.commit(TestClient.set("a/1"), TestClient.set("a/2"), TestClient.set("b/1"))
    func locked(_ client: inout TestClient) -> String {
      var found = ""
      for path in ["a/1", "a/2", "b/1"] {
        let stream = Self.startCommit(Self.commit(path), &client)
        found += client.status(stream) == nil ? "y" : "n"
        client.cancel(stream)
      }
      return found
    }
    let user = TestClient.user("alice")
    let one = Self.begin(&client)
    _ = Self.read("a/1", in: one, &client, as: user)
    #expect(locked(&client) == get)
    #expect(client.unary(.commit, Self.commit("b/1", in: one)).status == .ok)
    let two = Self.begin(&client)
    _ = client.unary(
      .runQuery, as: user,
      WireMessage(.runQueryRequest) {
        $0[.runQueryRequestParent] = TestClient.database + "/documents"
        $0[.runQueryRequestStructuredQuery] = TestClient.query("a")
        $0[.runQueryRequestTransaction] = two
      })
    #expect(locked(&client) == query)
  }

  /// True if the official emulator lets a write of `a/1` wait for a transaction that was to begin with a read
  /// of it and of another document, which denies both.
  @Test(arguments: [("b/1", false), ("a/1", true), ("c/1", true)])
  func aReadThatIsDeniedBeforeAnyDocumentIsReadLocksNothing(_ other: String, _ isLocked: Bool) {
    var client = TestClient(
      rules: """
        match /a/{d} { allow read: if resource.data.x == 5; }
        match /b/{d} { allow read: if false; }
        match /c/{d} { allow read: if resource.data.x == 2; }
        """)
    client.commit(TestClient.set("a/1"), TestClient.set("b/1"), TestClient.set("c/1"))
    let status = client.unary(
      .batchGetDocuments, as: TestClient.user("alice"),
      WireMessage(.batchGetDocumentsRequest) {
        $0[.batchGetDocumentsRequestDatabase] = TestClient.database
        $0[.batchGetDocumentsRequestDocuments] = ["a/1", other].map { TestClient.name($0) }
        $0[.batchGetDocumentsRequestNewTransaction] = WireMessage(.transactionOptions) {
          $0[.transactionOptionsReadWrite] = WireMessage(.readWrite)
        }
      }
    ).status
    #expect(status?.code == .permissionDenied)
    let write = Self.startCommit(Self.commit("a/1"), &client)
    #expect((client.status(write) == nil) == isLocked)
  }

  @Test func aLockedDocumentFailsItsOwnWriteOfABatchAfterTheWait() {
    var client = TestClient()
    let transaction = Self.begin(&client)
    #expect(Self.read("a/1", in: transaction, &client) == .ok)
    let batch = client.call("BatchWrite")
    client.send(
      WireMessage(.batchWriteRequest) {
        $0[.batchWriteRequestDatabase] = TestClient.database
        $0[.batchWriteRequestWrites] = [TestClient.set("a/1"), TestClient.set("a/2")]
      }, on: batch)
    client.halfClose(batch)
    client.pass(milliseconds: 1_500)
    #expect(client.status(batch) == nil)
    client.pass(milliseconds: 600)
    #expect(client.status(batch) == .ok)
    let answer = client.take(batch, as: .batchWriteResponse).first
    #expect(answer?[.batchWriteResponseStatus].map { $0[.statusCode] } == [10, 0])
    #expect(client.unary(.commit, Self.commit("a/1", in: transaction)).status == .ok)
  }

  @Test func aQueryOfAnyCollectionIsNoPartOfATransactionThatWrites() {
    var client = TestClient()
    let transaction = Self.begin(&client)
    let request = WireMessage(.listDocumentsRequest) {
      $0[.listDocumentsRequestParent] = TestClient.database + "/documents"
      $0[.listDocumentsRequestTransaction] = transaction
    }
    #expect(client.unary(.listDocuments, request).status?.code == .invalidArgument)
    #expect(client.unary(.commit, Self.commit("a/b", in: transaction)).status == .ok)
  }

  @Test func aTransactionBeginsWithTheFirstRead() throws {
    var client = TestClient()
    client.commit(TestClient.set("a/b"))
    let (messages, status) = client.unary(
      .batchGetDocuments,
      WireMessage(.batchGetDocumentsRequest) {
        $0[.batchGetDocumentsRequestDatabase] = TestClient.database
        $0[.batchGetDocumentsRequestDocuments] = [TestClient.name("a/b")]
        $0[.batchGetDocumentsRequestNewTransaction] = WireMessage(.transactionOptions) {
          $0[.transactionOptionsReadWrite] = WireMessage(.readWrite)
        }
      })
    #expect(status == .ok && messages.count == 2)
    let transaction = try #require(messages.first?[.batchGetDocumentsResponseTransaction])
    #expect(messages[0][.batchGetDocumentsResponseFound] == nil)
    #expect(messages[1][.batchGetDocumentsResponseFound] != nil)
    #expect(client.unary(.commit, Self.commit("a/b", in: transaction)).status == .ok)
  }

  @Test func aReadOnlyTransactionSeesASnapshot() {
    var client = TestClient()
    client.commit(TestClient.set("a/b"))
    let (messages, _) = client.unary(
      .beginTransaction,
      WireMessage(.beginTransactionRequest) {
        $0[.beginTransactionRequestDatabase] = TestClient.database
        $0[.beginTransactionRequestOptions] = WireMessage(.transactionOptions) {
          $0[.transactionOptionsReadOnly] = WireMessage(.readOnly)
        }
      })
    let transaction = messages.first?[.beginTransactionResponseTransaction] ?? []
    client.commit(TestClient.delete("a/b"))
    let (found, _) = client.unary(
      .batchGetDocuments,
      WireMessage(.batchGetDocumentsRequest) {
        $0[.batchGetDocumentsRequestDatabase] = TestClient.database
        $0[.batchGetDocumentsRequestDocuments] = [TestClient.name("a/b")]
        $0[.batchGetDocumentsRequestTransaction] = transaction
      })
    #expect(found.first?[.batchGetDocumentsResponseFound] != nil)
    #expect(client.get("a/b").messages.first?[.batchGetDocumentsResponseMissing] != nil)
    #expect(
      client.unary(.commit, Self.commit("a/b", in: transaction)).status
        == CallStatus(
          .invalidArgument, "Cannot modify entities in a read-only transaction."))
  }
}
