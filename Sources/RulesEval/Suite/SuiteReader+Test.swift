import RulesLang

// Reading a test: the user, the request and the expected result.

extension SuiteReader {
  /// The keys of operations, of which a test has exactly one.
  package static let operations = [
    "get", "list", "create", "set", "update", "delete", "batch",
  ]
  /// The verbs of writes.
  static let writeVerbs = ["create", "set", "update", "delete"]
  /// The keys that are allowed beside a write.
  static let writeCompanions = ["data", "merge"]
  private static let operationKeys = operations.map { Text($0) }
  private static let companions: [(key: Text, verbs: [String])] = [
    ("data", ["create", "set", "update"]), ("merge", ["set"]), ("query", ["list"]),
    ("collectionGroup", ["list"]),
  ]
  static let testKeys =
    ["name", "as", "time", "documents"] + operations
    + ["data", "merge", "query", "collectionGroup", "expect", "line", "errors"]

  /// Reads an element of `tests` and returns its tests: one for each principal.
  mutating func test(_ json: JSON, in outer: Context) -> [Test] {
    guard let object = object(json, as: "a test", known: Self.testKeys + ["steps"]) else {
      return []
    }
    var context = outer
    if let own = object["documents"] { context.documents += documents(own) }
    return tests(object, as: "test", in: context)
  }

  /// Returns the tests of an object whose keys and documents were read; `what` is its name in messages.
  mutating func tests(_ object: Object, as what: String, in outer: Context) -> [Test] {
    var context = outer
    if let own = object["time"].flatMap({ time($0, as: "time") }) { context.time = own }
    guard let expectation = expectation(object, of: what) else { return [] }
    guard let request = scripted(object, of: what) else { return [] }
    let line = object["line"].flatMap { int($0, as: "line") }
    let errors = object["errors"].flatMap { bool($0, as: "errors") }
    let given = object["name"].flatMap { string($0, as: "name") }.map { String($0) }
    guard let askers = askers(object, in: context) else { return [] }
    return askers.map { who in
      Test(
        name: given ?? Test.name(request.verb, request.path, by: who.name),
        groups: context.groups, principalName: who.name, documents: context.documents,
        subject: .operation(request.operation), principal: who.principal, time: context.time,
        verb: request.verb, path: request.path, expectation: expectation,
        expectedLine: line.map { Int(truncatingIfNeeded: $0) }, expectsErrors: errors,
        unsupported: request.unsupported, range: object.range, isOfList: askers.count > 1)
    }
  }

  private mutating func expectation(_ object: Object, of what: String) -> Test.Expectation? {
    guard let json = object["expect"] else {
      report(
        "the \(what) has no \"expect\"", at: object.range, help: "expect \"allow\" or \"deny\"")
      return nil
    }
    guard case .string(let word) = json.kind else {
      report("expect is \"allow\" or \"deny\", this is \(json.kindName)", at: json.range)
      return nil
    }
    switch word {
    case "allow": return .allow
    case "deny": return .deny
    default:
      report("expect is \"allow\" or \"deny\", this is \"\(String(word))\"", at: json.range)
      return nil
    }
  }

  // MARK: Principals

  /// Maximum tests made by lists in `as`: a short text must not become one that fills the memory.
  private static let maximumListed = 100_000

  typealias Who = (name: String?, principal: Principal?)

  /// Returns the clients of an object's tests; nil if they would be too many.
  private mutating func askers(_ object: Object, in context: Context) -> [Who]? {
    let said = object["as"]
    if said == nil, context.askers == nil { unstatedAskers.add(object.range) }
    let askers = said == nil ? context.askers ?? [(nil, nil)] : principals(said, in: context)
    guard askers.count > 1 else { return askers }
    let before = listedAskers
    listedAskers += askers.count
    guard listedAskers > Self.maximumListed else { return askers }
    if before <= Self.maximumListed {
      report(
        "the \"as\" lists make more than \(Self.maximumListed) tests", at: object.range,
        help: "one user of each kind is enough")
    }
    return nil
  }

  /// Reads the clients: signed out if the key is missing, or one or several of the users.
  mutating func principals(_ json: JSON?, in context: Context) -> [Who] {
    guard let json else { return [(nil, nil)] }
    guard case .array(let elements) = json.kind else {
      return who(json, in: context).map { [$0] } ?? []
    }
    if elements.isEmpty {
      report("\"as\" is empty; null is a signed-out client", at: json.range)
    }
    return elements.compactMap { who($0, in: context) }
  }

  /// Returns the advice to add the first user.
  private static func firstUser(_ name: String) -> String {
    "add \"users\": {\"\(name)\": \"\(name)\"} to the suite"
  }

