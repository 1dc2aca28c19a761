public import RulesEval
public import RulesLang

// A counterexample in a sentence and as a test.

extension Counterexample {
  /// Who does what: "mallory, signed in, updates fcmToken of /users/alice; line 6 allows it".
  public func sentence(in rules: Ruleset) -> String {
    let source = rules.source
    var end =
      allow.map { "line \(source.line(of: rules[$0].keyword.start)) allows it" }
      ?? "no statement allows it"
    if let failed { end += ", and line \(source.line(of: rules[failed].keyword.start)) fails" }
    return "\(who) \(deed); \(end)"
  }

  private var who: String {
    guard let principal = request.principal, case .string(let uid) = principal.uid else {
      return "a client that is not signed in"
    }
    let plain = Principal(uid: uid)
    let claims = principal.token.filter { entry in
      plain.token[entry.0].map { !Value.areIdentical($0, entry.1) } ?? true
    }
    let extra = claims.map { "\(String($0.0)): \(ValueText.short($0.1))" }.joined(separator: ", ")
    return String(uid) + ", signed in" + (extra.isEmpty ? "" : " with \(extra)") + ","
  }

  private var deed: String {
    let path = String(document.text)
    switch method {
    case .get: return "reads \(path)"
    case .create: return "creates \(path)" + (fields.isEmpty ? "" : " with \(fieldList)")
    case .update: return fields.isEmpty ? "updates \(path)" : "updates \(fieldList) of \(path)"
    case .delete: return "deletes \(path)"
    case .list:
      if case .list(let query) = request.operation {
        return "lists \(query.isCollectionGroup ? "the collection group " : "")"
          + "\(String(query.collection)) and gets \(path)"
      }
      return "lists \(path)"
    }
  }

  private var fieldList: String {
    let shown = fields.prefix(3).map { String($0) }.joined(separator: ", ")
    return fields.count > 3 ? shown + " and \(fields.count - 3) more" : shown
  }

  /// The request as a test that records what the rules say to it now: it passes until the hole is
  /// closed.
  public func test(name: String) -> JSON {
    let test = SuiteWriter.test(
      name: name, request, on: documents, expect: decision.isAllowed ? .allow : .deny)
    guard failed != nil, case .object(let members) = test.kind else { return test }
    return JSON(.object(members + [JSON.Member("errors", value: JSON(.bool(true)))]))
  }
}
