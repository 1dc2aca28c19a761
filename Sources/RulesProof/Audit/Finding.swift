package import RulesEval
import RulesLang

/// An access worth reporting.
package struct AccessFinding: Sendable {
  /// The severity of a finding.
  package enum Weight: Int, Sendable, Comparable {
    /// Good to know.
    case note
    /// Often unintended.
    case caution
    /// Hardly ever intended.
    case alarm

    /// The word in reports.
    package var word: String {
      switch self {
      case .note: "note"
      case .caution: "caution"
      case .alarm: "alarm"
      }
    }

    /// Orders by weight.
    package static func < (left: Weight, right: Weight) -> Bool { left.rawValue < right.rawValue }
  }

  /// The severity.
  package var weight: Weight
  /// The documents.
  package var path: ClaimPath
  /// The sentence.
  package var message: String
  /// A request that shows it.
  package var witness: Counterexample?
  /// The cell of the path whose example is the witness.
  var cell: AccessMatrix.CellPlace?
}

extension AccessMatrix {
  /// The findings by severity, and then in the order of the paths.
  package var findings: [AccessFinding] {
    let all = paths.flatMap { $0.findings }
    return [.alarm, .caution, .note].flatMap { weight in all.filter { $0.weight == weight } }
  }
}

extension AccessMatrix.Path {
  /// The findings of one path.
  var findings: [AccessFinding] {
    if isOvershadowed { return [] }
    var findings: [AccessFinding] = []
    // Access that everybody has is not repeated for signed-in clients.
    var known: Set<Int> = []
    for column in clients.indices {
      let deeds = deeds(in: column).compactMap { deed -> Deed? in
        var deed = deed
        deed.rows.removeAll { known.contains($0) }
        return deed.rows.isEmpty ? nil : deed
      }
      findings += deeds.map { finding(of: $0, in: column) }
      known.formUnion(deeds.filter { $0.opening?.extent != .ifTrue }.flatMap { $0.rows })
    }
    return findings + unknownFields() + shut() + openQuestions()
  }

  // MARK: Strangers

  /// Operations that a client can perform on documents of others.
  private struct Deed {
    /// The indices of their rows.
    var rows: [Int]
    /// The row with the witness.
    var shown: Int
    /// The condition on the request; nil for none.
    var opening: AccessMatrix.Opening?
  }

  /// Returns the deeds of a client: those always possible for anybody, writes first, then the
  /// openings.
  private func deeds(in column: Int) -> [Deed] {
    var deeds: [Deed] = []
    if clients[column].isOpen {
      let always = rows.indices.filter { rows[$0].cells[column].answer == .always }
      let writes = always.filter { rows[$0].operation.method.isWrite }
      let reads = always.filter { !rows[$0].operation.method.isWrite }
      deeds = [writes, reads].compactMap { rows in rows.last.map { Deed(rows: rows, shown: $0) } }
    }
    for opening in openings where opening.column == column {
      let known = deeds.firstIndex { $0.opening.map { $0.isLike(opening) } ?? false }
      if let known {
        deeds[known].rows = (deeds[known].rows + opening.rows).distinct.sorted()
        if opening.shown > deeds[known].shown {
          (deeds[known].shown, deeds[known].opening) = (opening.shown, opening)
        }
      } else {
        deeds.append(Deed(rows: opening.rows, shown: opening.shown, opening: opening))
      }
    }
    return deeds
  }

  private func finding(of deed: Deed, in column: Int) -> AccessFinding {
    let client = clients[column]
    var text = subject(of: deed, in: column)
    if let opening = deed.opening {
      let asked = AskedParts(of: opening)
      if let claims = asked.claims { text = "any client that has \(claims)" }
      text += " can \(words(for: deed.rows)) \(asked.sentence)"
    } else {
      text += " can \(words(for: deed.rows)) every document"
    }
    if client.isMarked, client.isOpen { text += " (anyone can create such an account)" }
    let weight = weight(of: deed, by: client)
    if let opening = deed.opening {
      return AccessFinding(weight: weight, path: path, message: text, witness: opening.witness)
    }
    let cell = AccessMatrix.CellPlace(row: deed.shown, column: column)
    return finding(weight, message: text, cell: cell)
  }

  /// Returns the subject of a deed, without clients that are denied it because of a mark.
  private func subject(of deed: Deed, in column: Int) -> String {
    let subject = columns.subject(of: clients[column])
    guard clients[column] == .stranger else { return subject }
    let asked = deed.opening?.alternative.residual.conjuncts ?? []
    let comparesAccount = asked.contains { $0.reads.contains([.account, .stored]) }
    var excluded: [Mark] = []
    for (place, client) in clients.enumerated() {
      // A condition that compares the account with the document is part of the sentence already.
      guard let mark = columns.onlyMark(of: client), !excluded.contains(mark),
        !(comparesAccount && mark.isOfOwnDocument)
      else { continue }
      // All rows of a method must be "never". Owners have no such row for creating a document of
      // their own.
      let isDenied = Method.allCases.contains { method in
        let own = deed.rows.filter { rows[$0].operation.method == method }
        return !own.isEmpty && !(method == .create && mark.isOfOwnDocument)
          && own.allSatisfy { rows[$0].cells[place].answer == .never }
      }
      if isDenied { excluded.append(mark) }
    }
    if excluded.isEmpty { return subject }
    return subject + " who " + excluded.map { $0.absence }.list
  }

