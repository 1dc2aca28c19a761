package import RulesEval
import RulesLang
import RulesProof
import RulesReport

extension AuditReports {
  /// The machine-readable report: of the one file, or all of them under `"audits"`.
  package var json: JSONText {
    if reports.count == 1, refusals.isEmpty {
      AuditReport.form.json((reports[0], notices))
    } else {
      Self.several.json(self)
    }
  }

  /// The schema of the report: of one file, or of several or none, with errors.
  static var schema: JSONText {
    JSONSchema.either(
      "The report of audit.", [JSONSchema.reference("audit"), several.schema])
  }

  private static let several = JSONForm<Self>(
    "Several rules files.",
    [
      .schema("audit"),
      .list("audits?", "The audits.", of: AuditReport.form.defined("audit")) { audits in
        audits.reports.map { ($0, []) }
      },
      .errors { $0.refusals }, .notices { $0.notices },
    ])
}

extension AuditReport {
  /// The machine-readable report, schema `rules-check.audit/1`.
  package var json: JSONText { Self.form.json((self, [])) }

  /// The form of the audit of one file, with the notices of the run.
  static let form = JSONForm<(AuditReport, [ProjectNotice])>(
    "The audit of a rules file.",
    members.inside { audit, _ in audit }, [.notices { _, notices in notices }])

  private static let members: [JSONMember<AuditReport>] = [
    .schema("audit"), .text("rules", "The rules file.") { $0.rulesPath },
    .database { $0.database }, .databases,
    .text("sha256", "The hash of the rules file.") { $0.hash },
    .text("date", "The day of the audit.") { $0.date }, .profile { $0.profile },
    .text("field?", "The field of `--field`.") { $0.field },
    .list("paths", "The paths.", of: path) { audit in audit.matrix.paths.map { ($0, audit) } },
    .list("findings", "The findings.", of: finding) { audit in
      audit.findings.map { ($0, audit) }
    },
    .list("escalations", "Conditions that clients can make true.", of: escalation) { audit in
      audit.matrix.escalations.map { ($0, audit) }
    },
    .texts("assumptions", "The assumptions of the answers.") { _ in assumptions },
    .member("summary", summary) { $0 },
  ]

  private static let summary = JSONForm<AuditReport>(
    "The numbers of answers.",
    [.count("answers", "All answers.") { $0.matrix.cells.count }],
    answers.map { answer in
      .count(answer.key, "Answers that are \(answer.key).") { $0.matrix.count(answer) }
    },
    [
      .count("unchecked", "Proved answers that the proof checker has not confirmed.") {
        $0.matrix.unchecked
      },
      .count("silenced?", "Findings that a comment or a level silences.") {
        $0.silenced.isEmpty ? nil : $0.silenced.count
      },
    ])

  private static let path = JSONForm<(path: AccessMatrix.Path, audit: AuditReport)>(
    "The documents of a path.",
    [
      .text("path", "The path.") { $0.path.path.text },
      .texts("except?", "Narrower paths, which have answers of their own.", of: "A path.") {
        $0.path.path.exceptions.map { ClaimPath($0).text }
      },
      .lines("lines", "The lines of the blocks.") { one in
        let rules = one.audit.rules
        return one.path.blocks.map { rules.source.line(of: rules[$0].keyword.start) }
      },
      .list(
        "clients", "The kinds of clients; none if narrower paths have all documents.", of: client
      ) { one in one.path.clients.map { ($0, one.path.columns) } },
      .list("answers", "The answer for each client and operation.", of: cell) { one in
        let labels = one.path.columns.labels
        return one.path.rows.flatMap { row in
          let exposures = one.path.exposures(row.cells)
          return labels.indices.map {
            Answered(row.operation, labels[$0], row.cells[$0], exposures[$0], one.audit)
          }
        }
      },
    ])

  private static let client = JSONForm<(Client, ClientColumns)>(
    "A kind of client.",
    [
      .text("client", "The name of the kind.") { $1.label(of: $0) },
      .text("condition", "The condition that clients of the kind meet.") { $1.condition(of: $0) },
    ])

  private typealias Answered = (
    operation: AccessMatrix.Operation, client: String, cell: AccessMatrix.Cell,
    exposure: Exposure, audit: AuditReport
  )

