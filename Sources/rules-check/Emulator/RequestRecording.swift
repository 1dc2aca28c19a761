import FirestoreServer
import RulesEval
import RulesLang
import RulesProofReport

/// The requests that a command made, without repetitions, grouped by the rules that decided them.
struct RequestRecording {
  /// The requests to one database under one version of its rules.
  struct Group {
    /// The rules.
    var engine: Engine
    /// The requests, in the order of their first occurrence.
    var requests: [Recorded] = []
    /// The number of requests that suites cannot express.
    var leftOut = 0
  }

  /// A request with the documents on which it depends.
  struct Recorded {
    /// The request, reduced to what the decision depends on.
    var request: Request
    /// The documents that it depends on.
    var documents: Documents
    /// True if the rules allow it.
    var isAllowed: Bool
    /// The client and the request in words: `alice may not update /users/bob`.
    var name: String
    /// The request in forms of tests without names, with IDs that are the same in each run; the best form
    /// first.
    var tests: [JSON]
  }

  /// The groups, in the order of their first request.
  private(set) var groups: [Group] = []
  private var known: Set<String> = []
  private var names: [String: Int] = [:]

  /// Adds a request, unless it is a repetition or no rules decided it.
  mutating func add(_ call: DecidedCall) {
    guard let rules = call.rules, let decision = call.decision else { return }
    let place = groups.firstIndex { $0.engine.rules.isSame(as: rules) } ?? groups.endIndex
    if place == groups.endIndex { groups.append(Group(engine: Engine(rules))) }
    let engine = groups[place].engine
    let time = groups[place].requests.first?.request.time ?? call.request.time
    let request = Self.plain(call.request, at: time, decision, by: engine, on: call.documents)
    let expected: Test.Expectation = decision.isAllowed ? .allow : .deny
    guard
      let exact = SuiteWriter.sent(
        named: "", request, on: call.documents, expect: expected, time: time)
    else { return groups[place].leftOut += 1 }
    let drawn = AutomaticIDs(in: Self.paths(request) + call.documents.all.map { $0.path })
    let lasting = drawn.replaced(in: exact)
    let key = JSONText(lasting.blurring(around: call.request.time)).compact
    guard known.insert("\(place) " + key).inserted else { return }
    groups[place].requests.append(
      Recorded(
        request: request, documents: call.documents, isAllowed: decision.isAllowed,
        name: name(of: request, decision, drawn, in: place),
        tests: drawn.isEmpty ? [exact] : [lasting, exact]))
  }

  private static func paths(_ request: Request) -> [DocumentPath] {
    switch request.operation {
    case .get(let paths): paths
    case .list(let query): [DocumentPath(query.parent.segments + [query.collection])]
    case .commit(let writes): writes.map { $0.path }
    }
  }

  /// Returns the request in a simpler form, if verdict and tried statements stay the same: without the claims
  /// that tokens of test libraries always have, at the time of the group's first request, and with IDs as if
  /// the client had chosen them; else with such IDs alone; else unchanged.
  private static func plain(
    _ request: Request, at time: Timestamp, _ decision: Decision, by engine: Engine,
    on documents: Documents
  ) -> Request {
    var plain = request
    plain.time = time
    if case .string(let uid)? = request.principal?.uid, let token = request.principal?.token {
      var claims = token
      for name in Self.usualClaims { claims[name] = nil }
      if case .map(let firebase)? = claims[Self.firebase],
        case .map(let identities)? = firebase[Self.identities], identities.count == 0
      {
        var own = firebase
        own[Self.identities] = nil
        claims[Self.firebase] = .map(own)
      }
      plain.principal = Principal(uid: uid, claims: claims)
    }
    plain.operation = named(request.operation)
    var namedAlone = request
    namedAlone.operation = plain.operation
    return [plain, namedAlone].first { simpler in
      (try? engine.decide(simpler, on: documents)).map { $0.isSame(as: decision) } == true
    } ?? request
  }

  /// Returns the operation with IDs that the server drew as if the client had chosen them.
  private static func named(_ operation: Request.Operation) -> Request.Operation {
    guard case .commit(var writes) = operation else { return operation }
    for place in writes.indices { writes[place].hasDrawnID = false }
    return .commit(writes)
  }

  /// Claims in every user token of test libraries.
  private static let usualClaims: [Text] = ["iss", "aud", "iat", "exp", "auth_time"]
  private static let firebase: Text = "firebase"
  private static let identities: Text = "identities"

  /// Returns a name that no other request of the group has.
  private mutating func name(
    of request: Request, _ decision: Decision, _ drawn: AutomaticIDs, in group: Int
  ) -> String {
    var who = request.principal == nil ? "a signed-out client" : "a user without an ID"
    if case .string(let uid)? = request.principal?.uid { who = String(uid) }
    let access = decision.accesses.first?.access
    let path = String(drawn.replaced(in: Text(access?.pathText ?? "/")))
    // The path of a query ends in any document of the collection.
    let place = path.hasSuffix("/?") ? String(path.dropLast(2)) : path
    var what = "\(access?.method.word ?? "read") \(place)"
    if case .commit(let writes) = request.operation, writes.count > 1 {
      what = "write \(Set(writes.map { $0.path }).count) documents at once"
    }
    let name = "\(who) may \(decision.isAllowed ? "" : "not ")\(what)"
    let count = (names["\(group) \(name)"] ?? 0) + 1
    names["\(group) \(name)"] = count
    return count == 1 ? name : "\(name) (\(count))"
  }
}

extension Checked {
  /// True if both have the same text and database.
  fileprivate func isSame(as other: Checked) -> Bool {
    database == other.database && ruleset.source.bytes == other.ruleset.source.bytes
  }
}

extension Decision {
  /// True if both have the same verdict and tried the same statements with the same outcomes.
  fileprivate func isSame(as other: Decision) -> Bool {
    guard isAllowed == other.isAllowed, tried.count == other.tried.count else { return false }
    return zip(tried, other.tried).allSatisfy { one, two in
      switch (one.result, two.result) {
      case (.granted, .granted), (.refused, .refused), (.failed, .failed): one.allow == two.allow
      case (.granted, _), (.refused, _), (.failed, _): false
      }
    }
  }
}
