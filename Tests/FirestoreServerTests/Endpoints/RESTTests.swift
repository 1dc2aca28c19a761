import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// Calls over REST.
@Suite struct RESTTests {
  private static let root = "/v1/projects/demo/databases/(default)/documents"
  private static let owner = ["Authorization: Bearer owner"]

  @Test func documentsAreWrittenAndReadAsJSON() {
    var client = TestClient(rules: "match /a/{id} { allow get: if id == 'b'; }")
    let made = client.http(
      "POST", Self.root + "/a?documentId=b", #"{"fields":{"x":{"integerValue":"1"}}}"#,
      headers: Self.owner)
    #expect(made.status == 200)
    let read = client.http("GET", Self.root + "/a/b")
    #expect(read.status == 200)
    #expect(
      read.body.hasPrefix(
        """
        {
          "name": "projects/demo/databases/(default)/documents/a/b",
          "fields": {
            "x": {
              "integerValue": "1"
            }
          },
          "createTime": "
        """))
    #expect(read.body.hasSuffix("\"\n}\n"))
    let patched = client.http(
      "PATCH", Self.root + "/a/b?updateMask.fieldPaths=y&currentDocument.exists=true",
      #"{"fields":{"y":{"booleanValue":true}}}"#, headers: Self.owner)
    #expect(patched.status == 200 && patched.body.contains("integerValue"))
    #expect(
      client.http("GET", Self.root + "/a/b?mask.fieldPaths=y").body.contains("integerValue")
        == false)
    let deleted = client.http("DELETE", Self.root + "/a/b", headers: Self.owner)
    #expect(deleted.status == 200 && deleted.body == "{\n}\n")
  }

  @Test func errorsAreObjects() {
    var client = TestClient(rules: "match /a/{id} { allow get: if id == 'b'; }")
    let denied = client.http("GET", Self.root + "/a/c")
    #expect(denied.status == 403)
    #expect(
      denied.body
        == #"{"error":{"code":403,"message":"\nfalse for 'get' @ L2","status":"PERMISSION_DENIED"}}"#
    )
    let missing = client.http("GET", Self.root + "/a/b")
    #expect(missing.status == 404)
    #expect(
      missing.body.contains(
        #"Document (projects\/demo\/databases\/(default)\/documents\/a\/b) not found."#))
    #expect(client.http("POST", Self.root + ":commit", "x").body.contains("Payload isn't valid"))
    #expect(client.http("POST", Self.root + ":commit", #"{"x":1}"#).status == 400)
    let bad = client.http("GET", Self.root + "/a/b", headers: ["Authorization: Bearer x"])
    #expect(bad.status == 400 && bad.body.contains("invalid jwt"))
  }

  @Test func methodsThatStreamAnswerWithAList() {
    var client = TestClient()
    let name = "projects/demo/databases/(default)/documents/a/b"
    let commit = client.http(
      "POST", Self.root + ":commit",
      #"{"writes":[{"update":{"name":"\#(name)","fields":{"x":{"integerValue":"1"}}}}]}"#)
    #expect(commit.status == 200 && commit.body.contains("\"commitTime\""))
    let got = client.http(
      "POST", Self.root + ":batchGet", #"{"documents":["\#(name)","\#(name)2"]}"#)
    #expect(got.body.hasPrefix("[\n{\n  \"found\"") && got.body.hasSuffix("}\n]\n"))
    #expect(JSON(body: Array(got.body.utf8))?.elements?.count == 2)
    let found = client.http(
      "POST", Self.root + ":runQuery", #"{"structuredQuery":{"from":[{"collectionId":"a"}]}}"#)
    #expect(JSON(body: Array(found.body.utf8))?.elements?.count == 1)
    let counted = client.http(
      "POST", Self.root + ":runAggregationQuery",
      #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"a"}]},"#
        + #""aggregations":[{"alias":"n","count":{}}]}}"#)
    #expect(counted.body.contains("\"integerValue\": \"1\""))
    let listed = client.http("GET", Self.root + "/a?pageSize=5")
    #expect(listed.body.contains(name))
  }
}
