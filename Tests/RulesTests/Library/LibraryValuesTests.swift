import Foundation
import RulesCheck
import Testing

/// Variables, dates, bytes and values of the app's own types in the data of requests.
@Suite struct LibraryValuesTests {
  /// A document of an app.
  private struct Profile: Encodable {
    struct Address: Encodable {
      var city: String
      var zip: Int?
    }

    var name: String
    var age = 7
    var height = 2.0
    var joined = Date(timeIntervalSince1970: 1_760_000_000.25)
    var key = Data([0, 1])
    var page = URL(string: "https://example.com/alice")
    var address = Address(city: "Bern")
    var tags = ["a", nil]
    var token: String?
  }

  private static let profile = """
    request.resource.data.keys().hasOnly([
      'name', 'age', 'height', 'joined', 'key', 'page', 'address', 'tags'])
    && request.resource.data.name == 'Alice' && request.resource.data.age is int
    && request.resource.data.height is float
    && request.resource.data.joined == timestamp.value(1760000000250)
    && request.resource.data.key is bytes && request.resource.data.key.size() == 2
    && request.resource.data.page == 'https://example.com/alice'
    && request.resource.data.address == {'city': 'Bern'}
    && request.resource.data.tags == ['a', null]
    """

  /// Rules that let a document be written under a condition, and read by its owner.
  private func rules(_ condition: String) throws -> Rules {
    try Rules(
      """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /users/{uid} {
            allow get: if request.auth.uid == uid && resource.data.name == 'Alice';
            allow list: if request.auth.uid == resource.data.owner;
            allow write: if \(condition);
          }
        }
      }
      """)
  }

  @Test func variablesAreClientsPathsAndFields() throws {
    let uid = "alice"
    let name = "Alice"
    let age = 7
    let none: String? = nil
    let at = Date(timeIntervalSince1970: 1_760_000_000)
    let rules = try rules(
      """
      request.auth.uid == uid && request.resource.data == {
        'name': 'Alice', 'age': 7, 'none': null, 'at': timestamp.value(1760000000000),
        'now': request.time, 'tags': ['a', 'Alice'], 'more': {'name': 'Alice', 'list': []},
        'size': 2.5}
      """)
    try rules.require(
      .allow,
      .create(
        "/users/\(uid)",
        data: [
          "name": name, "age": age, "none": none, "at": at, "now": .serverTimestamp,
          "tags": ["a", name],
          "more": ["name": .init(name), "list": []] as Rules.FieldValue, "size": 2.5,
        ], as: uid))
    try rules.require(.deny, .create("/users/\(uid)", data: ["name": name], as: "\(uid)2"))
  }

  @Test func literalsKeepTheirTypesWhateverStandsBesideThem() throws {
    let rules = try rules(
      "request.resource.data.a is int"
        + " && request.resource.data.b is float && request.resource.data.l[0] is int"
        + " && request.resource.data.l[1] is float")
    try rules.require(
      .allow, .set("/users/alice", data: ["a": 1, "b": 2.0, "l": [1, 2.5]], as: "alice"))
    let one = 1
    try rules.require(
      .allow,
      .set(
        "/users/alice", data: ["a": one, "b": 2.0, "l": [1, 2.5] as Rules.FieldValue], as: "alice"))
  }

  @Test func encodableValuesAreDocuments() throws {
    let rules = try rules(Self.profile)
    let profile = Profile(name: "Alice")
    try rules.require(.allow, .create("/users/alice", from: profile, as: "alice"))
    try rules.require(.allow, .set("/users/alice", from: profile, as: "alice"))
    try rules.require(.allow, .batch([.set("/users/alice", from: profile)], as: "alice"))
    let stored = rules.storing("/users/alice", from: profile)
    try stored.require(.allow, .get("/users/alice", as: "alice"))
    try stored.require(.allow, .update("/users/alice", from: ["age": 8], as: "alice"))
    try stored.require(.deny, .update("/users/alice", from: ["age": "8"], as: "alice"))
    let name = "Alice"
    try rules.storing(["/users/alice": ["name": name, "n": 1]])
      .require(.allow, .get("/users/alice", as: "alice"))
  }

  @Test func filtersAndClaimsOfTheTokenTakeVariables() throws {
    let uid = "alice"
    let rules = try rules("request.auth.token.role == 'staff' && request.auth.token.n == 1")
    let query = Rules.Request.list(
      "/users", where: [.field("owner", isEqualTo: uid)], orderBy: [.init(by: "n")], limit: 3,
      as: uid)
    try rules.require(.allow, query)
    try rules.require(.deny, .list("/users", where: [.field("owner", in: [uid, nil])], as: "bob"))
    let role = "staff"
    let staff = Rules.Client(uid: uid, claims: ["role": role, "n": 1])
    try rules.require(.allow, .delete("/users/alice", as: staff))
    #expect(staff == .user(uid, claims: ["role": role, "n": 1]))
    #expect(
      "\(query)"
        == #"alice lists /users where owner == "alice" sorted by n, at most 3"#)
  }

  @Test func incrementsAndUnionsTakeVariables() throws {
    let by = 2
    let name = "b"
    let rules = try rules("request.resource.data == {'n': 3, 'l': ['a', 'b'], 'm': ['x']}")
      .storing(["/users/alice": ["n": 1, "l": ["a"], "m": ["x", "b"]]])
    try rules.require(
      .allow,
      .update(
        "/users/alice",
        data: ["n": .increment(by), "l": .arrayUnion(["a", name]), "m": .arrayRemove([name])],
        as: "alice"))
  }

