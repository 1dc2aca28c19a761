import RulesLang

/// The lint for reading a resource that the request does not have.
enum AbsentResource {
  static let lint = Lint(
    "absent-resource", level: .on(.warning),
    summary: "the condition needs a document that such a request does not have",
    reason: """
      `resource` is what is stored: null in a create. `request.resource` is what is written: null in
      a delete, and it does not exist in a read. Reading a field of it is an error, so the statement
      never grants that operation. `write` covers create, update and delete.
      """,
    avoid: """
      match /notes/{id} {
        allow write: if request.auth != null && resource.data.owner == request.auth.uid;
      }
      """,
    prefer: """
      match /notes/{id} {
        allow create: if request.auth != null && request.resource.data.owner == request.auth.uid;
        allow update: if request.auth != null && resource.data.owner == request.auth.uid
                      && request.resource.data.owner == resource.data.owner;
        allow delete: if request.auth != null && resource.data.owner == request.auth.uid;
      }
      """,
    find: { subject in
      subject.allows.compactMap { allow -> Diagnostic? in
        let dead = subject.checked.methods[allow.index].methods.filter {
          isDead(allow, for: $0, in: subject)
        }
        guard let first = dead.first else { return nil }
        let isWhole = dead.count == subject.checked.methods[allow.index].methods.count
        var finding = Diagnostic.finding(
          isWhole
            ? "this statement never grants anything"
            : "this statement never grants \(dead.listed)",
          at: subject.operations(allow),
          help: first == .create
            ? "for a create, check `request.resource.data`"
            : "check `resource.data`, the stored data")
        var seen: [SourceRange] = []
        for method in dead {
          guard let place = place(of: allow, for: method, in: subject), !seen.contains(place.range)
          else {
            continue
          }
          seen.append(place.range)
          finding = finding.relating(place.range, as: "\(place.name) \(absence(method))")
        }
        return finding
      }
    })

  private static func absence(_ method: Method) -> String {
    switch method {
    case .create: "is null in a create"
    case .delete: "is null in a delete"
    case .get, .list, .update: "does not exist in a \(method.word)"
    }
  }

  /// True if a statement never grants a method, but could if the document existed.
  private static func isDead(
    _ allow: AllowID, for method: Method, in subject: LintSubject
  ) -> Bool {
    for client in AbstractRequest.Client.allCases
    where subject.outcomes(of: allow, for: method, by: client).contains(.truth) {
      return false
    }
    var outlook = Outlook(
      on: subject.checked,
      in: AbstractRequest(method: method, client: .signedIn, pretendsResources: true))
    return outlook.outcomes(of: allow).contains(.truth)
  }

  /// Returns the first expression that needs the document; of several that begin at one place, the innermost.
  private static func place(
    of allow: AllowID, for method: Method, in subject: LintSubject
  ) -> (range: SourceRange, name: String)? {
    var outlook = Outlook(
      on: subject.checked, in: AbstractRequest(method: method, client: .signedIn))
    _ = outlook.outcomes(of: allow)
    var found: (range: SourceRange, name: String)?
    for (id, outcomes) in outlook.reached where outcomes == .error {
      guard let name = absent(id, in: subject) else { continue }
      let range = subject.rules[id].range
      let isFirst = found.map { known in
        (range.start, range.end) < (known.range.start, known.range.end)
      }
      if isFirst ?? true { found = (range, name) }
    }
    return found
  }

  /// Returns the name of the absent variable that an expression reads directly; nil if it reads none.
  private static func absent(_ id: ExprID, in subject: LintSubject) -> String? {
    if subject.isMember(id, named: "resource", of: .request) { return "`request.resource`" }
    guard case .member(let base, _) = subject.rules[id].kind, subject.record(base) == .resource
    else { return nil }
    if case .variable = subject.rules[subject.rules.unparenthesized(base)].kind {
      return "`resource`"
    }
    return "`request.resource`"
  }
}
