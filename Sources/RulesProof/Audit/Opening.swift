import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// "Only if" does not distinguish conditions that protect from conditions that anybody can satisfy.
// An opening is a request of fixed content, which may depend on client and path but not on stored
// data, that is granted whatever is stored. That is a claim ("always, if the request has this
// content"), so it is decided by proof. The content is taken from the example request of the cell;
// evaluating it on two kinds of documents first settles most cells.
//
// Sound: an opening is proved for all documents. Incomplete: content computed from stored data,
// such as a counter, is not tried. A single allowed request of an outsider proves less, and is
// shown as a witness (`OutsiderSearch`).

extension AccessMatrix {
  /// An access that is open to anybody although the answer is not "always": to every document, because
  /// the client's own request satisfies the conditions; or to documents of others, because the
  /// conditions do not depend on the client, or only on a claim that may have any value.
  package struct Opening: Sendable {
    /// The affected documents.
    enum Extent: Sendable, Hashable {
      /// Every document: the content of the request decides.
      case all
      /// Every document with the fields that the rules name.
      case withFields
      /// Documents that satisfy the condition (`Outsider`).
      case ifTrue
    }

    /// The index of the client.
    var column: Int
    /// The indices of the operations' rows, which share their conditions.
    var rows: [Int]
    /// The row that was examined.
    var shown: Int
    /// The affected documents.
    var extent = Extent.ifTrue
    /// False if the access is only allowed at another time than the present.
    var isNow = true
    /// Claims that the server must have set, to any value.
    var claims: [Text] = []
    /// The statement that grants the request, with its condition.
    var alternative: AccessMatrix.Alternative
    /// A request that shows the opening.
    package var witness: Counterexample?
  }
}

extension AccessMatrix.Path {
  /// Groups the updates with equal conditions, that of unnamed fields first. Each other row is a group
  /// of its own.
  func groups(in column: Int, with answers: [AccessMatrix.Answer]) -> [[Int]] {
    var groups: [[Int]] = []
    for row in rows.indices {
      let (operation, cell) = (rows[row].operation, rows[row].cells[column])
      guard answers.contains(cell.answer), cell.allowed?.candidate != nil else { continue }
      let known = groups.firstIndex { group in
        let first = rows[group[0]]
        return operation.method == .update && first.operation.method == .update
          && first.cells[column].alternatives == cell.alternatives
      }
      if let known {
        if case .updateOther = operation {
          groups[known].insert(row, at: 0)
        } else {
          groups[known].append(row)
        }
      } else {
        groups.append([row])
      }
    }
    return groups
  }
}

extension Client {
  /// True if anybody can be such a client, possibly with a new account.
  package var isOpen: Bool {
    switch self {
    case .signedOut, .signedIn, .stranger: true
    case .marked(let marks):
      marks.allSatisfy { mark in
        if case .role(let role) = mark { return role.isFree }
        return false
      }
    case .mixed: false
    }
  }
}

extension Role {
  /// True if anybody who signs up can have the claim, as set by Firebase Authentication.
  var isFree: Bool {
    switch (claim, test) {
    case (["email_verified"], .isTrue): true
    case (["name"], .equals), (["picture"], .equals): true
    case (["firebase", "sign_in_provider"], .equals(.string(let name))):
      Self.publicProviders.contains(name)
    case (_, .isTrue), (_, .equals), (_, .lists), (_, .contains): false
    }
  }

  /// The names in tokens of providers with which anybody can sign in.
  private static let publicProviders: Set<Text> = [
    "anonymous", "apple.com", "facebook.com", "gc.apple.com", "github.com", "google.com",
    "microsoft.com", "password", "phone", "playgames.google.com", "twitter.com", "yahoo.com",
  ]
}

/// A request of fixed content that may be granted whatever is stored.
struct OpeningTrial {
  /// The opening that it would show.
  var opening: AccessMatrix.Opening
  /// The kind of client.
  let client: Client
  /// The operation.
  let operation: AccessMatrix.Operation
  /// The content of the request, as a condition.
  let recipe: String
  /// An example request.
  let candidate: CandidateRequest
}

/// Finds requests of fixed content that the evaluator grants on different documents.
struct OpeningTrials {
  private let path: AccessMatrix.Path
  private let table: PathTable
  private let set: ClaimSet
  /// The present time; nil if unknown.
  private let now: Timestamp?
  private let budget: Budget
  /// The fields that the rules of the path name.
  private let fields: [Text]

  /// Prepares the trials of a path.
  init(
    _ path: AccessMatrix.Path, _ table: PathTable, of set: ClaimSet, at now: Timestamp?,
    within budget: Budget
  ) {
    (self.path, self.table, self.set, self.now) = (path, table, set, now)
    self.budget = budget
    fields = table.fields
  }

  /// Returns the trials for each group of rows, the most general first.
  func all() -> [[OpeningTrial]] {
    var found: [[OpeningTrial]] = []
    for column in path.clients.indices where path.clients[column].isOpen {
      for rows in path.groups(in: column, with: [.onlyIf]) {
        let trials = trials(for: rows, of: column)
        if !trials.isEmpty { found.append(trials) }
      }
    }
    return found
  }

