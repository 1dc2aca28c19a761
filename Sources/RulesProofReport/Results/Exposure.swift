import RulesEval
import RulesLang
import RulesProof

/// The clients that an answer of an audit lets in. Every output takes its colours from this: they say who
/// is let in, not how often.
package enum Exposure: String, CaseIterable, Sendable {
  /// Anyone, possibly with a new account, whatever is asked for.
  case anyone
  /// Anyone, possibly with a new account, on a condition.
  case anyoneIf
  /// Clients that the rules name, such as an owner or the members of a group.
  case named
  /// Nobody.
  case nobody
  /// Undecided.
  case undecided

  /// The words in reports.
  package var words: String {
    switch self {
    case .anyone: "anyone"
    case .anyoneIf: "anyone on a condition"
    case .named: "clients that the rules name"
    case .nobody: "nobody"
    case .undecided: "undecided"
    }
  }

  /// The class in style sheets of pages.
  package var style: String {
    switch self {
    case .anyone: "anyone"
    case .anyoneIf: "anyone-if"
    case .named: "named"
    case .nobody: "nobody"
    case .undecided: "undecided"
    }
  }

  /// Creates the exposure of an answer for a kind of client.
  init(_ answer: AccessMatrix.Answer, for client: Client) {
    switch answer {
    case .undecided: self = .undecided
    case .never: self = .nobody
    case .always: self = client.isOpen ? .anyone : .named
    case .onlyIf: self = client.isOpen ? .anyoneIf : .named
    }
  }
}

extension AccessMatrix.Path {
  /// Returns whom each cell of a row lets in, in the order of the clients.
  func exposures(_ cells: [AccessMatrix.Cell]) -> [Exposure] {
    zip(clients, cells).map { Exposure($1.answer, for: $0) }
  }
}

extension AccessMatrix {
  /// Returns the number of cells with an exposure.
  func count(_ exposure: Exposure) -> Int {
    paths.reduce(0) { sum, path in
      sum + path.rows.reduce(0) { $0 + path.exposures($1.cells).count { $0 == exposure } }
    }
  }
}

extension AuditReport {
  /// Sentences about the clients that can write the field of the audit, one for each path, with code in
  /// back-ticks; empty if the audit is about all fields.
  package var writers: [String] {
    guard let field else { return [] }
    return matrix.paths.filter { !$0.isOvershadowed }.map { writers(of: field, at: $0) }
  }

  private func writers(of field: String, at path: AccessMatrix.Path) -> String {
    var (writers, open): ([String], [String]) = ([], [])
    for (column, label) in path.columns.labels.enumerated() {
      let create = path.answer(column) { if case .createWith = $0 { true } else { false } }
      let update = path.answer(column) { if case .update = $0 { true } else { false } }
      if create == .never, update == .never { continue }
      writers.append(
        create == update
          ? "\(label) (\(create.adverb))"
          : "\(label) (creating: \(create.adverb); updating: \(update.adverb))")
      let isLetIn = [create, update].contains { $0 == .always || $0 == .onlyIf }
      if isLetIn, path.clients[column].isOpen { open.append(label) }
    }
    let text = "`\(path.path.text)`: `\(field)` can be written by "
    if writers.isEmpty { return text + "nobody" }
    return text + writers.joined(separator: ", ")
      + (open.isEmpty
        ? ", and by nobody else" : "; anyone can be \(open.joined(separator: " or "))")
  }
}

extension AccessMatrix.Path {
  /// Returns the answer for a client and the first operation that satisfies a condition; `never` without one.
  fileprivate func answer(
    _ column: Int, where isWanted: (AccessMatrix.Operation) -> Bool
  ) -> AccessMatrix.Answer {
    rows.first { isWanted($0.operation) }?.cells[column].answer ?? .never
  }
}

extension AccessMatrix.Answer {
  /// The answer as an adverb.
  fileprivate var adverb: String { self == .onlyIf ? "on a condition" : word }
}
