import RulesLang
import RulesProof

/// The access that a statement gives: its cells of the audit's matrix.
package struct AllowAccess: Sendable {
  /// The statement.
  var allow: AllowID
  /// The offset for an inlay hint: behind the operations of the statement.
  package var place: UInt32
  /// The access in a few words: `always: owner {uid}; only if: signed in`.
  package var summary: String
  /// One line for each operation.
  package var details: [String]

  /// Returns the access beside each statement, in the order of the text.
  static func all(in rules: Checked, of paths: [AccessMatrix.Path]) -> [AllowAccess] {
    var found: [AllowAccess] = []
    for path in paths {
      for block in path.blocks {
        for allow in rules.ruleset[block].allows where !rules.methods[allow.index].isEmpty {
          let rows = path.rows.filter { rules.methods[allow.index].contains($0.operation.method) }
          guard !rows.isEmpty else { continue }
          found.append(
            AllowAccess(
              allow: allow, place: rules.ruleset[allow].operationsRange.end,
              summary: summary(of: rows, by: path.columns),
              details: rows.map { "\($0.operation.label): " + answers(of: $0, by: path.columns) }))
        }
      }
    }
    return found.sorted { $0.place < $1.place }
  }

  /// The answers that are shown, the most open first. Clients without access are not mentioned.
  private static let told: [AccessMatrix.Answer] = [.always, .onlyIf, .undecided]

  private static func summary(of rows: [AccessMatrix.Row], by columns: ClientColumns) -> String {
    var kinds: [(client: String, words: [String])] = []
    for (column, client) in columns.labels.enumerated() {
      let answers = rows.compactMap { column < $0.cells.count ? $0.cells[column].answer : nil }
      guard let first = answers.first else { continue }
      let isSame = answers.allSatisfy { $0 == first }
      kinds.append((client, isSame ? [first.word] : words(of: answers)))
    }
    if kinds.allSatisfy({ $0.words == [AccessMatrix.Answer.never.word] }) { return "nobody" }
    if let first = kinds.first, kinds.allSatisfy({ $0.words == first.words }) {
      return "anyone: " + first.words.joined(separator: " or ")
    }
    var groups: [(words: [String], clients: [String])] = []
    for kind in kinds where kind.words != [AccessMatrix.Answer.never.word] {
      if let place = groups.firstIndex(where: { $0.words == kind.words }) {
        groups[place].clients.append(kind.client)
      } else {
        groups.append((kind.words, [kind.client]))
      }
    }
    return groups.map {
      $0.clients.joined(separator: ", ") + ": " + $0.words.joined(separator: " or ")
    }.joined(separator: "; ")
  }

  private static func words(of answers: [AccessMatrix.Answer]) -> [String] {
    (told + [.never]).filter { answers.contains($0) }.map { $0.word }
  }

  private static func answers(of row: AccessMatrix.Row, by columns: ClientColumns) -> String {
    zip(columns.labels, row.cells).map { client, cell in "\(client) \(cell.answer.word)" }
      .joined(separator: ", ")
  }
}
