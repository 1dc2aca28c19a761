import RulesEncoding
import RulesEval
package import RulesLang
package import RulesProof

/// All data of an audit's report.
package struct AuditReport: Sendable {
  /// The path with which the rules file was opened.
  package var rulesPath: String
  /// The rules.
  package var rules: Ruleset
  /// The SHA-256 of the file, in base 16.
  package var hash: String
  /// The date on the report.
  package var date: String
  /// The profile.
  package var profile: Profile
  /// The database that the rules are deployed to.
  package var database: DatabaseName
  /// The answers.
  package var matrix: AccessMatrix
  /// The only field that was examined; nil for all.
  package var field: String?
  /// Warnings of `check`, in the order of the text.
  package var warnings: [Diagnostic]
  /// Silenced warnings of `check`, in the order of the text.
  package var silenced: [Diagnostic] = []

  /// Creates the report of rules that were read from a file.
  package init(
    rulesPath: String, rules: Ruleset, hash: String, date: String, profile: Profile,
    database: DatabaseName = .standard, matrix: AccessMatrix, field: String? = nil,
    warnings: [Diagnostic] = []
  ) {
    self.rulesPath = rulesPath
    self.rules = rules
    self.hash = hash
    self.date = date
    self.profile = profile
    self.database = database
    self.matrix = matrix
    self.field = field
    self.warnings = warnings
  }

  /// The explanation of a table's columns.
  static let columnsAssumption =
    "Every client is in exactly one column of a table; a column names the clients that it excludes."

  /// The assumptions on which the answers rest.
  static let assumptions = [
    columnsAssumption
      + " A client that is several of these is in the column that names them together. \"Named by "
      + "a document\" means before the request or, for a new document, in the written data.",
    "Clients are apps with an ID token or without one. Servers with a service account are not bound "
      + "by rules.",
    "`always` and `never` hold for any stored documents, any data sent, any query and any time. "
      + "What Firestore refuses by itself (quotas, missing documents, indexes) is not counted.",
    "A read gives the whole document: rules cannot hide a field.",
    "`update F` counts every update that adds, changes or removes the field F, no matter what "
      + "else it does. An update that changes nothing is in no row.",
    "A path that matches none of the patterns is denied: no statement applies to it.",
    "Each proof rests on the assumptions about requests in Docs/Proofs.md, §3: among others "
      + "that requests are to the database of the report and that a token has a uid and a sign-in "
      + "provider.",
  ]

  /// Returns the rows of a path's table; updates with the same answers are one row.
  func rows(of path: AccessMatrix.Path) -> [AuditRow] {
    var rows: [AuditRow] = []
    for row in path.rows {
      let isUpdate = row.operation.method == .update
      if isUpdate, let last = rows.last, last.isUpdate, last.hasAnswers(of: row) {
        rows[rows.count - 1].operations.append(row.operation)
      } else {
        rows.append(AuditRow(operations: [row.operation], cells: row.cells, isUpdate: isUpdate))
      }
    }
    let updates = rows.filter { $0.isUpdate }
    // With --field there is one row for updates, too.
    if field == nil, updates.count == 1, let place = rows.firstIndex(where: { $0.isUpdate }) {
      rows[place].coversAllFields = true
    }
    return rows
  }

  /// Returns the line of a statement.
  func line(of allow: AllowID) -> Int { rules.source.line(of: rules[allow].keyword.start) }

  /// Returns the place and the reason of an open question.
  func text(of openReason: OpenReason) -> String {
    guard let range = openReason.range else { return openReason.reason }
    return "line \(rules.source.line(of: range.start)): \(openReason.reason)"
  }

  /// The answers in the order of a summary, the most open first.
  static let answers: [AccessMatrix.Answer] = [.always, .onlyIf, .never, .undecided]

  /// The summary: `21 answers: 6 always, 3 only if, 12 never, 0 undecided; 2 not checked`.
  var summary: String {
    let count = matrix.cells.count
    let answers =
      "\(count.of("answer")): "
      + Self.answers.map { "\(matrix.count($0)) \($0.word)" }.joined(separator: ", ")
    let unchecked = matrix.unchecked == 0 ? [] : ["\(matrix.unchecked) not checked"]
    return ([answers] + unchecked + silenced.parts(of: rulesPath, rules.source)).joined(
      separator: "; ")
  }
}

/// One row of a table: an operation, or the update of several fields with the same answers.
struct AuditRow {
  /// The operations.
  var operations: [AccessMatrix.Operation]
  /// The answers, one for each client.
  var cells: [AccessMatrix.Cell]
  /// True if the operations are updates.
  var isUpdate: Bool
  /// True if the row has all updates of the path.
  var coversAllFields = false

  /// The fields of a row that has all updates of the path, for which its name says `any field`.
  var coveredFields: [String] {
    guard coversAllFields else { return [] }
    return operations.compactMap {
      guard case .update(let name) = $0 else { return nil }
      return String(name)
    }
  }

  /// The name of the row.
  var label: String {
    if coversAllFields { return "update any field" }
    let labels = operations.map { $0.label }
    guard operations.count > 1 else { return labels[0] }
    return "update " + labels.map { String($0.dropFirst("update ".count)) }.joined(separator: ", ")
  }

  /// True if another row has the same answers under the same conditions.
  func hasAnswers(of row: AccessMatrix.Row) -> Bool {
    zip(cells, row.cells).allSatisfy { one, other in
      one.answer == other.answer && one.alternatives == other.alternatives
        && one.openReasons == other.openReasons
    }
  }
}

/// The conditions of a path's table, each with its number.
struct AuditConditions {
  /// The conditions; the first has number 1.
  private(set) var all: [[AccessMatrix.Alternative]] = []

  /// Numbers the conditions of some rows in the order of their first occurrence.
  init(_ rows: [AuditRow]) {
    for cell in rows.flatMap({ $0.cells }) where !cell.alternatives.isEmpty {
      if !all.contains(cell.alternatives) { all.append(cell.alternatives) }
    }
  }

  /// Returns the number of a cell's condition; nil if it has none.
  func number(of cell: AccessMatrix.Cell) -> Int? {
    all.firstIndex(of: cell.alternatives).map { $0 + 1 }
  }
}

extension Proof.Safety {
  /// Returns the conjuncts that keep a statement from granting, in the rules' own text.
  func conjuncts(in rules: Ruleset) -> [String] {
    core.map { rules.source.string(rules[$0].range).oneLine }
  }
}

extension String {
  /// The text with each run of spaces and line ends as one space.
  var oneLine: String {
    split { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
      .joined(separator: " ")
  }
}

extension AuditReport {
  /// Returns a sentence about what else the first request of some escalations opens; nil if nothing.
  func others(of group: EscalationGroup) -> String? {
    if group.others.isEmpty { return nil }
    let lines = group.others.map { String(line(of: $0.allow)) }
    return
      "the same opens \(lines.count.of("more statement")): \(lines.count == 1 ? "line" : "lines") "
      + lines.joined(separator: ", ")
  }
}
