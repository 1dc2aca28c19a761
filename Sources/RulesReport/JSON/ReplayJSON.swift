package import RulesEval
import RulesLang

extension ReplayedRequest {
  /// The request's line in the machine-readable report.
  package var json: JSONText {
    var members: [(String, JSONText)] = [
      ("request", .int(line)), ("decision", .string(verdict.word)),
    ]
    if case .allow(let line) = verdict { members.append(("line", .int(line))) }
    if case .undecided(let what) = verdict { members.append(("problem", .string(what))) }
    if let before { members.append(("before", .string(before.word))) }
    members += [
      ("as", principalName.map { .string(String($0)) } ?? .null),
      ("method", .string(method.word)), ("path", .string(String(path))),
    ]
    return .object(members)
  }
}
