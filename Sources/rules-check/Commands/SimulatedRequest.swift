import RulesEval
import RulesHost
import RulesLang

/// Turns the options of `simulate` into a test of a suite.
///
/// The options become the JSON of a suite, which is then read like any other: so values, paths and
/// queries mean the same in both places.
struct SimulatedRequest {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// A suite of one test, and the documents it runs on.
  func suite() throws(UsageProblem) -> (test: Test, suite: Suite) {
    let verb = invocation.operands[1]
    let verbs = ["get", "list", "create", "set", "update", "delete"]
    guard verbs.contains(verb) else {
      let nearest = Spelling.nearest(to: verb, among: verbs)
      throw UsageProblem(
        "there is no method `\(verb)`",
        help: nearest.map { "did you mean `\($0)`?" } ?? "one of \(verbs.joined(separator: ", "))")
    }
    var members = [
      JSON.Member(Text(verb), value: string(invocation.operands[2])),
      JSON.Member("as", value: try principal()), JSON.Member("expect", value: string("allow")),
    ]
    if let data = try json("--data") { members.append(JSON.Member("data", value: data)) }
    if invocation.has("--merge") { members.append(JSON.Member("merge", value: JSON(.bool(true)))) }
    if let query = try query() { members.append(JSON.Member("query", value: query)) }
    if invocation.has("--group") {
      members.append(JSON.Member("collectionGroup", value: JSON(.bool(true))))
    }
    var suite = [
      JSON.Member("tests", value: JSON(.array([JSON(.object(members))]))),
      JSON.Member("documents", value: JSON(.object(try documents()))),
    ]
    if let time = invocation["--time"] { suite.append(JSON.Member("time", value: string(time))) }
    return try read(JSON(.object(suite)))
  }

  private func read(_ json: JSON) throws(UsageProblem) -> (test: Test, suite: Suite) {
    let (suite, diagnostics) = SuiteReader.read(json, in: SourceText(name: "the request", ""))
    guard let suite, let test = suite.tests.first else {
      let first = diagnostics.first
      throw UsageProblem(first?.message ?? "the request cannot be understood", help: first?.help)
    }
    return (test, suite)
  }

  // MARK: Parts

  private func string(_ text: String) -> JSON { JSON(.string(Text(text))) }

  /// The JSON of an option, from the command line or from a file behind `@`.
  private func json(_ option: String) throws(UsageProblem) -> JSON? {
    guard let value = invocation[option] else { return nil }
    return try json(value, option)
  }

  private func json(_ value: String, _ option: String) throws(UsageProblem) -> JSON {
    var source = SourceText(name: option, value)
    if value.utf8.first == UInt8(ascii: "@") {
      let path = String(value.dropFirst())
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
      throw UsageProblem("\(source.name):\(place.line):\(place.column): \(error.message)")
    }
  }

  /// `--documents`, with `--before` in its place at the path of the request.
  private func documents() throws(UsageProblem) -> [JSON.Member] {
    var members: [JSON.Member] = []
    if let given = try json("--documents") {
      guard case .object(let documents) = given.kind else {
        throw UsageProblem("--documents is an object of paths and documents")
      }
      members = documents
    }
    if let before = try json("--before") {
      let path = Text(invocation.operands[2])
      members.removeAll { DocumentPath($0.key) == DocumentPath(path) }
      members.append(JSON.Member(path, value: before))
    }
    return members
  }

  private func principal() throws(UsageProblem) -> JSON {
    if let auth = try json("--auth") {
      for other in ["--as", "--claim", "--provider"] where invocation.has(other) {
        throw UsageProblem("--auth says it all; leave out \(other)")
      }
      return auth
    }
    guard let uid = invocation["--as"] else {
      for other in ["--claim", "--provider"] where invocation.has(other) {
        throw UsageProblem("\(other) needs --as UID")
      }
      return JSON(.null)
    }
    var claims: [JSON.Member] = []
    for claim in invocation.all("--claim") { claims.append(try self.claim(claim)) }
    if let provider = invocation["--provider"] {
      let inner = JSON.Member("sign_in_provider", value: string(provider))
      claims.append(JSON.Member("firebase", value: JSON(.object([inner]))))
    }
    return JSON(
      .object([
        JSON.Member("uid", value: string(uid)), JSON.Member("token", value: JSON(.object(claims))),
      ]))
  }

  /// `KEY=VALUE`: the value is JSON if it is well-formed JSON, else text.
  private func claim(_ text: String) throws(UsageProblem) -> JSON.Member {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw UsageProblem("`--claim \(text)` is not KEY=VALUE")
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
    for condition in invocation.all("--where") { conditions += try self.conditions(condition) }
    if !conditions.isEmpty { members.append(JSON.Member("where", value: JSON(.array(conditions)))) }
    let orders = invocation.all("--order-by").map { order($0) }
    if !orders.isEmpty { members.append(JSON.Member("orderBy", value: JSON(.array(orders)))) }
    for (option, key) in [("--limit", "limit"), ("--offset", "offset")] {
      guard let count = invocation[option] else { continue }
      guard Int64(count) != nil else { throw UsageProblem("`\(option) \(count)` is no number") }
      members.append(JSON.Member(Text(key), value: JSON(.number(count))))
    }
    return members.isEmpty ? nil : JSON(.object(members))
  }

  /// `FIELD OP VALUE`, or JSON: one condition or a list of them.
  private func conditions(_ text: String) throws(UsageProblem) -> [JSON] {
    if let first = text.utf8.first, [UInt8(ascii: "["), UInt8(ascii: "{")].contains(first) {
      let given = try json(text, "--where")
      guard case .array(let elements) = given.kind, let first = elements.first,
        case .array = first.kind
      else { return [given] }
      return elements
    }
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    guard words.count == 3 else {
      throw UsageProblem(
        "`--where \(text)` is no condition", help: "write --where 'owner == \"alice\"'")
    }
    return [
      JSON(.array([string(String(words[0])), string(String(words[1])), lenient(String(words[2]))]))
    ]
  }

  /// `FIELD` or `FIELD desc`.
  private func order(_ text: String) -> JSON {
    let words = text.split(separator: " ").map { string(String($0)) }
    return JSON(.array(words))
  }
}