  @Test func whatCannotBeEncodedFailsTheRequestAndSaysWhy() throws {
    struct Refusing: Encodable {
      struct No: Error {}
      func encode(to encoder: any Encoder) throws { throw No() }
    }
    let rules = try rules("true")
    func reason(_ request: Rules.Request, in rules: Rules) -> String {
      let outcome = Result { () throws(Rules.Failure) in try rules.decide(request) }
      guard case .failure(let failure) = outcome else { return "decided" }
      #expect(failure.reason == .unusable)
      return failure.description
    }
    let big: Rules.Request = .set("/users/a", data: ["a": 1, "n": UInt64.max], as: "a")
    #expect(reason(big, in: rules).contains("18446744073709551615 is no integer of 64 bits"))
    let deep: Rules.Request = .set("/users/a", from: ["a": ["b": [UInt64.max]]], as: "a")
    #expect(reason(deep, in: rules).hasPrefix("a.b.0: "))
    let list: Rules.Request = .set("/users/a", from: [1], as: "a")
    #expect(
      reason(list, in: rules) == "a document is a map of fields; Array<Int> encodes as no map")
    let date: Rules.Request = .set("/users/a", from: Date(), as: "a")
    #expect(reason(date, in: rules).contains("Date encodes as no map"))
    let thrown: Rules.Request = .set("/users/a", from: Refusing(), as: "a")
    #expect(reason(thrown, in: rules) == "Refusing cannot be encoded: No()")
    let late = rules.storing(["/users/a": ["at": Date.distantFuture, "n": .init(Double.nan)]])
    #expect(reason(.get("/users/a", as: "a"), in: late) == "decided")
    let never = rules.storing("/users/a", from: ["at": Date(timeIntervalSince1970: 1e12)])
    #expect(reason(.get("/users/a", as: "a"), in: never).contains("the years 1 to 9999"))
    let dollar: Rules.Request = .set("/users/a", from: ["m": ["$unencodable": "x"]], as: "a")
    #expect(reason(dollar, in: rules) == "decided")
  }

  @Test func aFieldValueIsItselfWhereverItIsEncoded() throws {
    let value: Rules.FieldValue = [
      "a": [1, 2.5, nil, true], "at": .timestamp("2025-10-21T09:00:00Z"),
    ]
    #expect(Rules.FieldValue(value) == value)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(value), as: UTF8.self)
        == #"{"a":[1,2.5,null,true],"at":{"$timestamp":"2025-10-21T09:00:00Z"}}"#)
  }

  @Test func aMissingFileIsAFailureThatNamesIt() {
    let failure = #expect(throws: Rules.Failure.self) {
      try Rules(contentsOf: URL(fileURLWithPath: "/nowhere/firestore.rules"))
    }
    #expect(failure?.description == "/nowhere/firestore.rules: the file cannot be read")
  }

  // MARK: Sentences

  @Test(
    arguments: [
      (Rules.Request.get("/users/a", as: "bob"), "bob reads /users/a"),
      (.delete("/users/a", as: .signedOut), "someone signed out deletes /users/a"),
      (
        .update("/users/a", data: ["n": 1, "b": .delete], as: .user("eve", claims: ["x": 1])),
        #"eve with the claims {"x":1} updates /users/a with {"b":{"$delete":true},"n":1}"#
      ),
      (
        .set("/users/a", data: [:], merge: true, as: "bob").at("2029-01-01T00:00:00Z"),
        #"bob sets /users/a with {}, merging at "2029-01-01T00:00:00Z""#
      ),
      (.list(collectionGroup: "posts", as: "bob"), "bob lists the collection group posts"),
      (
        .batch([.create("/a/b", data: [:]), .delete("/a/c")], as: "bob"),
        "bob together creates /a/b with {}, deletes /a/c"
      ),
    ] as [(Rules.Request, String)])
  func aRequestIsASentence(_ request: Rules.Request, _ sentence: String) {
    #expect("\(request)" == sentence)
  }

  @Test func requestsClaimsAndClientsAreComparedByWhatTheySay() {
    let uid = "bob"
    let requests: Set<Rules.Request> = [
      .get("/a/b", as: "bob"), .get("/a/b", as: uid), .get("/a/b", as: "alice"),
      .get("/a/b", as: "bob").at("2029-01-01T00:00:00Z"),
    ]
    #expect(requests.count == 3)
    #expect(Rules.Client(uid: "bob") == "bob" && Rules.Client.signedOut != "bob")
    let claim = Rules.Claim.only(
      if: "request.auth.uid == uid", on: "/users/{uid}", methods: [.write], writes: ["a", "b"],
      given: "true", through: .any)
    #expect(claim != .never(on: "/users/{uid}"))
    #expect(Set([claim, claim]).count == 1)
    #expect(
      "\(claim)"
        == "/users/{uid}: write that changes a or b, given true, only if request.auth.uid == uid, "
        + "after any requests of the same client")
    #expect("\(Rules.Claim.keeps("resource.data.n >= 0", on: "/a/{b}"))".hasPrefix("/a/{b}: "))
    #expect("\(Rules.Step.deny(.get("/a/b", as: "bob")))" == "deny: bob reads /a/b")
  }
}