  /// Returns the severity: changing documents of others is hardly ever intended; reading or
  /// creating often is.
  private func weight(of deed: Deed, by client: Client) -> AccessFinding.Weight {
    let operations = deed.rows.map { rows[$0].operation }
    let isChange = operations.contains { $0.method == .update || $0.method == .delete }
    guard let opening = deed.opening else { return isChange ? .alarm : .caution }
    if opening.extent == .ifTrue {
      let asked = AskedParts(of: opening)
      if !isChange { return asked.isLimited ? .note : .caution }
      // Single fields that anybody may set are often intended, such as counters or joining.
      guard operations.contains(where: { $0.isOther || $0.method == .delete }) else { return .note }
      return asked.isLimited || asked.isLookedUp || asked.claims != nil ? .caution : .alarm
    }
    if isChange { return opening.isNow ? .alarm : .caution }
    let isRead = operations.contains { !$0.method.isWrite }
    return client == .signedOut || isRead ? .caution : .note
  }

  /// Returns the verbs, such as `get, list and change any field of`. A read returns the whole
  /// document.
  private func words(for places: [Int]) -> String {
    let operations = places.map { rows[$0].operation }
    let updates = operations.filter { $0.method == .update }
    var words = operations.filter { $0.method != .update }.map { $0.deed }
    if updates.isEmpty {
      let isRead = operations.allSatisfy { !$0.method.isWrite }
      return words.list + (isRead ? " every field of" : "")
    }
    let isWhole = updates.count == updateCount && operations.contains { $0.isOther }
    words.append(
      isWhole
        ? "change any field of" : "change \(updates.map { $0.fieldName }.list) of")
    return words.list
  }

  private var updateCount: Int { rows.count { $0.operation.method == .update } }

  // MARK: Others

  /// Finds fields that no rule names and that a client can set to any value.
  private func unknownFields() -> [AccessFinding] {
    guard let row = rows.firstIndex(where: { $0.operation.isOther }) else { return [] }
    let free = clients.indices.filter {
      clients[$0].isMarked && !clients[$0].isOpen && rows[row].cells[$0].answer == .always
    }
    guard let first = free.first else { return [] }
    let writers = clients.indices.filter { column in
      rows.contains { $0.operation.method == .update && $0.cells[column].answer != .never }
    }
    let names = columns.shortLabels(of: free.map { clients[$0] })
    let who =
      names.count > 1 && writers.allSatisfy { free.contains($0) }
      ? "everybody who may update the document" : names.shortened.joined(separator: "; ")
    return [
      finding(
        .note, message: "fields that no rule mentions can be added and changed by: \(who)",
        cell: AccessMatrix.CellPlace(row: row, column: first))
    ]
  }

  /// Returns operations that nobody can perform although a statement is for them.
  private func shut() -> [AccessFinding] {
    let methods = Method.allCases.filter { method in
      let own = rows.filter { $0.operation.method == method }
      return ruled.contains(method) && !own.isEmpty
        && own.allSatisfy { $0.cells.allSatisfy { $0.answer == .never } }
    }
    if methods.isEmpty { return [] }
    let words = methods.map { $0.word }.list(last: "or")
    return [
      finding(.note, message: "nobody can \(words): no request satisfies the statement for it")
    ]
  }

  private func openQuestions() -> [AccessFinding] {
    let open = rows.flatMap { row in
      zip(clients, row.cells).filter { $0.1.answer == .undecided }.map {
        "\(row.operation.label) (\(columns.label(of: $0.0)))"
      }
    }
    if open.isEmpty { return [] }
    let count = open.count == 1 ? "1 answer is undecided" : "\(open.count) answers are undecided"
    return [finding(.caution, message: "\(count): " + open.shortened.joined(separator: "; "))]
  }

  private func finding(
    _ weight: AccessFinding.Weight, message: String, cell: AccessMatrix.CellPlace? = nil
  ) -> AccessFinding {
    AccessFinding(
      weight: weight, path: path, message: message,
      witness: cell.flatMap { rows[$0.row].cells[$0.column].allowed }, cell: cell)
  }
}

extension AccessMatrix.Operation {
  /// The operation as a verb.
  fileprivate var deed: String {
    switch self {
    case .get: "get"
    case .list: "list"
    case .listGroup: "list by collection group"
    case .create: "create"
    case .createWith(let name): "create (with \(String(name)))"
    case .update, .updateOther: "update"
    case .delete: "delete"
    }
  }

  /// True for updates of unnamed fields.
  fileprivate var isOther: Bool {
    if case .updateOther = self { return true }
    return false
  }

  /// The field of an update.
  fileprivate var fieldName: String {
    switch self {
    case .update(let name): String(name)
    case .updateOther(let names): names.isEmpty ? "any field" : "a field that no rule mentions"
    case .get, .list, .listGroup, .create, .createWith, .delete: ""
    }
  }
}

extension [String] {
  /// The first names, and the number of further ones.
  fileprivate var shortened: [String] {
    count <= Strategy.names
      ? self : Array(self[..<Strategy.names]) + ["and \(count - Strategy.names) more"]
  }

  /// `a`, `a and b`, `a, b and c`.
  fileprivate var list: String { list(last: "and") }

  /// The words with commas, and a word before the last.
  fileprivate func list(last word: String) -> String {
    guard count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(word) " + self[count - 1]
  }
}