  private mutating func who(_ json: JSON, in context: Context) -> Who? {
    switch json.kind {
    case .null: return (nil, nil)
    case .string(let name):
      if let known = context.users.first(where: { $0.name == name }) {
        return (String(name), known.principal)
      }
      let names = context.users.map { String($0.name) }
      let nearest = Spelling.nearest(to: String(name), among: names)
      report(
        "the suite has no user \"\(String(name))\"", at: json.range,
        help: name == "null"
          ? "without quotes, null is a client that is not signed in"
          : nearest.map { "did you mean \"\($0)\"?" }
            ?? (names.isEmpty ? Self.firstUser(String(name)) : "add it under \"users\"")
            + ", or write {\"uid\": \"\(String(name))\"}")
      return nil
    case .bool, .number, .array, .object:
      guard let principal = principal(json) else { return nil }
      guard case .string(let uid) = principal.uid else { return (nil, principal) }
      return (String(uid), principal)
    }
  }

  // MARK: Operations

  /// The operation of a test.
  struct Scripted {
    var operation: Request.Operation
    var verb: String
    var path: String
    var unsupported: String?
  }

  /// Reads the one operation of a test.
  mutating func scripted(_ object: Object, of what: String = "test") -> Scripted? {
    let members = object.members.filter { Self.operationKeys.contains($0.key) }
    guard members.count == 1, let member = members.first else {
      let present = Self.operations.filter { object[$0] != nil }
      // An unknown key has been reported, with the operation to write instead.
      if present.isEmpty, ["read", "write"].contains(where: { object[$0] != nil }) { return nil }
      let all = Self.operations.joined(separator: ", ")
      report(
        present.isEmpty
          ? "the \(what) does nothing"
          : "the \(what) does more than one thing: "
            + present.joined(separator: ", "),
        at: object.range, help: "give it one of \(all)")
      return nil
    }
    let verb = String(member.key)
    checkCompanions(in: object, of: verb)
    switch verb {
    case "get":
      return path(member.value).map {
        Scripted(operation: .get([$0]), verb: verb, path: String($0.text))
      }
    case "list": return list(member.value, in: object)
    case "batch": return batch(member.value)
    default:
      guard let write = write(verb, member: member, in: object) else { return nil }
      return Scripted(operation: .commit([write]), verb: verb, path: String(write.path.text))
    }
  }

  /// Reports keys that have no meaning beside the operation.
  private mutating func checkCompanions(in object: Object, of verb: String) {
    for (key, verbs) in Self.companions where !verbs.contains(verb) {
      if let member = object.member(key) {
        report("\"\(String(key))\" means nothing beside \"\(verb)\"", at: member.keyRange)
      }
    }
  }

  private mutating func path(_ json: JSON) -> DocumentPath? {
    guard let text = string(json, as: "the path") else { return nil }
    return documentPath(text, at: json.range)
  }

  private mutating func batch(_ json: JSON) -> Scripted? {
    guard let elements = array(json, as: "batch") else { return nil }
    if elements.isEmpty { report("the batch is empty", at: json.range) }
    let verbs = Self.writeVerbs
    var writes: [Write] = []
    for element in elements {
      guard let object = object(element, as: "a write", known: verbs + Self.writeCompanions) else {
        return nil
      }
      let present = verbs.filter { object[Text($0)] != nil }
      guard present.count == 1, let member = object.member(Text(present[0])) else {
        report("a write is one of \(verbs.joined(separator: ", "))", at: element.range)
        return nil
      }
      checkCompanions(in: object, of: present[0])
      if let write = write(present[0], member: member, in: object) { writes.append(write) }
    }
    guard writes.count == elements.count else { return nil }
    let paths = writes.map { String($0.path.text) }.joined(separator: ", ")
    return Scripted(operation: .commit(writes), verb: "batch", path: paths)
  }

  private mutating func write(_ verb: String, member: JSON.Member, in object: Object) -> Write? {
    guard let path = path(member.value) else { return nil }
    if verb == "delete" { return Write(to: path, .delete) }
    guard let data = object["data"] else {
      report("\"\(verb)\" needs \"data\"", at: member.keyRange)
      return nil
    }
    switch verb {
    case "create":
      return WriteReader.read(data, at: path, scope: .whole, precondition: .missing, with: &self)
    case "update":
      return WriteReader.read(data, at: path, scope: .update, precondition: .exists, with: &self)
    default:
      guard let scope = mergeScope(object["merge"]) else { return nil }
      return WriteReader.read(data, at: path, scope: scope, precondition: .none, with: &self)
    }
  }

  private mutating func mergeScope(_ json: JSON?) -> WriteReader.Scope? {
    guard let json else { return .whole }
    switch json.kind {
    case .bool(let merges): return merges ? .mergeAll : .whole
    case .array(let elements):
      var fields: [FieldPath] = []
      for element in elements {
        guard let text = string(element, as: "a merged field") else { return nil }
        guard let field = FieldPath(text) else {
          report("\"\(String(text))\" is not a field path", at: element.range)
          return nil
        }
        fields.append(field)
      }
      return .merge(fields)
    case .null, .number, .string, .object:
      report("merge is true or a list of field paths, this is \(json.kindName)", at: json.range)
      return nil
    }
  }
}
