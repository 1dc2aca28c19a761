package import RulesEval
import RulesLang
import RulesProof
import RulesReport

extension MutationReport {
  /// The machine-readable report, schema `rules-check.mutate/1`.
  package var json: JSONText {
    let counts = counts
    let head: [(String, JSONText)] = [
      ("schema", .string("rules-check.mutate/1")), ("files", .array(files.map { $0.json })),
    ]
    // Without files there is no score.
    let summary: [(String, JSONText)] = [
      (
        "summary",
        .object([
          ("killed", .int(counts.killed)), ("survived", .int(counts.survived)),
          ("equivalent", .int(counts.equivalent)), ("undecided", .int(counts.unknown)),
          ("score", .number(Self.percent(counts.score))),
          // The proof checker states claims about one version of rules.
          ("unchecked", .int(counts.equivalent)),
        ])
      )
    ]
    return .object(head + refusals.errorMembers + (files.isEmpty ? [] : summary))
  }
}

extension MutationReport.Mutant {
  fileprivate var word: String {
    switch fate {
    case .killed: "killed"
    case .survived: "survived"
    case .equivalent: "equivalent"
    case .unknown: "undecided"
    case .invalid: "invalid"
    }
  }
}

extension MutationReport.File {
  fileprivate var json: JSONText {
    var members: [(String, JSONText)] = [
      ("rules", .string(path)), ("database", .string(String(database.text))),
      ("milliseconds", .int(Int(nanoseconds / 1_000_000))),
      ("mutants", .array(mutants.map { json($0) })),
    ]
    if !failing.isEmpty { members.append(("failing", .array(failing.map { .string($0) }))) }
    return .object(members)
  }

  private func json(_ mutant: MutationReport.Mutant) -> JSONText {
    let place = source.position(of: mutant.edit.range.start)
    var members: [(String, JSONText)] = [
      ("mutator", .string(mutant.edit.mutator.rawValue)), ("line", .int(place.line)),
      ("column", .int(place.column)), ("change", .string(mutant.edit.summary)),
      ("replacement", .string(mutant.edit.replacement)), ("fate", .string(mutant.word)),
    ]
    if case .equivalent = mutant.fate { members.append(("checked", .bool(false))) }
    if case .killed(let test) = mutant.fate { members.append(("killedBy", .string(test))) }
    let reasons = mutant.reasons(in: source)
    if !reasons.isEmpty { members.append(("reasons", .array(reasons.map { .string($0) }))) }
    if let sentence = mutant.sentence { members.append(("summary", .string(sentence))) }
    if let test = mutant.test(in: source) { members.append(("test", JSONText(test))) }
    return .object(members)
  }
}
