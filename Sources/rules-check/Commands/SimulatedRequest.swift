import RulesEval
import RulesHost
import RulesLang

/// Makes a test of a suite from the options of `simulate`.
///
/// The options become the JSON of a suite, which is then read like any other: so values, paths and queries
/// mean the same in both places.
struct SimulatedRequest {
  private let options: SimulateOptions
  private let database: DatabaseName

  init(_ options: SimulateOptions, to database: DatabaseName) {
    self.options = options
    self.database = database
  }

  /// Returns a suite of one test, and the test.
  func suite() throws(UsageProblem) -> (test: Test, suite: Suite) {
    let verb = options.method
    let verbs = SimulateOptions.methods
    guard verbs.contains(verb) else {
      throw UsageProblem(
        "there is no method `\(verb)`",
        help: SimulateOptions.methodMeant(by: verb) ?? "one of \(verbs.joined(separator: ", "))")
    }
    var members = [
      JSON.Member(Text(verb), value: string(options.path)),
      JSON.Member("as", value: try principal()), JSON.Member("expect", value: string("allow")),
    ]
    if let data = try json(options.data) { members.append(JSON.Member("data", value: data)) }
    if options.merges { members.append(JSON.Member("merge", value: JSON(.bool(true)))) }
    if let query = try query() { members.append(JSON.Member("query", value: query)) }
    if options.isGroup {
      members.append(JSON.Member("collectionGroup", value: JSON(.bool(true))))
    }
    var suite = [
      JSON.Member("tests", value: JSON(.array([JSON(.object(members))]))),
      JSON.Member("documents", value: JSON(.object(try documents()))),
    ]
    if let time = options.time { suite.append(JSON.Member("time", value: string(time))) }
    return try read(JSON(.object(suite)))
  }

  private func read(_ json: JSON) throws(UsageProblem) -> (test: Test, suite: Suite) {
    let (suite, diagnostics) = SuiteReader.read(
      json, in: SourceText(name: "the request", ""), database: database)
    guard let suite, let test = suite.tests.first else {
      let first = diagnostics.first
      throw UsageProblem(
        first?.message ?? "the request cannot be understood", help: first?.help,
        code: first?.code ?? .suite)
    }
    return (test, suite)
  }

  // MARK: Parts

  private func string(_ text: String) -> JSON { JSON(.string(Text(text))) }

  private func json(_ document: SimulateOptions.Document?) throws(UsageProblem) -> JSON? {
    guard let document else { return nil }
    return try read(document)
  }

  /// Returns JSON from the command line or from a file behind `@`.
  private func read(_ document: SimulateOptions.Document) throws(UsageProblem) -> JSON {
    var source = SourceText(name: document.option, document.text)
    if document.text.utf8.first == UInt8(ascii: "@") {
      let path = String(document.text.dropFirst())
      do throws(FileProblem) {
        source = SourceText(name: path, bytes: try FileSystem.read(path))
      } catch {
        throw UsageProblem(error)
      }
    }
    do throws(JSONProblem) {
      return try JSONParser.parse(source)
    } catch {
      let place = source.position(of: error.range.start)
      let message = "\(source.name):\(place.line):\(place.column): \(error.message)"
      if source.name == document.option {
        let isUid =
          document.option == SimulateOptions.auth.name
          && !document.text.contains { "{\"[".contains($0) }
        throw UsageProblem(
          message,
          help: isUid ? "`\(SimulateOptions.uid.name) \(document.text)` signs a user in" : nil,
          code: .suite)
      }
      let diagnostic = Diagnostic(
        .suite, severity: .error, message: error.message, at: error.range)
      throw UsageProblem(message, [diagnostic], in: source)
    }
  }

  /// Returns the members of `--documents`, where `--before` replaces the one at the path of the request.
  private func documents() throws(UsageProblem) -> [JSON.Member] {
    var members: [JSON.Member] = []
    if let given = try json(options.documents) {
      guard case .object(let documents) = given.kind else {
        throw UsageProblem(
          "\(SimulateOptions.documents.name) is an object of paths and documents")
      }
      members = documents
    }
    if let before = try json(options.before) {
      let path = Text(options.path)
      members.removeAll { DocumentPath($0.key, in: database) == DocumentPath(path, in: database) }
      members.append(JSON.Member(path, value: before))
    }
    return members
  }