  /// Returns the trials of a group of rows. Prefers the content of an outsider's request, since the
  /// content of the cell's example may come from stored data.
  private func trials(for rows: [Int], of column: Int) -> [OpeningTrial] {
    let (operation, cell) = (path.rows[rows[0]].operation, path.rows[rows[0]].cells[column])
    let known = path.openings.filter {
      $0.column == column && $0.shown == rows[0] && $0.claims.isEmpty
    }
    if !known.isEmpty {
      let found = known.flatMap { trials($0, operation) }
      return found.filter { $0.opening.extent == .all } + found.filter { $0.opening.extent != .all }
    }
    let granting = cell.alternatives.first { $0.allow == cell.allowed?.allow }
    guard let alternative = granting ?? cell.alternatives.first else { return [] }
    return trials(
      AccessMatrix.Opening(
        column: column, rows: rows.sorted(), shown: rows[0], alternative: alternative,
        witness: cell.allowed), operation)
  }

  private func trials(
    _ opening: AccessMatrix.Opening, _ operation: AccessMatrix.Operation
  ) -> [OpeningTrial] {
    guard var base = opening.witness?.candidate else { return [] }
    base.others = []
    base.filters = []
    let cell = path.rows[opening.shown].cells[opening.column]
    let reads = cell.alternatives.reduce(into: ConditionReads()) {
      $0.formUnion($1.residual.reads)
    }
    var opening = opening
    let isTimed = reads.contains(.time)
    let times = isTimed ? [now, base.time].compactMap { $0 } : [base.time]
    for time in times {
      opening.isNow = !isTimed || now == nil || time == now
      let candidates = contents(of: base, at: time)
      let found = candidates.compactMap { candidate -> OpeningTrial? in
        trial(candidate, operation, opening, pinning: reads)
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The content of a request, without stored data.
  private struct Content {
    var candidate: CandidateRequest
    /// True if it fixes the whole written document rather than the changed fields.
    var isWhole: Bool
  }

  private func contents(of base: CandidateRequest, at time: Timestamp) -> [Content] {
    var base = base
    if base.time != time { base.after = base.after.map { $0.replacing(base.time, by: time) } }
    base.time = time
    guard base.method == .update else { return [Content(candidate: base, isWhole: true)] }
    return [Content(candidate: base, isWhole: true), Content(candidate: base, isWhole: false)]
  }

  /// Tries the content on a document without fields, and on one with every field that the rules
  /// name.
  private func trial(
    _ content: Content, _ operation: AccessMatrix.Operation, _ opening: AccessMatrix.Opening,
    pinning reads: ConditionReads
  ) -> OpeningTrial? {
    let client = path.clients[opening.column]
    guard let claim = table.claim(client, operation, .never, in: set),
      let recipe = Recipe(content.candidate, on: table.audited.path, isWhole: content.isWhole)?
        .text(for: operation, pinning: reads)
    else { return nil }
    var opening = opening
    func grants(_ stored: MapValue) -> (candidate: CandidateRequest, witness: Counterexample)? {
      var candidate = content.candidate
      if operation.method != .create { candidate.before = stored }
      if operation.method == .update, !content.isWhole {
        candidate.after = Recipe.applied(from: content.candidate, to: stored)
      }
      return set.refutation(by: candidate, of: claim, within: budget).map { (candidate, $0) }
    }
    var full = MapValue()
    for field in fields { full[field] = .string("other") }
    guard let (candidate, witness) = grants(full) else { return nil }
    let empty = operation.method == .create || fields.isEmpty ? nil : grants(MapValue())
    opening.witness = empty?.witness ?? witness
    opening.extent = .all
    if operation.method == .create || fields.isEmpty || empty != nil {
      return OpeningTrial(
        opening: opening, client: client, operation: operation, recipe: recipe, candidate: candidate
      )
    }
    let changed = content.isWhole ? fields : Recipe.changedNames(of: content.candidate)
    let present = fields.map { field in
      // The field exists and equals itself: anything but NaN. An unchanged field must equal itself
      // across the update, since `diff()` ignores 1 versus 1.0 inside lists, and `==` does not.
      let isKept = operation.method == .update && !changed.contains(field)
      let stored = "resource.data[\(field.literal)]"
      return (isKept ? "request." : "") + "\(stored) == \(stored)"
    }
    opening.extent = .withFields
    return OpeningTrial(
      opening: opening, client: client, operation: operation,
      recipe: ([recipe] + present).joined(separator: " && "), candidate: candidate)
  }
}

extension MapValue {
  /// Returns the map with one timestamp replaced by another.
  fileprivate func replacing(_ old: Timestamp, by new: Timestamp) -> MapValue {
    var copy = self
    for (key, value) in self {
      if case .timestamp(old) = value { copy[key] = .timestamp(new) }
    }
    return copy
  }
}
