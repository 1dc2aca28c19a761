package import RulesEval
package import RulesLang

// Counterexamples as sentences and as tests.

extension Counterexample {
  /// Returns the counterexample as a sentence, with the circumstances: "mallory, whose
  /// /users/mallory has role 'admin', updates fcmToken of /users/alice; line 6 allows it".
  ///
  /// - Parameter path: A document whose contents the sentence leaves out.
  package func sentence(in rules: Ruleset, leavingOut path: DocumentPath? = nil) -> String {
    if !steps.isEmpty { return story(in: rules, leavingOut: path) }
    let source = rules.source
    var end =
      allow.map { "line \(source.line(of: rules[$0].keyword.start)) allows it" }
      ?? "no statement allows it"
    if let failed { end += ", and line \(source.line(of: rules[failed].keyword.start)) fails" }
    return "\(words.text); \(end)"
  }

  /// Returns the requests in order: "mallory, signed in, updates role of /users/mallory (line 6),
  /// then reads /admin/x (line 4)".
  private func story(in rules: Ruleset, leavingOut path: DocumentPath?) -> String {
    var last: String?
    let deeds = (steps + [self]).map { step in
      let line = step.allow.map { rules.source.line(of: rules[$0].keyword.start) }
      let (words, actor) = (step.words, step.words.who)
      let shown = last == nil ? words.namedWho + " " : actor == last ? "" : actor + " "
      last = actor
      return shown + words.wholeDeed + (line.map { " (line \($0))" } ?? "")
    }
    let told = (steps + [self]).flatMap { $0.words.ownDocuments.map { $0.path } }
    return deeds.joined(separator: ", then ")
      + (steps.first ?? self).words.beginning(besides: told, leavingOut: path)
  }

  /// Returns a test that records the present decision: it passes until the hole is closed.
  package func test(name: String) -> JSON {
    if let first = steps.first { return sequence(from: first, name: name) }
    let test = SuiteWriter.test(
      name: name, request, on: documents, expect: decision.isAllowed ? .allow : .deny)
    guard failed != nil, case .object(let members) = test.kind else { return test }
    return JSON(.object(members + [JSON.Member("errors", value: JSON(.bool(true)))]))
  }

  /// Returns a test that fails until the hole is closed.
  ///
  /// For several requests, the test denies the first one, which enables the others. If the first
  /// document names its client, that request may be legitimate use by the document's owner: then
  /// only the last one is denied.
  package func closingTest(name: String) -> JSON {
    let first = steps.first ?? self
    if !steps.isEmpty, !first.words.namingFields.isEmpty {
      return sequence(from: first, name: name, allowsLast: false)
    }
    if failed != nil {
      let test = SuiteWriter.test(
        name: name, request, on: documents, expect: decision.isAllowed ? .allow : .deny)
      guard case .object(let members) = test.kind else { return test }
      return JSON(.object(members + [JSON.Member("errors", value: JSON(.bool(false)))]))
    }
    return SuiteWriter.test(
      name: name, first.request, on: first.documents,
      expect: first.decision.isAllowed ? .deny : .allow)
  }

  /// The documents stored before the first request, as in suites.
  package var firstDocuments: JSON {
    JSON(
      .object(
        (steps.first ?? self).documents.all.map {
          JSON.Member($0.path.text, value: SuiteWriter.json($0.data))
        }))
  }

  /// Returns the requests as a test with steps. Unless the last request finds no document at first,
  /// it begins with that request denied.
  private func sequence(
    from first: Counterexample, name: String, allowsLast: Bool = true
  ) -> JSON {
    // As the last request writes it: the fields of an update would not fit the earlier document.
    var tests = [("not allowed at first", request, documents, Test.Expectation.deny)]
    if case .list(let query) = request.operation,
      !(first.documents[document].map { query.returns(document, with: $0, in: database) } ?? false)
    {
      tests = []
    }
    if !allowsLast { tests = [] }
    for step in steps { tests.append((step.words.deed, step.request, step.documents, .allow)) }
    tests.append((words.deed, request, documents, allowsLast ? .allow : .deny))
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
