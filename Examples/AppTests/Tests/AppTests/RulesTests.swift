import Foundation
import RulesCheck
import RulesCheckTesting
import Testing

@Suite struct RulesTests {
  let rules: Rules

  init() throws { rules = try AppTests.rules.get() }

  @Test func onlyTheOwnerRefreshesTheToken() {
    rules.expect(.allow, .update("/users/alice", data: ["fcmToken": "new"], as: "alice"))
    rules.expect(.deny, .update("/users/alice", data: ["fcmToken": "x"], as: "mallory"))
    rules.expect(.deny, .update("/users/alice", data: ["fcmToken": .delete], as: .signedOut))
  }

  @Test func membersReadTheirRooms() {
    rules.expect(.allow, .get("/rooms/lobby", as: "bob"))
    rules.expect(.deny, .get("/rooms/lobby", as: "mallory"))
    rules.expect(
      .allow, .list("/rooms", where: [.field("members", arrayContains: "bob")], as: "bob"))
    rules.expect(.deny, .list("/rooms", as: "bob"))
  }

  @Test func roomsCanBeMadeTogetherWithAProfile() {
    let name = "Carol"
    rules.expect(
      .allow,
      .batch(
        [
          .create("/users/carol", data: ["displayName": name, "joined": .serverTimestamp]),
          .create("/rooms/new", data: ["members": ["carol"], "made": Date()]),
        ], as: "carol"))
  }

  /// A document of the app.
  struct Profile: Encodable {
    var displayName: String
    var joined: Date
    var avatar: Data
  }

  @Test func aProfileIsWhatTheAppWrites() {
    let profile = Profile(displayName: "Carol", joined: Date(), avatar: Data([1, 2]))
    rules.expect(.allow, .create("/users/carol", from: profile, as: "carol"))
  }

  @Test(
    arguments: ["mallory", .user("eve", claims: ["role": "staff"]), .signedOut] as [Rules.Client])
  func nobodyElseDeletesAProfile(_ client: Rules.Client) {
    rules.expect(.deny, .delete("/users/alice", as: client))
  }

  @Test func whoLeavesARoomIsOut() {
    rules.expect(steps: [
      .allow(.update("/rooms/lobby", data: ["members": .arrayRemove(["bob"])], as: "bob")),
      .deny(.get("/rooms/lobby", as: "bob")),
    ])
  }

  /// What no single request can show.
  @Test func nobodyWritesTheTokenOfSomebodyElse() {
    rules.expect(
      .proved,
      .only(
        if: "request.auth != null && request.auth.uid == uid", on: "/users/{uid}",
        methods: [.write], writes: ["fcmToken"]))
  }

  @Test func theSuiteOfTheCommandLinePasses() {
    rules.expectPassed(suiteAt: file("firestore.suite.json"))
  }

  /// What a test that fails prints.
  @Test func aFailureShowsThePictureOfTheDenial() {
    let failure = #expect(throws: Rules.Failure.self) {
      try rules.require(.allow, .update("/users/alice", data: ["fcmToken": "x"], as: "mallory"))
    }
    #expect(failure?.reason == .unexpected)
    let lines = [
      "expected allow, the rules deny it", "update /users/alice as mallory",
      #"why: `request.auth.uid == userID` is false: "mallory" vs "alice" (6:47)"#,
      "allow write: if request.auth != null && request.auth.uid == userID;",
    ]
    for line in lines { #expect(failure?.description.contains(line) == true, "\(line)") }
  }
}