  private static let cell = JSONForm<Answered>(
    "The answer for a kind of client.",
    [
      .text("client", "The kind of client.") { $0.client },
      .text("operation", "The operation in words.") { $0.operation.label },
      .text("method", "The method.") { $0.operation.method.word },
      .word("answer", "The answer for the operation.", among: answers.map { $0.key }) {
        $0.cell.answer.key
      },
      .word(
        "exposure", "Who is let in: `anyone` and `anyoneIf` (on a condition) may be a new account.",
        among: Exposure.allCases.map { $0.rawValue }
      ) { $0.exposure.rawValue },
      .text("field?", "The field that is written.") {
        switch $0.operation {
        case .update(let field), .createWith(let field): String(field)
        case .get, .list, .listGroup, .create, .updateOther, .delete: nil
        }
      },
      .flag("checked?", "True if the proof checker has confirmed the answer.") {
        $0.cell.answer.isProved ? $0.cell.unchecked == nil : nil
      },
      .text("uncheckedBecause?", "Why the proof checker has not confirmed the answer.") {
        $0.cell.answer.isProved ? $0.cell.unchecked?.sentence : nil
      },
      .list("onlyIf?", "The conditions, one of which allows it.", of: alternative) { one in
        one.cell.alternatives.map { ($0, one.audit) }
      },
      .member("because?", because) { $0.cell.answer == .never ? ($0.cell.basis, $0.audit) : nil },
      .member("allowed?", request) { one in one.cell.allowed.map { ($0, one) } },
      .member("denied?", request) { one in one.cell.denied.map { ($0, one) } },
      .texts("reasons?", "Why the answer is undecided.") { one in
        one.cell.openReasons.map { one.audit.text(of: $0) }
      },
    ])

  private static let because = JSONForm<([Proof.Safety], AuditReport)>(
    schema: JSONSchema.list("The reasons why the operation is never allowed.", of: safety.schema)
  ) { basis, audit in .array(basis.map { safety.json(($0, audit)) }) }

  private static let safety = JSONForm<(Proof.Safety, AuditReport)>(
    "A statement.",
    [
      .count("line", "The line of the statement.") { $1.line(of: $0.allow) },
      .texts("conditions", "The conditions that keep the statement from granting.") {
        $0.conjuncts(in: $1.rules)
      },
    ])

  private static let alternative = JSONForm<(AccessMatrix.Alternative, AuditReport)>(
    "A condition.",
    [
      .text("condition", "The part of the condition that is left.") { one, _ in one.residual.text },
      .count("line", "The line of the statement.") { $1.line(of: $0.allow) },
      .text("path?", "The paths for which the statement grants.") { one, _ in one.place },
      .text("queries?", "The queries for which the statement grants.") { one, _ in
        switch one.reach {
        case .all: nil
        case .namedQueries: "that name the document"
        case .queriesBelowDocuments: "below a document"
        case .namedOrBelowDocuments: "that name the document or read below one"
        }
      },
    ])

  /// The form of a request, as a test that expects the rules' decision.
  private static let request = JSONForm<(Counterexample, Answered)>(
    "A request that shows the answer.",
    [
      .text("summary", "The request in a sentence.") { $0.sentence(in: $1.audit.rules) },
      .test("test") { JSONText($0.record(name: "\($1.client): \($1.operation.label)")) },
    ])

  private static let escalation = JSONForm<(Escalation, AuditReport)>(
    "A condition that clients may make true by several requests.",
    [
      .count("line", "The line of the statement.") { $1.line(of: $0.allow) },
      .text("path", "The path.") { one, _ in one.path.text },
      .word("level", "The severity.", among: ["alarm", "note"]) { one, _ in one.level.word },
      .text("message", "The message.") { one, _ in one.message },
      .flag("stable", "True if clients are proved unable to make the condition true.") { one, _ in
        one.isStable
      },
      JSONMember(
        "documents", JSONSchema.type("object", "The documents before the requests, by path.")
      ) {
        one, _ in one.sequence.map { JSONText($0.firstDocuments) } ?? .object([])
      },
      .tests("steps", "The requests.") { one, _ in one.steps.map { JSONText($0) } },
    ])

  private static let finding = JSONForm<(AuditFinding, AuditReport)>(
    "A finding.",
    [
      .word("weight", "The severity.", among: ["note", "caution", "alarm"]) { one, _ in
        one.weight.word
      },
      .text("path?", "The path, unless the finding is about a line.") { one, _ in one.path },
      .count("line?", "The line of a warning of `check`.") { one, _ in one.line },
      .lines("otherLines?", "Further lines with that warning.") { one, _ in one.otherLines },
      .text("message", "The message.") { one, _ in one.message },
      .texts("codes?", "The codes of the warnings of `check`.", of: "A code.") { one, _ in
        one.codes
      },
      .text("example?", "A request in a sentence.") { $0.witness?.sentence(in: $1.rules) },
      .test("test?") { one, _ in one.witness.map { JSONText($0.record(name: one.message)) } },
    ])
}

extension AccessMatrix.Answer {
  /// The word in machine-readable reports, which is that of claims.
  fileprivate var key: String { self == .onlyIf ? "onlyIf" : word }
}
