import RulesLang

// Claims as suites state them.

extension SuiteWriter {
  /// Writes a claim as an element of a suite's `claims`.
  public static func claim(_ claim: Claim) -> JSON {
    func text(_ text: Text) -> JSON { JSON(.string(text)) }
    var members = [
      JSON.Member("name", value: text(Text(claim.name))),
      JSON.Member("path", value: text(Text(claim.path.text))),
    ]
    if let database = claim.database {
      members.insert(JSON.Member("database", value: text(database.text)), at: 1)
    }
    if let kept = claim.kept {
      if let given = claim.keptGiven {
        members.append(JSON.Member("given", value: text(given.text)))
      }
      members += [
        JSON.Member("keeps", value: text(kept.text)),
        JSON.Member("expect", value: text(Text(claim.expectation.word))),
      ]
      return JSON(.object(members))
    }
    members.append(
      JSON.Member(
        "methods", value: JSON(.array(claim.methods.methods.map { text(Text($0.word)) }))))
    if !claim.writes.isEmpty {
      members.append(
        JSON.Member("writes", value: JSON(.array(claim.writes.map { text($0.notation) }))))
    }
    if let given = claim.given { members.append(JSON.Member("given", value: text(given.text))) }
    switch claim.obligation {
    case .onlyIf(let condition): members.append(JSON.Member("onlyIf", value: text(condition.text)))
    case .alwaysIf(let condition):
      members.append(JSON.Member("alwaysIf", value: text(condition.text)))
    case .never: members.append(JSON.Member("never", value: JSON(.bool(true))))
    case .noErrors: members.append(JSON.Member("errors", value: JSON(.bool(false))))
    }
    switch claim.through {
    case .any: members.append(JSON.Member("through", value: text("any")))
    case .steps(let count):
      members.append(JSON.Member("through", value: JSON(.number("\(count)"))))
    case nil: break
    }
    members.append(JSON.Member("expect", value: text(Text(claim.expectation.word))))
    return JSON(.object(members))
  }
}
