import RulesEval
import RulesLang

/// Random rules about posts whose readers and writers are distinguished by a document of their own, by a
/// field, by the path and by their tokens; and random requests to a post. Posts may be below a room.
struct AuditWorld {
  /// The rules.
  let text: String
  /// The rules, compiled; nil if they do not compile.
  let rules: Checked?

  /// True if the rules have statements for queries.
  private let hasLists: Bool
  /// True if each post is below a room.
  private let isBelowRoom: Bool

  private static let user = "/databases/$(database)/documents/users/$(request.auth.uid)"

  /// Functions that distinguish clients, some of which imply or exclude each other.
  private static let marks = [
    "exists(\(user))",
    "get(\(user)).data.role == 'admin'",
    "get(\(user)).data.role == 'banned'",
    "get(\(user)).data.role in ['admin', 'editor']",
    "request.auth.uid == id",
    "request.auth.uid in get(/databases/$(database)/documents/posts/$(id)).data.members",
    "request.auth.token.admin == true",
    "request.auth.token.role == 'staff'",
    "request.auth.token.email_verified == true",
    "request.auth.token.email.matches('.*@mail[.]example')",
    "request.auth.token.email == resource.data.author",
  ]
  private static let stored = [
    "resource.data.author == request.auth.uid", "request.auth.uid in resource.data.members",
    "resource.data.state == 'open'", "resource.data.state != 'shut'", "resource.data.state == id",
    "!(request.auth.uid in resource.data.members)",
    "resource.data.members.hasAny([request.auth.uid])",
  ]
  private static let sent = [
    "request.resource.data.author == request.auth.uid", "request.resource.data.state is string",
    "request.resource.data.keys().hasOnly(['state', 'author'])",
    "request.resource.data.state.size() < 5",
  ]
  private static let compared = [
    "request.resource.data.author == resource.data.author",
    "request.resource.data.state == resource.data.author",
    "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['state'])",
  ]

  private static let listed = [
    "id == 'alice'", "id != 'bob'", "id in ['alice', 'p']", "resource.id == 'alice'",
    "request.query.allDescendants", "request.query.ancestor == null",
    "request.query.ancestor == /databases/$(database)/documents/rooms/r",
    "request.query.limit <= 10", "request.path == null",
  ]

