import RulesLang

// Claims as suites state them.

extension SuiteWriter {
  /// A claim, ready to be put into a suite.
  public static func claim(_ claim: Claim) -> JSON {
    func text(_ text: Text) -> JSON { JSON(.string(text)) }
    var members = [
      JSON.Member("name", text(Text(claim.name))),
      JSON.Member("path", text(Text(claim.path.text))),
      JSON.Member(
        "methods", JSON(.array(claim.methods.methods.map { text(Text($0.word)) }))),
    ]
    if !claim.writes.isEmpty {
      members.append(JSON.Member("writes", JSON(.array(claim.writes.map { text($0.notation) }))))
    }
    if let given = claim.given { members.append(JSON.Member("given", text(given.text))) }
    switch claim.obligation {
    case .onlyIf(let condition): members.append(JSON.Member("onlyIf", text(condition.text)))
    case .alwaysIf(let condition): members.append(JSON.Member("alwaysIf", text(condition.text)))
    case .never: members.append(JSON.Member("never", JSON(.bool(true))))
    case .noErrors: members.append(JSON.Member("errors", JSON(.bool(false))))
    }
    members.append(JSON.Member("expect", text(Text(claim.expectation.word))))
    return JSON(.object(members))
  }
}
