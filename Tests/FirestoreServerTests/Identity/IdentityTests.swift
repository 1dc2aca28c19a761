import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// The header `authorization`.
@Suite struct IdentityTests {
  private static func part(_ text: String) -> String {
    String(Base64.urlSafe.text(of: Array(text.utf8)))
  }

  private static let head = part(#"{"alg":"none"}"#)

  @Test(arguments: [
    "Bearer owner", "bearer OWNER", "BEARER Owner", "Bearer ya29.a0AfH6SM", "bearer ya29.",
  ])
  func administratorsAreKnownByTheirTokens(_ value: String) throws {
    #expect(try Caller(authorization: value).isAdmin)
  }

  @Test func nobodyIsSignedInWithoutTheHeader() throws {
    let caller = try Caller(headers: [HTTPHeader("content-type", "application/grpc")])
    #expect(!caller.isAdmin && caller.principal == nil)
  }

  @Test func claimsOfTokensComeBackAndDamageMakesNoAdministrator() {
    var taken = 0
    for seed in UInt64(0)..<600 {
      let outcome = TokenTrial.play(seed: seed)
      if case .failed(let problem) = outcome { Issue.record("seed \(seed): \(problem)") }
      if outcome == .taken { taken += 1 }
    }
    #expect((300..<600).contains(taken))
  }

  @Test func ofTwoHeadersTheLastCounts() throws {
    let caller = try Caller(headers: [
      HTTPHeader("authorization", "Bearer owner"),
      HTTPHeader("authorization", "Bearer " + TestClient.user("alice")),
    ])
    var uid: Text?
    if case .string(let text)? = caller.principal?.uid { uid = text }
    #expect(uid == "alice")
  }

  @Test(arguments: [
    "Bearer a.b", "Bearer null", "Bearer admin", "Bearer ", "Bearer a.b.c",
    "Bearer \(head).\(part("[]")).", "Bearer \(head).\(part("{")).",
    "Bearer \(part("x")).\(part("{}")).",
    // Standard base 64.
    "Bearer \(head).eyJhIjoi/+J9.", "Bearer \(head).\(part("{}")).x.y",
  ])
  func whatIsNoTokenIsRefusedForGood(_ value: String) {
    #expect(throws: CallStatus(.invalidArgument, "invalid jwt")) {
      try Caller(authorization: value)
    }
  }

  @Test(arguments: ["owner", "Basic YTpi", "Firebase x", "", "Bearer"])
  func otherSchemesAreRefusedForGood(_ value: String) throws {
    let error = #expect(throws: CallStatus.self) { try Caller(authorization: value) }
    #expect(error?.code == .invalidArgument)
  }

  @Test(arguments: [
    (#"{"sub":"alice"}"#, "alice"), (#"{"sub":""}"#, ""), (#"{"sub":7}"#, nil),
    (#"{"user_id":"alice","uid":"alice"}"#, nil), ("{}", nil),
  ])
  func theUserIDIsTheClaimSubIfThatIsText(_ claims: String, _ uid: String?) throws {
    let caller = try Caller(authorization: "Bearer " + TestClient.token(claims))
    let principal = try #require(caller.principal)
    switch principal.uid {
    case .string(let text): #expect(String(text) == uid)
    default: #expect(uid == nil)
    }
  }

  @Test func claimsAreTakenAsTheyAre() throws {
    let claims = #"{"iss":"https://x/p","exp":3600,"a":[1,1.5,2.0],"m":{"b":null,"c":true}}"#
    let caller = try Caller(authorization: "Bearer " + TestClient.token(claims))
    let token = try #require(caller.principal?.token)
    #expect(JSONText(Value.map(token)).compact.contains(#""value":"2""#))
    #expect(token.keys.map { String($0) } == ["iss", "exp", "a", "m"])
  }

  @Test func severalUsersShareAConnection() {
    var client = TestClient(
      rules: """
        match /users/{uid} { allow read, write: if request.auth.uid == uid; }
        match /open/{id} { allow read: if request.auth == null; }
        """)
    let alice = client.beginWrite(as: TestClient.user("alice"))
    let bob = client.beginWrite(as: TestClient.user("bob"))
    let nobody = client.listen(as: nil, TestClient.listen(to: "open/a", as: 2))
    client.write(TestClient.set("users/alice"), on: alice)
    client.write(TestClient.set("users/alice"), on: bob)
    #expect(client.status(alice) == nil)
    #expect(client.take(alice, as: .writeResponse).count == 2)
    #expect(client.status(bob)?.code == .permissionDenied)
    #expect(client.heard(nobody) == ["ADD 2", "MISSING 2 open/a", "CURRENT 2", "SNAPSHOT"])
    #expect(client.get(as: TestClient.user("bob"), "users/alice").status?.code == .permissionDenied)
    #expect(client.get(as: TestClient.user("alice"), "users/alice").status == .ok)
  }
}
