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

  /// The test that records the present decision: it passes until the hole is closed. Its name says who asks
  /// for what.
  package var test: JSON {
    if let first = steps.first { return sequence(from: first) }
    return single(.init(isAllowed: decision.isAllowed), errors: failed == nil ? nil : true)
  }

  /// The test that fails until the hole is closed. Its name says who asks for what.
  ///
  /// For several requests, the test denies the first one, which enables the others. If the first
  /// document names its client, that request may be legitimate use by the document's owner: then
  /// only the last one is denied.
  package var closingTest: JSON {
    let first = steps.first ?? self
    if !steps.isEmpty, !first.words.namingFields.isEmpty {
      return sequence(from: first, allowsLast: false)
    }
    if failed != nil { return single(.init(isAllowed: decision.isAllowed), errors: false) }
    return first.single(.init(isAllowed: !first.decision.isAllowed), errors: nil)
  }

  /// Returns the last request as a test.
  ///
  /// - Parameter errors: What the test expects of errors in statements; nil if it expects nothing.
  private func single(_ expectation: Test.Expectation, errors: Bool?) -> JSON {
    let end = errors.map { $0 ? ", with an error" : ", without an error" } ?? ""
    let name = RequestSentence.name(request, on: documents, expect: expectation) + end
    let test = SuiteWriter.test(name: name, request, on: documents, expect: expectation)
    guard let errors, case .object(let members) = test.kind else { return test }
    return JSON(.object(members + [JSON.Member("errors", value: JSON(.bool(errors)))]))
  }

  /// The documents stored before the first request, as in suites.
  package var firstDocuments: JSON {
    JSON(
      .object(
        (steps.first ?? self).documents.all.map {
          JSON.Member($0.path.text, value: SuiteWriter.json($0.data))
        }))
  }

  /// The name of a step that shows that the last request is denied before the others.
  private static let beforehand = "not allowed at first"

  /// Returns the requests as a test with steps. Unless the last request finds no document at first,
  /// it begins with that request denied.
  private func sequence(
    from first: Counterexample, allowsLast: Bool = true
  ) -> JSON {
    // As the last request writes it: the fields of an update would not fit the earlier document.
    var tests = [(Self.beforehand, request, documents, Test.Expectation.deny)]
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
    let name = RequestSentence.name(
      tests.filter { $0.0 != Self.beforehand }.map { ($0.1, $0.2, $0.3) })
    var members = [JSON.Member("name", value: JSON(.string(Text(name))))]
    if !first.documents.all.isEmpty {
      members.append(JSON.Member("documents", value: firstDocuments))
    }
    members.append(JSON.Member("steps", value: JSON(.array(parts))))
    return JSON(.object(members))
  }
}

extension Test.Expectation {
  fileprivate init(isAllowed: Bool) { self = isAllowed ? .allow : .deny }
}
