import RulesCheck
import Testing

@Suite struct RulesTests {
  let rules: Rules

  init() throws { rules = try AppTests.rules.get() }

  @Test func onlyTheOwnerRefreshesTheToken() throws {
    try rules.expect(.allow, update: "/users/alice", data: ["fcmToken": "new"], as: "alice")
    try rules.expect(.deny, update: "/users/alice", data: ["fcmToken": "x"], as: "mallory")
    try rules.expect(.deny, update: "/users/alice", data: ["fcmToken": .delete], as: .signedOut)
  }

  @Test func membersReadTheirRooms() throws {
    try rules.expect(.allow, get: "/rooms/lobby", as: "bob")
    try rules.expect(.deny, get: "/rooms/lobby", as: "mallory")
    try rules.expect(
      .allow, list: "/rooms", where: [.field("members", arrayContains: "bob")], as: "bob")
    try rules.expect(.deny, list: "/rooms", as: "bob")
  }

  @Test func roomsCanBeMadeTogetherWithAProfile() throws {
    try rules.expect(
      .allow,
      batch: [
        .create("/users/carol", data: ["displayName": "Carol", "joined": .serverTimestamp]),
        .create("/rooms/new", data: ["members": ["carol"]]),
      ], as: "carol")
  }

  @Test func aStaffMemberIsNobodySpecial() throws {
    let staff = Rules.Client(uid: "eve", claims: ["role": "staff"])
    try rules.expect(.deny, delete: "/users/alice", as: staff)
  }

  /// What no single request can show.
  @Test func nobodyWritesTheTokenOfSomebodyElse() throws {
    try rules.expectProved(
      .init(
        on: "/users/{uid}", methods: [.write], writes: ["fcmToken"],
        .onlyIf("request.auth != null && request.auth.uid == uid")))
  }

  @Test func theSuiteOfTheCommandLinePasses() throws {
    try rules.expectPassed(suite: text(of: "firestore.suite.json"), file: "firestore.suite.json")
  }

  /// What a test that fails prints.
  @Test func aFailureShowsThePictureOfTheDenial() {
    let failure = #expect(throws: Rules.Failure.self) {
      try rules.expect(.allow, update: "/users/alice", data: ["fcmToken": "x"], as: "mallory")
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
