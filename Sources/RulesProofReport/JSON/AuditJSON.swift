package import RulesEval
import RulesLang
import RulesProof
import RulesReport

extension AuditReports {
  /// The machine-readable report: of the one file, or all of them under `"audits"`.
  package var json: JSONText {
    if reports.count == 1, refusals.isEmpty, case .object(let members) = reports[0].json {
      return .object(members + notices.members)
    }
    var members: [(String, JSONText)] = [("schema", .string("rules-check.audit/1"))]
    if !reports.isEmpty { members.append(("audits", .array(reports.map { $0.json }))) }
    return .object(members + refusals.errorMembers + notices.members)
  }
}

extension AuditReport {
  /// The machine-readable report, schema `rules-check.audit/1`.
  package var json: JSONText {
    let about = field.map { [("field", JSONText.string($0))] } ?? []
    return .object(
      [
        ("schema", .string("rules-check.audit/1")), ("rules", .string(rulesPath)),
        ("database", .string(String(database.text))),
        ("sha256", .string(hash)), ("date", .string(date)), ("profile", .string(profile.rawValue)),
      ] + about + [
        ("paths", .array(matrix.paths.map { json($0) })),
        ("findings", .array(findings.map { json($0) })),
        ("escalations", .array(matrix.escalations.map { json($0) })),
        ("assumptions", .array(Self.assumptions.map { .string($0) })),
        (
          "summary",
          .object(
            [("answers", .int(matrix.cells.count))]
              + Self.answers.map { ($0.key, .int(matrix.count($0))) }
              + [("unchecked", .int(matrix.cells.count { $0.answer.isProof }))]
              + (silenced.isEmpty ? [] : [("silenced", .int(silenced.count))]))
        ),
      ])
  }

  private func json(_ path: AccessMatrix.Path) -> JSONText {
    let labels = path.columns.labels
    let exceptions = path.path.exceptions.map { JSONText.string(ClaimPath($0).text) }
    let extent = exceptions.isEmpty ? [] : [("except", JSONText.array(exceptions))]
    return .object(
      [("path", .string(path.path.text))] + extent + [
        (
          "lines",
          .array(path.blocks.map { .int(rules.source.line(of: rules[$0].keyword.start)) })
        ),
        (
          "clients",
          .array(
            path.clients.map { client in
              .object([
                ("client", .string(path.columns.label(of: client))),
                ("condition", .string(path.columns.condition(of: client))),
              ])
            })
        ),
        (
          "answers",
          .array(
            path.rows.flatMap { row in
              zip(labels, row.cells).map { json($1, of: $0, for: row.operation) }
            })
        ),
      ])
  }

  private func json(
    _ cell: AccessMatrix.Cell, of client: String, for operation: AccessMatrix.Operation
  ) -> JSONText {
    var members: [(String, JSONText)] = [
      ("client", .string(client)), ("operation", .string(operation.label)),
      ("method", .string(operation.method.word)), ("answer", .string(cell.answer.key)),
    ]
    switch operation {
    case .update(let field), .createWith(let field):
      members.append(("field", .string(String(field))))
    case .get, .list, .listGroup, .create, .updateOther, .delete: break
    }
    // The proof checker is not asked about cells.
    if cell.answer.isProof { members.append(("checked", .bool(false))) }
    if !cell.alternatives.isEmpty {
      members.append(("onlyIf", .array(cell.alternatives.map { json($0) })))
    }
    if cell.answer == .never { members.append(("because", .array(cell.basis.map { json($0) }))) }
    let name = "\(client): \(operation.label)"
    if let request = cell.allowed { members.append(("allowed", json(request, named: name))) }
    if let request = cell.denied { members.append(("denied", json(request, named: name))) }
    if !cell.openReasons.isEmpty {
      members.append(("reasons", .array(cell.openReasons.map { .string(text(of: $0)) })))
    }
    return .object(members)
  }

  private func json(_ alternative: AccessMatrix.Alternative) -> JSONText {
    var members: [(String, JSONText)] = [
      ("condition", .string(alternative.residual.text)),
      ("line", .int(line(of: alternative.allow))),
    ]
    if let place = alternative.place { members.append(("path", .string(place))) }
    switch alternative.reach {
    case .all: break
    case .namedQueries: members.append(("queries", .string("that name the document")))
    case .queriesBelowDocuments: members.append(("queries", .string("below a document")))
    }
    return .object(members)
  }

  private func json(_ safety: Proof.Safety) -> JSONText {
    .object([
      ("line", .int(line(of: safety.allow))),
      ("conditions", .array(safety.conjuncts(in: rules).map { .string($0) })),
    ])
  }

  /// Returns a request as a test that expects the rules' decision.
  private func json(_ request: Counterexample, named name: String) -> JSONText {
    .object([
      ("summary", .string(request.sentence(in: rules))),
      ("test", JSONText(request.record(name: name))),
    ])
  }

  private func json(_ escalation: Escalation) -> JSONText {
    .object([
      ("line", .int(line(of: escalation.allow))), ("path", .string(escalation.path.text)),
      ("level", .string(escalation.level.word)), ("message", .string(escalation.message)),
      ("stable", .bool(escalation.isStable)),
      ("documents", escalation.sequence.map { JSONText($0.firstDocuments) } ?? .object([])),
      ("steps", .array(escalation.steps.map { JSONText($0) })),
    ])
  }

  private func json(_ finding: AuditFinding) -> JSONText {
    var members: [(String, JSONText)] = [("weight", .string(finding.weight.word))]
    if let path = finding.path { members.append(("path", .string(path))) }
    if let line = finding.line { members.append(("line", .int(line))) }
    if !finding.otherLines.isEmpty {
      members.append(("otherLines", .array(finding.otherLines.map { .int($0) })))
    }
    members.append(("message", .string(finding.message)))
    if !finding.codes.isEmpty {
      members.append(("codes", .array(finding.codes.map { .string($0) })))
    }
    if let witness = finding.witness {
      members.append(("example", .string(witness.sentence(in: rules))))
      members.append(("test", JSONText(witness.record(name: finding.message))))
    }
    return .object(members)
  }
}

extension AccessMatrix.Answer {
  /// True if the answer rests on a proof alone.
  fileprivate var isProof: Bool {
    switch self {
    case .never, .always: true
    case .onlyIf, .undecided: false
    }
  }

  /// The word in machine-readable reports, which is that of claims.
  fileprivate var key: String { self == .onlyIf ? "onlyIf" : word }
}
