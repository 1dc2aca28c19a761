public import RulesLang

// The outer form of a suite: rules, users, documents, groups and tests.

extension SuiteReader {
  /// The keys of a suite.
  static let suiteKeys = [
    "rules", "database", "description", "time", "users", "documents", "tests", "claims", "$schema",
  ]
  /// The keys of a group of tests.
  static let groupKeys = ["group", "description", "as", "time", "documents", "tests"]
  /// The keys of a user with claims.
  static let userKeys = ["uid", "token"]

  /// Parses a suite; nil, with reports, if something in it is wrong.
  ///
  /// - Parameters:
  ///   - source: The text.
  ///   - database: The suite's database; if it is nil, the one that the suite names, else `(default)`.
  public static func read(
    _ source: SourceText, database: DatabaseName? = nil
  ) -> (suite: Suite?, diagnostics: [Diagnostic]) {
    do throws(JSONProblem) {
      return read(try JSONParser.parse(source), in: source, database: database)
    } catch {
      var reader = SuiteReader(in: database ?? .standard)
      reader.report(error.message, at: error.range)
      return (nil, reader.diagnostics)
    }
  }

  /// Reads a parsed suite; `source` is only for positions.
  public static func read(
    _ json: JSON, in source: SourceText, database: DatabaseName? = nil
  ) -> (suite: Suite?, diagnostics: [Diagnostic]) {
    var reader = SuiteReader(in: database ?? .standard)
    reader.choose(database, of: json)
    var suite = reader.suite(json, in: source)
    suite?.warnings = reader.warnings.sortedByPlace()
    return (reader.diagnostics.isEmpty ? suite : nil, reader.diagnostics.sortedByPlace())
  }

  /// The defaults of a test, inherited from the suite and the enclosing groups.
  struct Context {
    var users: [(name: Text, principal: Principal)] = []
    var time: Timestamp?
    var documents: [(DocumentPath, MapValue)] = []
    var groups: [String] = []
    /// The clients of tests without an `as`; nil if none was named.
    var askers: [Who]?
  }

  private mutating func suite(_ json: JSON, in source: SourceText) -> Suite? {
    var context = Context()
    return suite(json, in: source, context: &context)
  }

  /// Reads a suite, and the defaults of its tests.
  mutating func suite(_ json: JSON, in source: SourceText, context: inout Context) -> Suite? {
    guard let object = object(json, as: "a suite", known: Self.suiteKeys) else { return nil }
    let rules = object["rules"]
    var suite = Suite(
      source: source, rulesPath: rules.flatMap { string($0, as: "rules") },
      rulesRange: rules?.range ?? .none,
      database: database,
      description: object["description"].flatMap { string($0, as: "description") },
      documents: Documents(), tests: [])
    if let named = object["database"] { suite.namedDatabase = databaseName(named) }
    // The schema (`$schema`) is for editors only.
    if let schema = object["$schema"] { _ = string(schema, as: "$schema") }
    context.time = object["time"].flatMap { time($0, as: "time") }
    if let users = object["users"] { context.users = self.users(users) }
    if let stored = object["documents"] { suite.documents = Documents(documents(stored)) }
    if let tests = object["tests"] { suite.tests = self.tests(tests, in: context) }
    if let warning = unstatedAskers.warning { warnings.append(warning) }
    if let claims = object["claims"] { suite.claims = self.claims(claims) }
    return suite
  }

  /// Selects the database: the given one, else the one that the text names.
  mutating func choose(_ database: DatabaseName?, of json: JSON) {
    if let database {
      self.database = database
    } else if let named = json.namedDatabase {
      self.database = named
    }
  }

  /// Reads the name of a database.
  mutating func databaseName(_ json: JSON) -> DatabaseName? {
    guard let name = string(json, as: "database").map({ DatabaseName($0) }) else { return nil }
    guard let problem = name.problem else { return name }
    report(problem, at: json.range)
    return nil
  }

  mutating func users(_ json: JSON) -> [(name: Text, principal: Principal)] {
    guard case .object(let members) = json.kind else {
      report("users is an object, this is \(json.kindName)", at: json.range)
      return []
    }
    return members.compactMap { member in
      principal(member.value).map { (member.key, $0) }
    }
  }

