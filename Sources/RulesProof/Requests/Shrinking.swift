import RulesEval
import RulesLang
import RulesSolver

// Test-case reduction: removes parts of a counterexample while the evaluator still confirms it.

/// Reduces candidate requests.
struct Shrinking {
  /// Maximum candidates tried.
  private var attempts = Strategy.requests
  private let budget: Budget
  private let confirms: (Draft) -> Bool

  /// Creates a reducer.
  ///
  /// - Parameter confirms: True if a request still shows the same.
  init(within budget: Budget, confirms: @escaping (Draft) -> Bool) {
    self.budget = budget
    self.confirms = confirms
  }

  /// Returns the smallest confirmed request that was found.
  mutating func shrink(_ draft: Draft) -> Draft {
    var best = draft
    takeAway(DraftPart.all(of: draft)[...], from: &best)
    var changes = counted(Self.changes(of: best))
    var place = 0
    // Stops after a full round without success.
    var failures = 0
    while failures < changes.count {
      if place >= changes.count { place = 0 }
      attempts -= 1
      if attempts < 0 || budget.isSpent { return best }
      // Candidates are made lazily: of a large document most are never tried.
      var candidate = best
      changes[place](&candidate)
      guard confirms(candidate) else {
        place += 1
        failures += 1
        continue
      }
      // The applied change is gone from the list, so its index is now that of the next one.
      best = candidate
      failures = 0
      changes = counted(Self.changes(of: best))
    }
    return best
  }

  // MARK: Many at once

  /// Removes all of some parts or, failing that, recursively each half (delta debugging).
  private mutating func takeAway(_ parts: ArraySlice<DraftPart>, from best: inout Draft) {
    guard parts.count > 2, attempts > 0 else { return }
    attempts -= 1
    budget.charge(4 * parts.count)
    if budget.isSpent { return }
    var candidate = best
    for part in parts { part.take(from: &candidate) }
    if confirms(candidate) {
      best = candidate
      return
    }
    let middle = parts.startIndex + parts.count / 2
    takeAway(parts[..<middle], from: &best)
    takeAway(parts[middle...], from: &best)
  }

  // MARK: One by one

  /// Charges for the construction of changes.
  private func counted(_ changes: [Change]) -> [Change] {
    budget.charge(4 * changes.count)
    return changes
  }

  /// The time of requests whose time does not matter.
  private static let plainTime =
    Timestamp(epochSeconds: 1_761_037_200, nanos: 0) ?? .epoch

  private typealias Change = (inout Draft) -> Void

  private static func changes(of draft: Draft) -> [Change] {
    var found: [Change] = []
    func add(_ change: @escaping Change) { found.append(change) }
    // The change that usually succeeds comes first, since all others are retried after a success.
    if draft.time != Self.plainTime { add { $0.time = Self.plainTime } }
    for place in draft.others.indices {
      add { $0.others.remove(at: place) }
      if draft.others[place].isChanged {
        add { $0.others[place].after = $0.others[place].before }
      }
    }
    for place in draft.filters.indices { add { $0.filters.remove(at: place) } }
    if draft.limit != nil { add { $0.limit = nil } }
    if draft.offset != 0 { add { $0.offset = 0 } }
    for key in DraftPart.keys(of: draft.before, and: draft.after) {
      add {
        $0.before?[key] = nil
        $0.after?[key] = nil
      }
      if let old = draft.before?[key], let new = draft.after?[key] {
        // A change without effect would be confirmed forever.
        if ConstantKey(of: old) != ConstantKey(of: new) { add { $0.after?[key] = old } }
      } else if draft.after?[key] != nil {
        add { $0.after?[key] = nil }
      }
    }
    for place in draft.others.indices {
      for key in DraftPart.keys(of: draft.others[place].before, and: draft.others[place].after) {
        add {
          $0.others[place].before?[key] = nil
          $0.others[place].after?[key] = nil
        }
      }
    }
    found += tokens(draft)
    return found
  }

  /// Changes that remove a claim of the token.
  private static func tokens(_ draft: Draft) -> [Change] {
    guard let principal = draft.principal, case .string(let uid) = principal.uid else { return [] }
    let plain = Principal(uid: uid)
    return principal.token.compactMap { entry in
      if let standard = plain.token[entry.0], Value.areIdentical(standard, entry.1) { return nil }
      return { $0.principal?.token[entry.0] = plain.token[entry.0] }
    }
  }
}