  private func principal() throws(UsageProblem) -> JSON {
    let uidName = SimulateOptions.uid.name
    var others: [String] = []
    if options.isSignedOut {
      if options.uid != nil { others.append(uidName) }
      if options.auth != nil { others.append(SimulateOptions.auth.name) }
    }
    if !options.claims.isEmpty { others.append(SimulateOptions.claims.name) }
    if options.provider != nil { others.append(SimulateOptions.provider.name) }
    if options.isSignedOut {
      guard let other = others.first else { return JSON(.null) }
      throw UsageProblem("\(SimulateOptions.signedOut.name) is enough; leave out \(other)")
    }
    if let auth = try json(options.auth) {
      if let other = options.uid != nil ? uidName : others.first {
        throw UsageProblem("\(SimulateOptions.auth.name) is enough; leave out \(other)")
      }
      return auth
    }
    guard let uid = options.uid else {
      if let other = others.first { throw UsageProblem("\(other) needs \(uidName) UID") }
      return JSON(.null)
    }
    var claims: [JSON.Member] = []
    for claim in options.claims { claims.append(try self.claim(claim)) }
    if let provider = options.provider {
      let inner = JSON.Member("sign_in_provider", value: string(provider))
      claims.append(JSON.Member("firebase", value: JSON(.object([inner]))))
    }
    return JSON(
      .object([
        JSON.Member("uid", value: string(uid)), JSON.Member("token", value: JSON(.object(claims))),
      ]))
  }

  /// Parses `KEY=VALUE`: the value is JSON if it is well-formed JSON, else text.
  private func claim(_ text: String) throws(UsageProblem) -> JSON.Member {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw UsageProblem("`\(SimulateOptions.claims.name) \(text)` is not KEY=VALUE")
    }
    return JSON.Member(Text(String(parts[0])), value: lenient(String(parts[1])))
  }

  private func lenient(_ text: String) -> JSON {
    (try? JSONParser.parse(SourceText(name: "", text))) ?? string(text)
  }

  // MARK: Queries

  private func query() throws(UsageProblem) -> JSON? {
    var members: [JSON.Member] = []
    var conditions: [JSON] = []
    for condition in options.conditions { conditions += try self.conditions(condition) }
    if !conditions.isEmpty { members.append(JSON.Member("where", value: JSON(.array(conditions)))) }
    let orders = options.orders.map { order($0) }
    if !orders.isEmpty { members.append(JSON.Member("orderBy", value: JSON(.array(orders)))) }
    for (key, count) in [("limit", options.limit), ("offset", options.offset)] {
      guard let count else { continue }
      members.append(JSON.Member(Text(key), value: JSON(.number("\(count)"))))
    }
    return members.isEmpty ? nil : JSON(.object(members))
  }

  /// Parses `FIELD OP VALUE`, or JSON: one condition or a list of them.
  private func conditions(
    _ condition: SimulateOptions.Document
  ) throws(UsageProblem) -> [JSON] {
    let text = condition.text
    if let first = text.utf8.first, [UInt8(ascii: "["), UInt8(ascii: "{")].contains(first) {
      let given = try read(condition)
      guard case .array(let elements) = given.kind, let first = elements.first,
        case .array = first.kind
      else { return [given] }
      return elements
    }
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    guard words.count == 3 else {
      throw UsageProblem(
        "`\(condition.option) \(text)` is not a condition",
        help: "write \(condition.option) 'owner == \"alice\"'")
    }
    return [
      JSON(.array([string(String(words[0])), string(String(words[1])), lenient(String(words[2]))]))
    ]
  }

  /// Parses `FIELD` or `FIELD desc`.
  private func order(_ text: String) -> JSON {
    let words = text.split(separator: " ").map { string(String($0)) }
    return JSON(.array(words))
  }
}