  /// Warns of a user whose ID is "null".
  mutating func warnOfNull(_ uid: Text, at range: SourceRange) {
    guard uid == "null", warnings.count < Self.maximumMistakes else { return }
    warnings.append(
      Diagnostic(
        .missingAsker, severity: .warning, message: "this is a user whose ID is \"null\"",
        at: range,
        help: "without quotes, \"as\": null is a client that is not signed in"))
  }

  /// Reads a user: an ID alone, or `{"uid": …, "token": {…}}`. Whole numbers of a token are ints
  /// (Docs/Language.md §9.3).
  mutating func principal(_ json: JSON) -> Principal? {
    if case .string(let uid) = json.kind {
      let principal = Principal(uid: uid)
      warnOfNull(uid, at: json.range)
      warnOfToken(of: principal, at: json)
      return principal
    }
    guard let object = object(json, as: "a user", known: Self.userKeys) else { return nil }
    guard let uid = object["uid"] else {
      report("a user needs a \"uid\"", at: json.range)
      return nil
    }
    var claims = MapValue()
    if let token = object["token"] {
      isReadingClaims = true
      let data = documentData(token, as: "token")
      isReadingClaims = false
      guard let data else { return nil }
      claims = data
    }
    guard let id = string(uid, as: "uid") else { return nil }
    if let token = object["token"], !agrees(token, claims, with: id) { return nil }
    let principal = Principal(uid: id, claims: claims)
    warnOfNull(id, at: uid.range)
    warnOfToken(of: principal, at: object["token"] ?? uid)
    return principal
  }

  /// True if a token belongs to the user with an ID: `request.auth.uid` is its claim `sub` (Docs/Language.md
  /// §9.3), and Firebase gives `sub` and `user_id` the same value.
  private mutating func agrees(_ token: JSON, _ claims: MapValue, with id: Text) -> Bool {
    let odd = [RequestNames.sub, RequestNames.userID].first { name in
      claims[name].map { !Value.areIdentical($0, .string(id)) } ?? false
    }
    guard let odd else { return true }
    var place = token.range
    if case .object(let members) = token.kind, let member = members.first(where: { $0.key == odd })
    {
      place = member.value.range
    }
    report(
      "the claim \"\(String(odd))\" is not the \"uid\", \"\(String(id))\"", at: place,
      help: "`request.auth.uid` is the claim `sub`: leave the claim out, or write the same in both")
    return false
  }

  /// Reads stored documents by path.
  mutating func documents(_ json: JSON) -> [(DocumentPath, MapValue)] {
    guard case .object(let members) = json.kind else {
      report("documents is an object of paths, this is \(json.kindName)", at: json.range)
      return []
    }
    var result: [(DocumentPath, MapValue)] = []
    for member in members {
      guard let path = documentPath(member.key, at: member.keyRange),
        let data = documentData(member.value, as: "a document")
      else { continue }
      warnOfDocument(data, at: member.value)
      result.append((path, data))
    }
    return result
  }

  mutating func tests(_ json: JSON, in context: Context) -> [Test] {
    guard let elements = array(json, as: "tests") else { return [] }
    return elements.flatMap { element -> [Test] in
      guard case .object(let members) = element.kind else {
        report("a test is an object, this is \(element.kindName)", at: element.range)
        return []
      }
      if members.contains(where: { $0.key == "tests" }) { return group(element, in: context) }
      if members.contains(where: { $0.key == "steps" }) {
        return sequence(element, in: context).map { [$0] } ?? []
      }
      return test(element, in: context)
    }
  }

  private mutating func group(_ json: JSON, in outer: Context) -> [Test] {
    guard let object = object(json, as: "a group", known: Self.groupKeys) else { return [] }
    var context = outer
    if let name = object["group"].flatMap({ string($0, as: "group") }) {
      context.groups.append(String(name))
    }
    if let own = object["time"].flatMap({ time($0, as: "time") }) { context.time = own }
    if let own = object["documents"] { context.documents += documents(own) }
    if let own = object["as"] { context.askers = principals(own, in: context) }
    return object["tests"].map { tests($0, in: context) } ?? []
  }
}

extension JSON {
  /// The database named in a suite or a claim; nil if none is.
  package var namedDatabase: DatabaseName? {
    guard case .string(let text)? = member("database")?.kind else { return nil }
    return DatabaseName(text)
  }

  /// The rules file named in a suite; nil if none is.
  package var namedRules: Text? {
    guard case .string(let text)? = member("rules")?.kind else { return nil }
    return text
  }

  private func member(_ key: Text) -> JSON? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key == key }?.value
  }
}
