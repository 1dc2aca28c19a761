import RulesEval
import RulesLang

/// Turns the options of `simulate` into a test of a suite.
///
/// The options are put together as the JSON text of a suite, which is then read like any other:
/// so values, paths and queries mean the same in both places.
struct SimulatedRequest {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// The test and the documents it runs on.
  func test() throws(UsageProblem) -> (test: Test, documents: Documents) {
    let verb = invocation.operands[1]
    let verbs = ["get", "list", "create", "set", "update", "delete"]
    guard verbs.contains(verb) else {
      let nearest = Spelling.nearest(to: verb, among: verbs)
      throw UsageProblem(
        "there is no method `\(verb)`",
        help: nearest.map { "did you mean `\($0)`?" } ?? "one of \(verbs.joined(separator: ", "))")
    }
    var members = [
      "\(quoted(verb)): \(quoted(invocation.operands[2]))", "\"as\": \(try principal())",
      "\"expect\": \"allow\"",
    ]
    if let data = invocation["--data"] { members.append("\"data\": \(try json(data, "--data"))") }
    if invocation.has("--merge") { members.append("\"merge\": true") }
    if let query = try query() { members.append("\"query\": \(query)") }
    if invocation.has("--group") { members.append("\"collectionGroup\": true") }
    var suite = ["\"tests\": [{\(members.joined(separator: ", "))}]"]
    if let time = invocation["--time"] { suite.append("\"time\": \(quoted(time))") }
    suite.append("\"documents\": \(try documents())")
    return try read("{\(suite.joined(separator: ", "))}")
  }

  private func read(_ text: String) throws(UsageProblem) -> (test: Test, documents: Documents) {
    let source = SourceText(name: "the request", text)
    let (suite, diagnostics) = SuiteReader.read(source)
    guard let suite, let test = suite.tests.first else {
      let first = diagnostics.first
      throw UsageProblem(first?.message ?? "the request cannot be understood", help: first?.help)
    }
    return (test, suite.documents)
  }

  // MARK: Parts

  /// JSON from the command line, or from a file behind `@`; checked on its own, so that a mistake is
  /// reported where the user made it.
  private func json(_ value: String, _ option: String) throws(UsageProblem) -> String {
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
      _ = try JSONParser.parse(source)
    } catch {
      let place = source.position(of: error.range.start)
      throw UsageProblem("\(source.name):\(place.line):\(place.column): \(error.message)")
    }
    // A comment to the end of the line must not swallow what comes after it.
    return String(decoding: source.bytes, as: UTF8.self) + "\n"
  }

  private func quoted(_ text: String) -> String { JSONText.string(text).compact }

  private func documents() throws(UsageProblem) -> String {
    var parts: [String] = []
    if let given = invocation["--documents"] {
      var inner = try json(given, "--documents")
      while inner.last?.isWhitespace == true { inner.removeLast() }
      guard inner.utf8.first == UInt8(ascii: "{"), inner.utf8.last == UInt8(ascii: "}") else {
        throw UsageProblem("--documents is an object of paths and documents")
      }
      let body = inner.dropFirst().dropLast()
      if body.contains(where: { !$0.isWhitespace }) { parts.append(String(body)) }
    }
    if let before = invocation["--before"] {
      parts.append("\(quoted(invocation.operands[2])): \(try json(before, "--before"))")
    }
    return "{\(parts.joined(separator: ", "))}"
  }

  private func principal() throws(UsageProblem) -> String {
    if let auth = invocation["--auth"] {
      for other in ["--as", "--claim", "--provider"] where invocation.has(other) {
        throw UsageProblem("--auth says it all; leave out \(other)")
      }
      return try json(auth, "--auth")
    }
    guard let uid = invocation["--as"] else {
      for other in ["--claim", "--provider"] where invocation.has(other) {
        throw UsageProblem("\(other) needs --as UID")
      }
      return "null"
    }
    var claims: [String] = []
    for claim in invocation.all("--claim") { claims.append(try self.claim(claim)) }
    if let provider = invocation["--provider"] {
      claims.append("\"firebase\": {\"sign_in_provider\": \(quoted(provider))}")
    }
    return "{\"uid\": \(quoted(uid)), \"token\": {\(claims.joined(separator: ", "))}}"
  }

  /// `KEY=VALUE`: the value is JSON if it is well-formed JSON, else text.
  private func claim(_ text: String) throws(UsageProblem) -> String {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw UsageProblem("`--claim \(text)` is not KEY=VALUE")
    }
    let value = String(parts[1])
    let isJSON = (try? JSONParser.parse(SourceText(name: "", value))) != nil
    return "\(quoted(String(parts[0]))): \(isJSON ? value : quoted(value))"
  }

  private func query() throws(UsageProblem) -> String? {
    var parts: [String] = []
    var conditions: [String] = []
    for condition in invocation.all("--where") {
      conditions.append(try self.condition(json(condition, "--where")))
    }
    if !conditions.isEmpty { parts.append("\"where\": [\(conditions.joined(separator: ", "))]") }
    let orders = invocation.all("--order-by").map { quoted($0) }
    if !orders.isEmpty { parts.append("\"orderBy\": [\(orders.joined(separator: ", "))]") }
    if let limit = invocation["--limit"] { parts.append("\"limit\": \(try count(limit, "--limit"))") }
    if let offset = invocation["--offset"] {
      parts.append("\"offset\": \(try count(offset, "--offset"))")
    }
    return parts.isEmpty ? nil : "{\(parts.joined(separator: ", "))}"
  }

  private func count(_ text: String, _ option: String) throws(UsageProblem) -> String {
    guard let number = Int64(text) else { throw UsageProblem("\(option) \(text) is no number") }
    return "\(number)"
  }

  /// One condition, or the conditions of a list of them.
  private func condition(_ text: String) throws(UsageProblem) -> String {
    guard let json = try? JSONParser.parse(SourceText(name: "", text)),
      case .array(let elements) = json.kind, let first = elements.first
    else { return text }
    guard case .string = first.kind else {
      return "{\"and\": \(text)}"
    }
    return text
  }
}