  /// Generates rules; `withLists` adds statements for queries of the collection and of its group.
  init(_ dice: inout Dice, withLists: Bool = false) {
    // Few marks, so that they meet in several statements.
    let marks = Array(dice.shuffled(Self.marks).prefix(dice.roll(1...3)))
    var body = ""
    for method in [Method.get, .create, .update, .delete] where dice.chance(80) {
      for _ in 0..<dice.roll(1...2) {
        let parts = marks + Self.parts(of: method) + ["request.auth != null"]
        body += "    allow \(method.word): if \(Self.condition(parts, &dice));\n"
      }
    }
    hasLists = withLists
    isBelowRoom = withLists && dice.chance(30)
    var (room, group) = ("", "")
    if withLists {
      room = isBelowRoom ? "/rooms/{room}" : ""
      body += Self.lists(marks, &dice)
      let lists = Self.lists(marks, &dice)
      if !lists.isEmpty { group = "    match /{path=**}/posts/{id} {\n\(lists)    }\n" }
    }
    text = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match \(room)/posts/{id} {
      \(body)    }
      \(group)  }
      }

      """
    rules = Checker.check(SourceText(name: "drawn.rules", text), profile: .emulator).checked
  }

  /// Returns up to two statements for queries.
  private static func lists(_ marks: [String], _ dice: inout Dice) -> String {
    (0..<dice.roll(0...2)).map { _ in
      let parts = listed + listed + marks + stored + ["request.auth != null"]
      return "    allow list: if \(condition(parts, &dice));\n"
    }.joined()
  }

  private static func parts(of method: Method) -> [String] {
    switch method {
    case .get, .list, .delete: stored
    case .create: sent
    case .update: stored + sent + compared
    }
  }

  private static func condition(_ parts: [String], _ dice: inout Dice) -> String {
    let count = dice.roll(1...3)
    let chosen = (0..<count).map { _ in
      let part = dice.pick(parts)
      return dice.chance(15) ? "!(\(part))" : part
    }
    return chosen.joined(separator: dice.chance(60) ? " && " : " || ")
  }

  // MARK: Requests

  /// A request to a post, with the stored documents.
  struct Access {
    /// The method of the request.
    var method: Method
    /// The document of the request.
    var document: DocumentPath
    /// The request.
    var request: Request
    /// The stored documents.
    var documents: Documents
    /// The fields of the post that the request changes.
    var changed: [Text]
    /// The request as made by a client whom no stored document mentions.
    var outside: Request
    /// The fields of the post that the outsider's request changes.
    var changedOutside: [Text]
    /// The query that returns the document; nil for other requests.
    var query: DrawnQuery?
  }

  /// A query that returns a post.
  struct DrawnQuery {
    /// The query.
    var query: Query
    /// True if its filters name the document.
    var isNamed = false
    /// True if its filters have another alternative.
    var hasAlternative = false
  }

  private static let names: [Text] = ["alice", "bob"]

  private static func post(_ dice: inout Dice) -> MapValue {
    var data = MapValue()
    if dice.chance(70) { data["author"] = .string(dice.pick(names)) }
    if dice.chance(50) { data["members"] = .list([.string(dice.pick(names))]) }
    if dice.chance(70) {
      data["state"] = dice.pick([.string("open"), .string("shut"), .string("closed"), .int(1)])
    }
    if dice.chance(15) { data["more"] = .bool(true) }
    return data
  }

  /// Generates a request.
  func access(_ dice: inout Dice) -> Access {
    let methods = [Method.get, .create, .update, .delete]
    let method = dice.pick(hasLists ? methods + [.list, .list] : methods)
    let room: [Text] = isBelowRoom ? ["rooms", "r"] : []
    let document = DocumentPath(room + ["posts", dice.pick(Self.names + ["p"])])
    var stored: [(DocumentPath, MapValue)] = []
    for name in Self.names where dice.chance(60) {
      var data = MapValue()
      if dice.chance(80) {
        data["role"] = dice.pick([.string("admin"), .string("editor"), .string("banned"), .null])
      }
      stored.append((DocumentPath(["users", name]), data))
    }
    let before = Self.post(&dice)
    let isThere = [.update, .list].contains(method) || method != .create && dice.chance(85)
    if isThere { stored.append((document, before)) }
    var after = before
    if method == .create || dice.chance(30) { after = Self.post(&dice) }
    if method == .update, dice.chance(70) {
      let other = Self.post(&dice)
      let name = dice.pick(["author", "members", "state", "more"] as [Text])
      after = before
      after[name] = other[name]
    }
    let sent = after
    let query = method == .list ? Self.query(document, before, &dice) : nil
    let request = Request(
      principal: Self.principal(&dice), time: .epoch,
      operation: query.map { .list($0.query) } ?? Self.operation(method, document, after))
    if dice.chance(50), after["author"] != nil { after["author"] = .string(Self.stranger) }
    var claims = MapValue()
    if dice.chance(30) { claims["email_verified"] = .bool(dice.chance(70)) }
    if dice.chance(50) { claims["email"] = .string(dice.pick(Self.addresses)) }
    let outside = Request(
      principal: Principal(uid: Self.stranger, claims: claims), time: .epoch,
      operation: query.map { .list($0.query) } ?? Self.operation(method, document, after))
    return Access(
      method: method, document: document, request: request, documents: Documents(stored),
      changed: method == .update ? SuiteWriter.changedKeys(from: before, to: sent) : [],
      outside: outside,
      changedOutside: method == .update ? SuiteWriter.changedKeys(from: before, to: after) : [],
      query: query)
  }

  private static let stranger: Text = "mallory"
  private static let addresses: [Text] = ["mallory@mail.example", "mallory@post.example"]

  private static func operation(
    _ method: Method, _ document: DocumentPath, _ after: MapValue
  ) -> Request.Operation {
    switch method {
    case .get, .list: .get([document])
    case .create:
      .commit([Write(to: document, .set(after, mask: nil), precondition: .missing)])
    case .update:
      .commit([Write(to: document, .set(after, mask: nil), precondition: .exists)])
    case .delete: .commit([Write(to: document, .delete)])
    }
  }

  /// Draws a query of the collection or of its group that returns a document, by its fields or its name.
  private static func query(
    _ document: DocumentPath, _ data: MapValue, _ dice: inout Dice
  ) -> DrawnQuery {
    let segments = document.segments
    var query = Query(
      parent: DocumentPath(Array(segments.dropLast(2))), collection: segments[segments.count - 2])
    query.isCollectionGroup = dice.chance(50)
    if query.isCollectionGroup, dice.chance(60) { query.parent = DocumentPath([]) }
    if dice.chance(40) { query.limit = 10 }
    var filters: [Query.Filter] = []
    // A query of a collection group below a document takes no filters on fields.
    if !query.isCollectionGroup || query.parent.segments.isEmpty {
      for (name, value) in data where dice.chance(50) {
        if case .list(let elements) = value, let first = elements.first, dice.chance(70) {
          filters.append(.field(FieldPath([name]), .arrayContains, first))
        } else {
          filters.append(.field(FieldPath([name]), .equal, value))
        }
      }
    }
    var drawn = DrawnQuery(query: query)
    if dice.chance(60) {
      drawn.isNamed = true
      let name = FieldPath(["__name__"])
      var named = [document]
      if dice.chance(30) {
        drawn.hasAlternative = true
        named.append(DocumentPath(segments.dropLast() + [dice.pick(names)]))
      }
      let values = named.map { Value.path($0.value(in: .standard)) }
      filters.append(
        drawn.hasAlternative
          ? .field(name, .in, .list(values)) : .field(name, .equal, values[0]))
    }
    drawn.query.filter = filters.isEmpty ? nil : filters.count == 1 ? filters[0] : .and(filters)
    return drawn
  }

  private static func principal(_ dice: inout Dice) -> Principal? {
    if dice.chance(15) { return nil }
    var claims = MapValue()
    if dice.chance(30) { claims["admin"] = .bool(dice.chance(70)) }
    if dice.chance(30) { claims["role"] = .string(dice.chance(70) ? "staff" : "guest") }
    if dice.chance(30) { claims["email_verified"] = .bool(dice.chance(70)) }
    return Principal(uid: dice.pick(names), claims: claims)
  }
}
