import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// Uploads of rules, and which rules are in force.
@Suite struct RulesUploadTests {
  private static let closed = TestClient.whole("match /{d=**} { allow read, write: if false; }")

  private static func isOpen(_ client: inout TestClient) -> Bool {
    client.commit(as: nil, TestClient.set("a/b")).status == .ok
  }

  @Test func aDatabaseWithoutRulesIsOpen() {
    var client = TestClient()
    #expect(Self.isOpen(&client))
    #expect(
      client.http("GET", "/emulator/v1/projects/demo:securityRules").body.contains("OPEN_RULES"))
    #expect(client.server.takeNotices().isEmpty)
  }

  @Test func rulesThatCompileAreInForceAtOnce() {
    var client = TestClient()
    let answer = client.upload(Self.closed)
    #expect(answer.status == 200 && answer.body == "{\n}\n")
    #expect(!Self.isOpen(&client))
    #expect(client.commit(TestClient.set("a/b")).status == .ok)
    let shown = client.http("GET", "/emulator/v1/projects/demo:securityRules")
    #expect(shown.status == 200 && shown.body.contains("allow read, write: if false;"))
    #expect(client.http("POST", "/emulator/v1/projects/demo:securityRules").status == 404)
  }

  @Test func oldRulesStayIfNewOnesDoNotCompile() {
    var client = TestClient()
    client.upload(Self.closed)
    let answer = client.upload(
      "rules_version = '2'; service cloud.firestore { match /a/{b} { allow read; } } }")
    #expect(answer.status == 400)
    #expect(
      answer.body
        == #"{"error":{"code":400,"message":"Error compiling rules:\nL1:79 Unexpected '}'.","#
        + #""status":"INVALID_ARGUMENT"}}"#)
    #expect(!Self.isOpen(&client))
  }

  @Test func brokenRulesRefuseEverybodyIfErrorsAreIgnored() {
    var client = TestClient()
    let answer = client.upload("broken", ignoringErrors: true)
    #expect(answer.status == 200 && answer.body.contains("\"severity\": \"ERROR\""))
    for token in [nil, "owner"] {
      let status = client.commit(as: token, TestClient.set("a/b")).status
      #expect(status?.code == .invalidArgument)
      #expect(status?.message.hasPrefix("Error compiling rules:\nL1:1 ") == true)
    }
    let stream = client.listen(TestClient.listen(to: "a/b", as: 2))
    #expect(client.status(stream)?.code == .invalidArgument)
    client.upload(Self.closed)
    #expect(client.commit(TestClient.set("a/b")).status == .ok)
  }

  @Test func emptyRulesAreRefused() {
    var client = TestClient()
    let answer = client.upload("")
    #expect(answer.status == 400)
    #expect(answer.body.contains(#"\nL0:0 Rules content empty. Compilation aborted."#))
  }

  @Test(arguments: [
    ("{}", 500, #"{"error":{"code":500,"status":"UNKNOWN"}}"#),
    (#"{"rules":{"files":[]}}"#, 500, #"{"error":{"code":500,"status":"UNKNOWN"}}"#),
    (
      "rules", 400,
      #"{"error":{"code":400,"message":"Payload isn't valid for request.","status":"INVALID_ARGUMENT"}}"#
    ),
  ])
  func bodiesThatAreNoRulesAreRefused(_ body: String, _ status: Int, _ text: String) {
    var client = TestClient()
    let answer = client.http("PUT", "/emulator/v1/projects/demo:securityRules", body)
    #expect(answer.status == status && answer.body == text)
  }

  @Test func warningsComeWithTheAnswer() {
    var client = TestClient()
    let answer = client.upload(
      "service cloud.firestore { match /databases/{d}/documents { match /a/{b} { allow read: if x; } } }"
    )
    #expect(answer.status == 200)
    let json = JSON(body: Array(answer.body.utf8))
    let issues = json?.member("issues")?.elements ?? []
    let first = issues.first
    #expect(first?.member("severity")?.text == Text("WARNING"))
    #expect(first?.member("sourcePosition").map { JSONText($0).compact } == "{}")
    #expect(
      issues.last?.member("sourcePosition").map { JSONText($0).compact }
        == #"{"line":1,"column":90,"currentOffset":89,"endOffset":89}"#)
  }

  @Test(arguments: [
    "", "content-type: text/plain;charset=UTF-8", "content-type: application/json",
    "content-type: application/x-www-form-urlencoded",
  ])
  func anyContentTypeWillDo(_ header: String) {
    var client = TestClient()
    let body = JSONText.object([
      (
        "rules",
        .object([("files", .array([.object([("content", .string(Self.closed))])]))])
      )
    ]).compact
    let answer = client.http(
      "PUT", "/emulator/v1/projects/demo:securityRules", body,
      headers: header.isEmpty ? [] : [header])
    #expect(answer.status == 200)
    #expect(!Self.isOpen(&client))
  }

  @Test func rulesOfTheProjectAreThoseOfItsDefaultDatabase() {
    var client = TestClient()
    client.upload(Self.closed)
    func set(_ database: Text) -> CallStatus? {
      client.unary(
        .commit, as: nil,
        WireMessage(.commitRequest) {
          $0[.commitRequestDatabase] = database
          $0[.commitRequestWrites] = [
            WireMessage(.write) {
              $0[.writeUpdate] = WireMessage(.document) {
                $0[.documentName] = database + "/documents/a/b"
              }
            }
          ]
        }
      ).status
    }
    #expect(set("projects/demo/databases/(default)")?.code == .permissionDenied)
    #expect(set("projects/demo/databases/other") == .ok)
    #expect(set("projects/another/databases/(default)") == .ok)
    // Said once.
    #expect(set("projects/demo/databases/other") == .ok)
    #expect(client.server.takeNotices().count == 1)
    client.upload(
      Self.closed, to: "/emulator/v1/projects/demo/databases/other:securityRules")
    #expect(set("projects/demo/databases/other")?.code == .permissionDenied)
  }

  @Test func rulesOfTheCommandLineHoldForAllProjectsUntilOthersAreUploaded() {
    var client = TestClient(rules: "match /{d=**} { allow read, write: if false; }")
    #expect(!Self.isOpen(&client))
    client.upload(TestClient.whole("match /{d=**} { allow read, write; }"))
    #expect(Self.isOpen(&client))
    client.server.replaceRules([:], general: RulesFile(name: nil, content: Self.closed))
    #expect(Self.isOpen(&client))
  }
}
