package import RulesEval
package import RulesLang

// A counterexample in a sentence and as a test.

extension Counterexample {
  /// Who does what: "mallory, signed in, updates fcmToken of /users/alice; line 6 allows it".
  package func sentence(in rules: Ruleset) -> String {
    if !steps.isEmpty { return story(in: rules) }
    let source = rules.source
    var end =
      allow.map { "line \(source.line(of: rules[$0].keyword.start)) allows it" }
      ?? "no statement allows it"
    if let failed { end += ", and line \(source.line(of: rules[failed].keyword.start)) fails" }
    return "\(who) \(deed); \(end)"
  }

  /// The requests one after the other: "mallory, signed in, updates role of /users/mallory (line 6),
  /// then reads /admin/x (line 4)".
  private func story(in rules: Ruleset) -> String {
    let deeds = (steps + [self]).map { step in
      let line = step.allow.map { rules.source.line(of: rules[$0].keyword.start) }
      return step.deed + (line.map { " (line \($0))" } ?? "")
    }
    return who + " " + deeds.joined(separator: ", then ")
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
  package func test(name: String) -> JSON {
    if let first = steps.first { return sequence(from: first, name: name) }
    let test = SuiteWriter.test(
      name: name, request, on: documents, expect: decision.isAllowed ? .allow : .deny)
    guard failed != nil, case .object(let members) = test.kind else { return test }
    return JSON(.object(members + [JSON.Member("errors", value: JSON(.bool(true)))]))
  }

  /// What is stored before the first request, as suites write it.
  package var firstDocuments: JSON {
    JSON(
      .object(
        (steps.first ?? self).documents.all.map {
          JSON.Member($0.path.text, value: SuiteWriter.json($0.data))
        }))
  }

  /// The requests as a test with steps: the last one is denied at first, or does not find the document.
  private func sequence(from first: Counterexample, name: String) -> JSON {
    // Written as the last one is: what an update changes is not what makes one document of another.
    var tests = [("what is not allowed at first", request, documents, Test.Expectation.deny)]
    if case .list(let query) = request.operation,
      !(first.documents[document].map { query.returns(document, with: $0) } ?? false)
    {
      tests = []
    }
    for step in steps { tests.append((step.deed, step.request, step.documents, .allow)) }
    tests.append((deed, request, documents, .allow))
    let parts = tests.map { name, request, documents, expectation -> JSON in
      let test = SuiteWriter.test(name: name, request, on: documents, expect: expectation)
      guard case .object(let members) = test.kind else { return test }
      return JSON(.object(members.filter { $0.key != "documents" }))
    }
    var members = [JSON.Member("name", value: JSON(.string(Text(name))))]
    if !first.documents.all.isEmpty {
      members.append(JSON.Member("documents", value: firstDocuments))
    }
    members.append(JSON.Member("steps", value: JSON(.array(parts))))
    return JSON(.object(members))
  }
}
