package import RulesEval
import RulesLang

/// Something that an auditor should know first.
package struct AccessFinding: Sendable {
  /// How much it matters.
  package enum Weight: Int, Sendable, Comparable {
    /// Good to know.
    case note
    /// Often not meant.
    case caution
    /// Hardly ever meant.
    case alarm

    /// The word of reports.
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

  /// How much it matters.
  package var weight: Weight
  /// The documents.
  package var path: ClaimPath
  /// The sentence.
  package var message: String
  /// A request that shows it.
  package var witness: Counterexample?
  /// The cell of the path whose request it is.
  var cell: AccessMatrix.CellPlace?
}

extension AccessMatrix {
  /// What stands out, the gravest first, else in the order of the paths.
  package var findings: [AccessFinding] {
    let all = paths.flatMap { $0.findings }
    return [.alarm, .caution, .note].flatMap { weight in all.filter { $0.weight == weight } }
  }
}

extension AccessMatrix.Path {
  /// What stands out of one path.
  var findings: [AccessFinding] {
    if isOvershadowed { return [] }
    let strangers = clients.filter { [.signedOut, .signedIn, .stranger].contains($0) }
    return strangers.flatMap { client in
      strangerWrites(by: client, weight: .alarm) + strangerReads(by: client, weight: .caution)
    } + unknownFields() + shut() + openQuestions()
  }

  // MARK: Strangers

  /// Reads give a whole document: rules cannot hide a field.
  private func strangerReads(
    by client: Client, weight: AccessFinding.Weight
  ) -> [AccessFinding] {
    let reads = allowed(to: client) { !$0.method.isWrite }
    guard let first = reads.first,
      isNews(about: client, count: reads.count, where: { !$0.method.isWrite })
    else {
      return []
    }
    let deeds = reads.map { $0.operation.deed }.list
    return [opening(to: client, weight: weight, deed: "\(deeds) every field of", cell: first.place)]
  }

  private func strangerWrites(
    by client: Client, weight: AccessFinding.Weight
  ) -> [AccessFinding] {
    let whole = allowed(to: client) { $0 == .create || $0 == .delete }
    let updates = allowed(to: client) { $0.method == .update }
    guard isNews(about: client, count: whole.count + updates.count, where: { $0.method.isWrite })
    else { return [] }
    let deeds = whole.map { $0.operation.deed }
    if let last = updates.last, updates.count == updateCount {
      let all = (deeds + ["change any field of"]).list
      return [opening(to: client, weight: weight, deed: all, cell: last.place)]
    }
    var found: [AccessFinding] = []
    if let first = whole.first {
      found.append(opening(to: client, weight: weight, deed: deeds.list, cell: first.place))
    }
    if let first = updates.first {
      let fields = updates.map { $0.operation.fieldName }.list
      found.append(
        opening(to: client, weight: weight, deed: "change \(fields) of", cell: first.place))
    }
    return found
  }

  /// Whether a client can do more than one who is not signed in, of whom that is said already.
  private func isNews(
    about client: Client, count: Int, where isWanted: (AccessMatrix.Operation) -> Bool
  ) -> Bool {
    client == .signedOut ? count > 0 : count > allowed(to: .signedOut, where: isWanted).count
  }

  private func opening(
    to client: Client, weight: AccessFinding.Weight, deed: String, cell: AccessMatrix.CellPlace
  ) -> AccessFinding {
    finding(weight, message: "\(client.subject) can \(deed) every document", cell: cell)
  }

  private var updateCount: Int { rows.count { $0.operation.method == .update } }

  /// What a client can always do.
  private func allowed(
    to client: Client, where isWanted: (AccessMatrix.Operation) -> Bool
  ) -> [(operation: AccessMatrix.Operation, place: AccessMatrix.CellPlace)] {
    guard let column = clients.firstIndex(of: client) else { return [] }
    return rows.enumerated().compactMap { place, row in
      guard isWanted(row.operation), row.cells[column].answer == .always else { return nil }
      return (row.operation, AccessMatrix.CellPlace(row: place, column: column))
    }
  }

  // MARK: Others

  /// Fields that no rule names, and that a client can still set to anything.
  private func unknownFields() -> [AccessFinding] {
    guard let row = rows.firstIndex(where: { $0.operation.isOther }) else { return [] }
    let free = clients.indices.filter {
      clients[$0].isSpecial && rows[row].cells[$0].answer == .always
    }
    guard let first = free.first else { return [] }
    let who = free.map { clients[$0].subject }.list
    return [
      finding(
        .note, message: "\(who) can add and change fields that no rule mentions",
        cell: AccessMatrix.CellPlace(row: row, column: first))
    ]
  }

  /// What nobody can do.
  private func shut() -> [AccessFinding] {
    let shut = rows.filter { row in row.cells.allSatisfy { $0.answer == .never } }
    if shut.isEmpty { return [] }
    if shut.count == rows.count {
      return [finding(.note, message: "nobody can do anything")]
    }
    var words = shut.filter { $0.operation.method != .update }.map { $0.operation.deed }
    let fields = shut.filter { $0.operation.method == .update }.map { $0.operation.fieldName }
    if fields.count == updateCount {
      words.append("update")
    } else if !fields.isEmpty {
      words.append("change \(fields.list(last: "or"))")
    }
    return [finding(.note, message: "nobody can \(words.list(last: "or"))")]
  }

  private func openQuestions() -> [AccessFinding] {
    let count = rows.reduce(0) { $0 + $1.cells.count { $0.answer == .undecided } }
    if count == 0 { return [] }
    return [
      finding(
        .caution, message: count == 1 ? "1 answer is undecided" : "\(count) answers are undecided")
    ]
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
  /// What a client does, as a verb.
  fileprivate var deed: String {
    switch self {
    case .get: "get"
    case .list: "list"
    case .listGroup: "list by collection group"
    case .create: "create"
    case .update, .updateOther: "update"
    case .delete: "delete"
    }
  }

  /// Whether it is the update of fields that are not named.
  fileprivate var isOther: Bool {
    if case .updateOther = self { return true }
    return false
  }

  /// The field of an update.
  fileprivate var fieldName: String {
    switch self {
    case .update(let name): String(name)
    case .updateOther(let names): names.isEmpty ? "any field" : "a field that no rule mentions"
    case .get, .list, .listGroup, .create, .delete: ""
    }
  }
}

extension [String] {
  /// `a`, `a and b`, `a, b and c`.
  fileprivate var list: String { list(last: "and") }

  /// The words with commas, and a word before the last.
  fileprivate func list(last word: String) -> String {
    guard count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(word) " + self[count - 1]
  }
}
