import RulesEncoding
package import RulesEval
import RulesLang
import RulesProof
import RulesReport

extension ProofReport {
  /// The machine-readable report, schema `rules-check.prove/1`.
  package var json: JSONText {
    let suites = files.map { file in
      JSONText.object([
        ("suite", .string(file.source.name)), ("rules", .string(file.rulesPath)),
        ("database", .string(String(file.database.text))),
        ("claims", .array(file.results.map { $0.json })),
      ])
    }
    return .object(
      [("schema", .string("rules-check.prove/1")), ("suites", .array(suites))]
        + refusals.errorMembers + [("summary", .object(results.counts))])
  }
}

extension [ClaimResult] {
  /// The number of claims of each verdict, as members of a summary.
  var counts: [(String, JSONText)] {
    func count(_ word: String) -> JSONText {
      .int(filter { $0.verdict.word == word }.count)
    }
    return [
      ("claims", .int(self.count)), ("proved", count("proved")), ("violated", count("violated")),
      ("undecided", count("undecided")), ("vacuous", count("vacuous")),
      ("unchecked", .int(filter { $0.isUnchecked }.count)),
    ]
  }
}

extension ClaimResult {
  /// The claim's entry in a machine-readable report.
  var json: JSONText {
    var members: [(String, JSONText)] = [("name", .string(claim.name))]
    members += claim.scopeMembers
    members += [
      ("verdict", .string(verdict.word)),
      ("expect", .string(claim.expectation.word)), ("passed", .bool(isPassed)),
      ("milliseconds", .number(milliseconds)),
    ]
    if !notes.isEmpty { members.append(("notes", .array(notes.map { .string($0) }))) }
    switch verdict {
    case .proved(let proof):
      members.append(("checked", .bool(proof.check.isChecked)))
      if let uncheckedReason { members.append(("uncheckedBecause", .string(uncheckedReason))) }
      if proof.grantsNothing { members.append(("grantsNothing", .bool(true))) }
      if let induction = proof.induction { members.append(("induction", .string(induction))) }
      members.append(("statements", .array(proof.statements.map { statement($0) })))
    case .vacuous(let vacuity):
      if let meant = vacuity.meant { members.append(("didYouMean", .string(meant))) }
    case .violated(let counterexample):
      members.append(("summary", .string(counterexample.sentence(in: rules))))
      if let allow = counterexample.allow { members.append(("line", .int(line(of: allow)))) }
      members.append(
        ("counterexample", JSONText(counterexample.test(name: claim.name))))
      members.append(("closing", JSONText(counterexample.closingTest(name: claim.name))))
      if let repairs { members.append(("repairs", .array(repairs.map { json($0) }))) }
    case .undecided(let openReasons):
      members.append(("reasons", .array(openReasons.map { reason($0) })))
    }
    return .object(members)
  }

  /// The time in milliseconds, to three places.
  var milliseconds: String {
    let microseconds = nanoseconds / 1000
    let fraction = String(1000 + microseconds % 1000).dropFirst()
    return "\(microseconds / 1000).\(fraction)"
  }

  private func line(of allow: AllowID) -> Int {
    rules.source.line(of: rules[allow].keyword.start)
  }

  private func statement(_ safety: Proof.Safety) -> JSONText {
    .object([
      ("line", .int(line(of: safety.allow))),
      ("methods", .array(safety.methods.methods.map { .string($0.word) })),
      ("because", .array(safety.core.map { .string(rules.source.string(rules[$0].range)) })),
    ])
  }

  private func json(_ repair: Repair) -> JSONText {
    .object([
      ("change", .string(repair.change)), ("lines", .array(repair.lines.map { .string($0) })),
      ("takesAway", .array(repair.takesAway.map { .string($0) })),
    ])
  }

  private func reason(_ openReason: OpenReason) -> JSONText {
    var members: [(String, JSONText)] = [("reason", .string(openReason.reason))]
    if let range = openReason.range {
      let place = rules.source.position(of: range.start)
      members += [("line", .int(place.line)), ("column", .int(place.column))]
    }
    return .object(members)
  }
}

extension Claim {
  /// The scope and the obligation of the claim as members of a report, in the words of suites.
  var scopeMembers: [(String, JSONText)] {
    var members: [(String, JSONText)] = [
      ("path", .string(path.text)),
      ("methods", .array(scopeMethods.methods.map { .string($0.word) })),
    ]
    if !writes.isEmpty {
      members.append(("writes", .array(writes.map { .string(String($0.notation)) })))
    }
    if let limit = kept == nil ? given : keptGiven {
      members.append(("given", .string(String(limit.text))))
    }
    switch through {
    case .any: members.append(("through", .string("any")))
    case .steps(let count): members.append(("through", .int(count)))
    case nil: break
    }
    if let kept {
      members += [("obligation", .string("keeps")), ("condition", .string(String(kept.text)))]
      return members
    }
    members.append(("obligation", .string(obligation.key)))
    if let condition = obligation.condition {
      members.append(("condition", .string(String(condition.text))))
    }
    return members
  }
}
