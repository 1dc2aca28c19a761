import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// A cell says "only if" of conditions that protect and of conditions that anybody makes true. They are told
// apart by a question: a request whose content is fixed, and may depend on who asks and on the path but on
// nothing that is stored, is granted whatever is stored. That question is a claim ("always, if the request is
// this one"), so the answer is a proof. Which content is tried comes from the request that showed that the
// cell is not "never"; the evaluator tries it on documents of two kinds first, which settles most cells.
//
// Sound: such an opening is proved for all documents. Not complete: content that must be computed from what
// is stored (a counter) is not tried. That a request of an outsider is allowed says less, and is shown by the
// request (`OutsiderSearch`).

extension AccessMatrix {
  /// A deed open to anybody although an answer is "only if": to every document, because the client's own
  /// request makes the conditions true, or to documents that others have made, because the conditions do not
  /// ask who the client is.
  package struct Opening: Sendable {
    /// Documents that it is so of.
    enum Extent: Sendable, Hashable {
      /// Every document, whatever is stored: the content of the request decides.
      case all
      /// Every document that has the fields that the rules name.
      case withFields
      /// Documents of which the condition is true (`Outsider`).
      case ifTrue
    }

    /// The client, by its place among the path's.
    var column: Int
    /// The operations, by their places among the rows; their conditions are the same.
    var rows: [Int]
    /// The one of them that was asked about.
    var shown: Int
    /// The documents.
    var extent = Extent.ifTrue
    /// False if the clock allows it at another time than the present.
    var isNow = true
    /// Claims that the server must have set, if it takes one, to whatever value.
    var claims: [Text] = []
    /// The condition of the statement that grants the request.
    var alternative: AccessMatrix.Alternative
    /// A request that shows it.
    package var witness: Counterexample?
  }
}

extension AccessMatrix.Path {
  /// The rows of a method with the same conditions; of updates the one of fields that no rule names first.
  func groups(in column: Int, with answers: [AccessMatrix.Answer]) -> [[Int]] {
    var groups: [[Int]] = []
    for row in rows.indices {
      let (operation, cell) = (rows[row].operation, rows[row].cells[column])
      guard answers.contains(cell.answer), cell.allowed?.draft != nil else { continue }
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
  /// True if anybody can be such a client: nobody, or whoever has made an account.
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
  /// True if whoever signs up can have the claim: Firebase Authentication sets it without asking anybody.
  var isFree: Bool {
    switch (claim, test) {
    case (["email_verified"], .isTrue): true
    case (["name"], .equals), (["picture"], .equals): true
    case (["firebase", "sign_in_provider"], .equals(.string(let name))):
      Self.publicProviders.contains(name)
    case (_, .isTrue), (_, .equals), (_, .lists), (_, .contains): false
    }
  }

  /// Providers with which anybody can sign in, by their names in tokens.
  private static let publicProviders: Set<Text> = [
    "anonymous", "apple.com", "facebook.com", "gc.apple.com", "github.com", "google.com",
    "microsoft.com", "password", "phone", "playgames.google.com", "twitter.com", "yahoo.com",
  ]
}

/// A request of fixed content that may be granted whatever is stored.
struct OpeningTrial {
  /// The opening to be reported.
  var opening: AccessMatrix.Opening
  /// The client and the operation of the first row.
  let client: Client
  /// The operation that is asked about.
  let operation: AccessMatrix.Operation
  /// The content of the request, as a condition.
  let recipe: String
  /// A request of the kind.
  let draft: Draft
}

/// Finds requests of fixed content that the evaluator grants on documents of different kinds.
struct OpeningTrials {
  private let path: AccessMatrix.Path
  private let table: PathTable
  private let set: ClaimSet
  /// The present time; nil if nobody knows it.
  private let now: Timestamp?
  private let budget: Budget
  /// The fields that the rules of the path name.
  private let fields: [Text]

  /// Prepares the question for a column and an operation.
  init(
    _ path: AccessMatrix.Path, _ table: PathTable, of set: ClaimSet, at now: Timestamp?,
    within budget: Budget
  ) {
    (self.path, self.table, self.set, self.now) = (path, table, set, now)
    self.budget = budget
    fields = table.fields
  }

  /// The requests that may be granted whatever is stored, the best first of each group of rows.
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

  /// The trials of a group of rows. What an outsider may send is tried, if there is such a request: what the
  /// cell's own request has may come from what is stored.
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
    guard var base = opening.witness?.draft else { return [] }
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
      let drafts = contents(of: base, at: time)
      let found = drafts.compactMap { draft -> OpeningTrial? in
        trial(draft, operation, opening, pinning: reads)
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// A request in which only what is stored may differ.
  private struct Content {
    var draft: Draft
    /// True if the whole document is written, not some fields.
    var isWhole: Bool
  }

  private func contents(of base: Draft, at time: Timestamp) -> [Content] {
    var base = base
    if base.time != time { base.after = base.after.map { $0.replacing(base.time, by: time) } }
    base.time = time
    guard base.method == .update else { return [Content(draft: base, isWhole: true)] }
    return [Content(draft: base, isWhole: true), Content(draft: base, isWhole: false)]
  }

  /// The request on a document that has nothing, and on one that has every field that the rules name.
  private func trial(
    _ content: Content, _ operation: AccessMatrix.Operation, _ opening: AccessMatrix.Opening,
    pinning reads: ConditionReads
  ) -> OpeningTrial? {
    let client = path.clients[opening.column]
    guard let claim = table.claim(client, operation, .never, in: set),
      let recipe = Recipe(content.draft, on: table.audited.path, isWhole: content.isWhole)?
        .text(for: operation, pinning: reads)
    else { return nil }
    var opening = opening
    func grants(_ stored: MapValue) -> (draft: Draft, witness: Counterexample)? {
      var draft = content.draft
      if operation.method != .create { draft.before = stored }
      if operation.method == .update, !content.isWhole {
        draft.after = Recipe.applied(from: content.draft, to: stored)
      }
      return set.refutation(by: draft, of: claim, within: budget).map { (draft, $0) }
    }
    var full = MapValue()
    for field in fields { full[field] = .string("other") }
    guard let (draft, witness) = grants(full) else { return nil }
    let empty = operation.method == .create || fields.isEmpty ? nil : grants(MapValue())
    opening.witness = empty?.witness ?? witness
    opening.extent = .all
    if operation.method == .create || fields.isEmpty || empty != nil {
      return OpeningTrial(
        opening: opening, client: client, operation: operation, recipe: recipe, draft: draft)
    }
    let changed = content.isWhole ? fields : Recipe.changedNames(of: content.draft)
    let present = fields.map { field in
      // A field that is there and equal to itself: anything but NaN. Of an update that leaves it alone, equal
      // to what was there: `diff()` takes 1 in a list for 1.0, and `==` does not.
      let isKept = operation.method == .update && !changed.contains(field)
      let stored = "resource.data[\(field.literal)]"
      return (isKept ? "request." : "") + "\(stored) == \(stored)"
    }
    opening.extent = .withFields
    return OpeningTrial(
      opening: opening, client: client, operation: operation,
      recipe: ([recipe] + present).joined(separator: " && "), draft: draft)
  }
}

extension MapValue {
  /// The map with a time in place of another one.
  fileprivate func replacing(_ old: Timestamp, by new: Timestamp) -> MapValue {
    var copy = self
    for (key, value) in self {
      if case .timestamp(old) = value { copy[key] = .timestamp(new) }
    }
    return copy
  }
}
