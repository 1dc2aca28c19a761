package import RulesEval
package import RulesLang

/// A client of a running Firestore emulator: rules, documents and requests of one project.
///
/// Rules and documents belong to a project, so clients of different projects do not disturb each other.
package final class EmulatorClient {
  /// A failure to communicate with the emulator.
  package struct Problem: Error {
    /// The failure in one sentence.
    package var message: String

    /// Creates a failure.
    package init(message: String) {
      self.message = message
    }
  }

  /// The emulator's answer to a request.
  package enum Verdict: Equatable {
    case allow
    case deny(String)
    /// The request was refused before the rules were evaluated, like an invalid query.
    case refused(String)
  }

  /// The emulator's answer to a rules file.
  package struct Compilation {
    /// True if the rules are now in force.
    package var isAccepted: Bool
    /// True if the emulator failed itself and gave no answer.
    package var hasFailed: Bool
    /// The compiler's message, or that the emulator failed; empty if the rules are in force.
    package var message: String
    /// The warnings and errors.
    package var issues: [(severity: String, line: Int, column: Int, text: String)]
  }

  private let http: HTTPClient
  /// The project whose rules and documents are used.
  package let project: String
  /// The database.
  private let database: DatabaseName
  private let address: String

  /// The name of the database's documents, a prefix of their names.
  package var root: String { resource + "/documents" }

  /// The name of the database.
  private var resource: String { "projects/\(project)/databases/\(String(database.text))" }

  /// Creates a client for a project.
  package init(host: String, port: UInt16, project: String, database: DatabaseName = .standard) {
    http = HTTPClient(host: host, port: port)
    self.project = project
    self.database = database
    address = "\(host):\(port)"
  }

  /// Throws unless an emulator answers.
  func checkIsEmulator() throws(Problem) {
    let response = try send(
      "DELETE", to: "/emulator/v1/\(root)", body: nil, bearer: "owner")
    guard response.status == 200, Self.json(response.body) != nil else { throw notAnEmulator }
    // A server that accepts everything would agree with every test. An emulator refuses invalid rules, and
    // keeps the ones before.
    let refusal = try setRules("these are no rules")
    guard !refusal.isAccepted, !refusal.hasFailed, !refusal.message.isEmpty else {
      throw notAnEmulator
    }
  }

  private var notAnEmulator: Problem {
    Problem(message: "the server on \(address) is not a Firestore emulator")
  }

  /// Sends a request; throws if there is no answer.
  func send(
    _ method: String, to path: String, body: JSONText?, bearer: String?
  ) throws(Problem) -> HTTPClient.Response {
    do throws(HTTPProblem) {
      return try http.send(method, to: path, body: body?.compact, bearer: bearer)
    } catch {
      switch error {
      case .noConnection(let why): throw Problem(message: why)
      case .broken(let why), .late(let why): throw Problem(message: "\(address): \(why)")
      }
    }
  }

  /// Returns the body of an answer as JSON; nil if it is not JSON.
  package static func json(_ body: [UInt8]) -> JSON? {
    try? JSONParser.parse(SourceText(name: "", bytes: body))
  }

  // MARK: Rules and documents

  /// The resource whose rules are replaced. The project's own rules are those of its `(default)` database.
  private var rulesResource: String {
    database.isStandard ? "projects/\(project)" : resource
  }

  /// Puts rules in force. Rules that do not compile leave the earlier ones in force.
  package func setRules(_ text: String) throws(Problem) -> Compilation {
    let file = JSONText.object([
      ("name", .string("firestore.rules")), ("content", .string(text)),
    ])
    let body = JSONText.object([("rules", .object([("files", .array([file]))]))])
    let response = try send(
      "PUT", to: "/emulator/v1/\(rulesResource):securityRules", body: body, bearer: "owner")
    let answer = Self.json(response.body)
    let issues = (answer?.member("issues")?.list ?? []).map { issue in
      let place = issue.member("sourcePosition")
      return (
        severity: issue.member("severity")?.plainText ?? "",
        line: place?.member("line")?.plainInt ?? 0,
        column: place?.member("column")?.plainInt ?? 0,
        text: issue.member("description")?.plainText ?? ""
      )
    }
    let message = answer?.member("error")?.member("message")?.plainText ?? ""
    let hasFailed = response.status != 200 && response.status != 400
    return Compilation(
      isAccepted: response.status == 200, hasFailed: hasFailed,
      message: hasFailed
        ? "the emulator fails on the rules: HTTP \(response.status)" : message, issues: issues)
  }

  /// Removes every document.
  package func clear() throws(Problem) {
    _ = try send("DELETE", to: "/emulator/v1/\(root)", body: nil, bearer: "owner")
  }

  /// Stores documents without evaluating the rules.
  package func store(_ documents: [(DocumentPath, MapValue)]) throws(Problem) {
    guard !documents.isEmpty else { return }
    let writes = documents.map { REST.write(Write(to: $0.0, .set($0.1, mask: nil)), under: root) }
    let response = try send(
      "POST", to: "/v1/\(root):commit", body: .object([("writes", .array(writes))]), bearer: "owner"
    )
    guard response.status == 200 else {
      throw Problem(message: "the emulator does not store the documents: \(text(response))")
    }
  }

  // MARK: Requests

  /// Makes a request as a principal.
  package func ask(_ operation: Request.Operation, as principal: Principal?) throws(Problem)
    -> Verdict
  {
    let token = principal.map { UnsignedToken.text(of: $0) }
    let response: HTTPClient.Response
    // The member that only the answer to a granted request has.
    let sign: Text
    switch operation {
    case .get(let paths) where paths.count == 1:
      sign = "name"
      response = try send(
        "GET", to: "/v1/\(root)\(Self.encoded(paths[0]))", body: nil, bearer: token)
    case .get(let paths):
      let names = paths.map { JSONText.string(root + String($0.text)) }
      sign = "readTime"
      response = try send(
        "POST", to: "/v1/\(root):batchGet", body: .object([("documents", .array(names))]),
        bearer: token)
    case .list(let query):
      let parent = query.parent.segments.isEmpty ? "" : Self.encoded(query.parent)
      let body = JSONText.object([("structuredQuery", REST.query(query, under: root))])
      sign = "readTime"
      response = try send("POST", to: "/v1/\(root)\(parent):runQuery", body: body, bearer: token)
    case .commit(let writes):
      let body = JSONText.object([("writes", .array(writes.map { REST.write($0, under: root) }))])
      sign = "commitTime"
      response = try send("POST", to: "/v1/\(root):commit", body: body, bearer: token)
    }
    return try verdict(response, whereGranted: sign)
  }

  /// Returns the verdict of an answer; one that grants the request has the member `sign`. Rules are evaluated
  /// before preconditions, so an error about a missing or existing document means that they granted the
  /// request.
  private func verdict(
    _ response: HTTPClient.Response, whereGranted sign: Text
  ) throws(Problem) -> Verdict {
    let answer = Self.json(response.body)
    if response.status == 200 {
      guard (answer?.list.first ?? answer)?.member(sign) != nil else { throw notAnEmulator }
      return .allow
    }
    let error = (answer?.list.first ?? answer)?.member("error")
    let message = error?.member("message")?.plainText ?? "HTTP \(response.status)"
    switch error?.member("status")?.plainText {
    case "PERMISSION_DENIED": return .deny(message)
    case "NOT_FOUND", "ALREADY_EXISTS": return .allow
    default:
      if Self.isLateRefusal(message) { return .allow }
      return response.status == 403 ? .deny(message) : .refused(message)
    }
  }

  /// True if a query failed only when it was run, after the rules granted it.
  private static func isLateRefusal(_ message: String) -> Bool {
    message.hasPrefix("order by clause cannot contain")
      || message.hasPrefix("Equality on key is not allowed")
      || message.hasSuffix("does not support descending key scans")
  }

  private func text(_ response: HTTPClient.Response) -> String {
    Self.json(response.body)?.member("error")?.member("message")?.plainText
      ?? "HTTP \(response.status)"
  }

  /// Returns a path, percent-encoded for a URL.
  private static func encoded(_ path: DocumentPath) -> String {
    path.segments.reduce("") { $0 + "/" + percentEncoded($1) }
  }

  private static func percentEncoded(_ segment: Text) -> String {
    segment.bytes.reduce("") { text, byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        text + String(UnicodeScalar(byte))
      default:
        text + "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}

/// ID tokens without a signature, which only emulators accept.
enum UnsignedToken {
  /// Returns the token with exactly a principal's claims.
  static func text(of principal: Principal) -> String {
    let head = JSONText.object([("alg", .string("none")), ("typ", .string("JWT"))])
    return part(head) + "." + part(claim(.map(principal.token))) + "."
  }

  private static func part(_ json: JSONText) -> String {
    let text = String(Base64.urlSafe.text(of: Array(json.compact.utf8)))
    return String(text.prefix { $0 != "=" })
  }

  /// Returns a claim as JSON. A value without a JSON form becomes its text, a float that is not finite
  /// becomes null.
  private static func claim(_ value: Value) -> JSONText {
    switch value {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .number("\(number)")
    case .float(let number): number.isFinite ? .number("\(number)") : .null
    case .string(let text): .string(String(text))
    case .list(let elements): .array(elements.map { claim($0) })
    case .map(let map): .object(map.map { (String($0.0), claim($0.1)) })
    case .bytes, .set, .timestamp, .duration, .latlng, .path, .mapDiff, .vector, .constraint:
      .string(ValueText.short(value))
    }
  }
}
