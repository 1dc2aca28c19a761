package import RulesEval
import RulesLang

/// The name of a test that was made for a request: "mallory may not update fcmToken of /users/alice".
///
/// The name says who asks for what. It has no line of the rules, so that it stays true when they are edited.
package enum RequestSentence {
  /// Maximum fields that are named; of more only the number is told.
  private static let namedFields = 3
  /// Maximum characters of a filter that is quoted, to fit a line.
  private static let conditionText = 50

  /// Returns the name of a test that expects a decision on a request.
  package static func name(
    _ request: Request, on documents: Documents, expect expectation: Test.Expectation
  ) -> String {
    let may = expectation == .allow ? "may" : "may not"
    return "\(client(request.principal)) \(may) \(deed(request.operation, on: documents))"
  }

  /// Returns the name of a test with steps: "mallory may update role of /users/mallory, then get /admin/x".
  static func name(
    _ steps: [(request: Request, documents: Documents, expectation: Test.Expectation)]
  ) -> String {
    var last = ""
    let parts = steps.map { step in
      let may = step.expectation == .allow ? "may" : "may not"
      let actor = client(step.request.principal)
      defer { last = "\(actor) \(may)" }
      let subject =
        last == "\(actor) \(may)"
        ? "" : last.hasPrefix("\(actor) may") ? "\(may) " : "\(actor) \(may) "
      return subject + deed(step.request.operation, on: step.documents)
    }
    return parts.joined(separator: ", then ")
  }

  private static func client(_ principal: Principal?) -> String {
    guard let principal else { return "someone signed out" }
    guard case .string(let uid) = principal.uid else { return "a user" }
    let plain = Principal(uid: uid).token
    let claims = principal.token.map { $0.0 }.filter { plain[$0] == nil && $0 != "firebase" }
    if claims.isEmpty { return String(uid) }
    let noun = claims.count == 1 ? "claim" : "claims"
    return "\(String(uid)) with the \(noun) \(names(claims))"
  }

  private static func deed(_ operation: Request.Operation, on documents: Documents) -> String {
    switch operation {
    case .get(let paths):
      paths.count == 1 ? "get \(String(paths[0].text))" : "get \(paths.count) documents"
    case .list(let query): list(query)
    case .commit(let writes):
      writes.count == 1
        ? deed(writes[0], on: documents) : "commit \(writes.count) writes at once"
    }
  }

  private static func list(_ query: Query) -> String {
    let collection = DocumentPath(query.parent.segments + [query.collection])
    let group = query.isCollectionGroup ? " as a collection group" : ""
    let condition = query.filter.map { text($0) } ?? ""
    let filter =
      condition.isEmpty
      ? ""
      : condition.count > conditionText
        ? " with a filter" : " where \(condition)"
    return "list \(String(collection.text))\(group)\(filter)"
      + (query.limit.map { " with limit \($0)" } ?? "")
  }

  /// Returns a value as in suites, and a reference as its path.
  private static func text(_ value: Value) -> String {
    let json = SuiteWriter.json(value)
    if case .path = value, case .object(let members) = json.kind,
      case .string(let path)? = members.first?.value.kind
    {
      return String(path)
    }
    return JSONText(json).compact
  }

  private static func text(_ filter: Query.Filter) -> String {
    switch filter {
    case .field(let field, let comparison, let value):
      "\(String(field.text)) \(comparison.symbol) \(text(value))"
    case .and(let parts): parts.map { text($0) }.joined(separator: " and ")
    case .or(let parts): "(" + parts.map { text($0) }.joined(separator: " or ") + ")"
    }
  }

  private static func deed(_ write: Write, on documents: Documents) -> String {
    let path = String(write.path.text)
    guard case .set(let data, let mask) = write.change else { return "delete \(path)" }
    let before = documents[write.path]
    switch write.precondition {
    case .missing: return "create \(path)"
    case .none where before == nil: return "create \(path)"
    case .none, .exists: break
    }
    let changed =
      mask.map { $0.map { $0.text } }
      ?? SuiteWriter.changedKeys(from: before ?? MapValue(), to: data)
    return changed.isEmpty
      ? "update \(path) without a change"
      : "update \(names(changed)) of \(path)"
  }

  private static func names(_ names: [Text]) -> String {
    names.count > namedFields
      ? "\(names.count) fields" : names.map { String($0) }.joined(separator: ", ")
  }
}
