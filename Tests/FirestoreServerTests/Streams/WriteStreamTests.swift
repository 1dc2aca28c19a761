import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// Conversations on `Write`.
@Suite struct WriteStreamTests {
  @Test func theHandshakeIsAnsweredWithATokenAndEachWriteWithTheNext() {
    var client = TestClient()
    let stream = client.beginWrite(as: "owner")
    let hello = client.take(stream, as: .writeResponse)
    #expect(hello.map { $0[.writeResponseStreamToken] } == [Array("0".utf8)])
    #expect(hello.first?[.writeResponseStreamId] == Text("0"))
    client.write(TestClient.set("a/b"), TestClient.delete("a/c"), on: stream)
    let written = client.take(stream, as: .writeResponse)
    #expect(written.map { $0[.writeResponseStreamToken] } == [Array("1".utf8)])
    let time = written.first?[.writeResponseCommitTime]
    #expect(time != nil)
    #expect(
      written.first?[.writeResponseWriteResults].map { $0[.writeResultUpdateTime] } == [time, nil])
    client.send(
      WireMessage(.writeRequest) { $0[.writeRequestStreamToken] = Array("1".utf8) }, on: stream)
    client.halfClose(stream)
    let goodbye = client.take(stream, as: .writeResponse)
    #expect(goodbye.map { $0[.writeResponseStreamToken] } == [Array("2".utf8)])
    #expect(goodbye.first?[.writeResponseCommitTime] == nil)
    #expect(client.status(stream) == .ok)
  }

  @Test(arguments: [
    (
      WireMessage(.writeRequest) {
        $0[.writeRequestDatabase] = TestClient.database
        $0[.writeRequestStreamId] = "4"
      }, "Resuming streams is not supported, do not set stream ID."
    ),
    (WireMessage(.writeRequest), "'database' must be set on an initial write request."),
    (
      WireMessage(.writeRequest) {
        $0[.writeRequestDatabase] = TestClient.database
        $0[.writeRequestWrites] = [TestClient.set("a/b")]
      }, "'writes' must not be set on an initial write request."
    ),
    (
      WireMessage(.writeRequest) { $0[.writeRequestDatabase] = "x" },
      "Database name \"x\" lacks \"projects\" at index 0."
    ),
  ])
  func aBadHandshakeEndsTheStream(_ message: WireMessage, _ text: String) {
    var client = TestClient()
    let stream = client.call("Write")
    client.send(message, on: stream)
    #expect(client.status(stream) == CallStatus(.invalidArgument, text))
  }

  /// Questions to the rules about a document of two writes: who may do it, and the code of the answer.
  private static let questions:
    [(user: String, isStored: Bool, writes: [WireMessage], code: StatusCode)] = {
      func verify(_ exists: Bool) -> WireMessage {
        TestClient.ifExists(
          exists, WireMessage(.write) { $0[.writeVerify] = TestClient.name("t/1") })
      }
      func delete(_ exists: Bool) -> WireMessage {
        TestClient.ifExists(exists, TestClient.delete("t/1"))
      }
      let set = TestClient.set("t/1")
      return [
        ("c", true, [verify(true), set], .permissionDenied),
        ("c", true, [verify(false), set], .alreadyExists),
        ("c", false, [verify(true), set], .permissionDenied),
        ("c", false, [verify(false), set], .ok), ("c", false, [set, verify(true)], .ok),
        ("u", true, [verify(true), set], .ok), ("u", false, [verify(true), set], .notFound),
        ("u", false, [verify(false), set], .permissionDenied),
        ("g", true, [verify(true), set], .permissionDenied),
        ("g", true, [verify(true), verify(true)], .ok),
        ("d", true, [verify(true), TestClient.delete("t/1")], .ok),
        ("d", false, [verify(true), TestClient.delete("t/1")], .notFound),
        ("u", false, [delete(true), set], .notFound),
        ("c", true, [delete(false), set], .alreadyExists),
        ("c", false, [delete(true), set], .permissionDenied),
        ("u", true, [delete(false), set], .permissionDenied),
        ("u", true, [delete(true), set], .ok),
      ]
    }()

  @Test(arguments: questions.indices)
  func theFirstWriteOfADocumentSaysWhatRulesAreAskedOfAll(_ row: Int) {
    let (user, isStored, writes, code) = Self.questions[row]
    let methods = [("c", "create"), ("u", "update"), ("g", "get"), ("d", "delete")]
    let statements = methods.map { "allow \($0.1): if request.auth.uid == '\($0.0)';" }
    var client = TestClient(rules: "match /t/{id} { \(statements.joined(separator: " ")) }")
    if isStored { client.commit(TestClient.set("t/1")) }
    let stream = client.beginWrite(as: TestClient.user(user))
    client.send(WireMessage(.writeRequest) { $0[.writeRequestWrites] = writes }, on: stream)
    client.halfClose(stream)
    #expect(client.status(stream)?.code == code)
  }

  @Test func writesInFlightAreAnsweredInOrder() {
    var client = TestClient()
    let stream = client.beginWrite(as: "owner")
    for number in 0..<10 {
      client.write(TestClient.set("a/\(number)"), on: stream)
    }
    let answers = client.take(stream, as: .writeResponse)
    #expect(
      answers.map { String(decoding: $0[.writeResponseStreamToken], as: UTF8.self) }
        == (0...10).map { "\($0)" })
    let times = answers.dropFirst().compactMap { $0[.writeResponseCommitTime] }
    #expect(times.count == 10 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func aDeniedWriteEndsTheStreamAndAnotherOneGoesOn() {
    var client = TestClient(rules: "match /a/{id} { allow create: if id == 'good'; }")
    let first = client.beginWrite(as: nil)
    client.write(TestClient.set("a/bad"), on: first)
    #expect(client.status(first)?.code == .permissionDenied)
    client.write(TestClient.set("a/good"), on: first)
    client.halfClose(first)
    #expect(client.take(first, as: .writeResponse).count == 1)
    let second = client.beginWrite(as: nil)
    client.write(TestClient.set("a/good"), on: second)
    #expect(client.take(second, as: .writeResponse).count == 2)
    #expect(client.status(second) == nil)
  }

  @Test func rulesComeBeforePreconditionsAndArgumentsBeforeRules() {
    var client = TestClient(rules: "match /a/{id} { allow update: if id == 'may'; }")
    let cases: [(WireMessage, StatusCode)] = [
      (TestClient.ifExists(true, TestClient.set("a/no")), .permissionDenied),
      (TestClient.ifExists(true, TestClient.set("a/may")), .notFound),
      (TestClient.ifExists(true, TestClient.set("a/no", [("__x__", .int(1))])), .invalidArgument),
      (TestClient.ifExists(true, TestClient.set("a/__x__")), .invalidArgument),
      (WireMessage(.write), .invalidArgument),
    ]
    for (write, code) in cases {
      let stream = client.beginWrite(as: nil)
      client.write(write, on: stream)
      #expect(client.status(stream)?.code == code)
    }
  }

  @Test func newRulesHoldForTheNextWriteOfAnOpenStream() {
    var client = TestClient(rules: "match /a/{id} { allow write; }")
    let stream = client.beginWrite(as: nil)
    client.write(TestClient.set("a/b"), on: stream)
    #expect(client.status(stream) == nil)
    client.upload(TestClient.whole("match /a/{id} { allow write: if false; }"))
    client.write(TestClient.set("a/b"), on: stream)
    #expect(
      client.status(stream)
        == CallStatus(
          .permissionDenied, "\nfalse for 'create' @ L2, false for 'update' @ L2"))
  }

  @Test func aVerifyWriteAsksGetAndKeepsPreconditions() throws {
    var client = TestClient(rules: "match /a/{id} { allow get: if id != 'secret'; }")
    client.commit(TestClient.set("a/b"), TestClient.set("a/secret"))
    func verify(_ path: String, exists: Bool) -> WireMessage {
      TestClient.ifExists(
        exists, WireMessage(.write) { $0[.writeVerify] = TestClient.name(path) })
    }
    let (messages, status) = client.commit(as: nil, verify("a/b", exists: true))
    #expect(status == .ok)
    #expect(messages.first?[.commitResponseWriteResults].first?[.writeResultUpdateTime] != nil)
    #expect(client.commit(as: nil, verify("a/b", exists: false)).status?.code == .alreadyExists)
    #expect(
      client.commit(as: nil, verify("a/secret", exists: true)).status
        == CallStatus(.permissionDenied, "\nfalse for 'get' @ L2"))
  }

  @Test func aDocumentOfAnotherDatabaseIsRefused() {
    var client = TestClient()
    let stream = client.beginWrite(as: "owner")
    var write = TestClient.set("a/b")
    write[.writeUpdate] = WireMessage(.document) {
      $0[.documentName] = "projects/other/databases/(default)/documents/a/b"
    }
    client.write(write, on: stream)
    #expect(client.status(stream)?.code == .invalidArgument)
  }
}
