import RulesEval
import RulesLang
import RulesSolver

// Test-case reduction: removes parts of a counterexample while the evaluator still confirms it.

/// Reduces candidate requests.
struct Shrinking {
  /// Maximum candidates tried.
  private var attempts = Strategy.requests
  private let budget: Budget
  private let confirms: (CandidateRequest) -> Bool

  /// Creates a reducer.
  ///
  /// - Parameter confirms: True if a request still shows the same.
  init(within budget: Budget, confirms: @escaping (CandidateRequest) -> Bool) {
    self.budget = budget
    self.confirms = confirms
  }

  /// Returns the smallest confirmed request that was found.
  mutating func shrink(_ candidate: CandidateRequest) -> CandidateRequest {
    var best = candidate
    takeAway(CandidatePart.all(of: candidate)[...], from: &best)
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
  private mutating func takeAway(
    _ parts: ArraySlice<CandidatePart>, from best: inout CandidateRequest
  ) {
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

  private typealias Change = (inout CandidateRequest) -> Void

  private static func changes(of candidate: CandidateRequest) -> [Change] {
    var found: [Change] = []
    func add(_ change: @escaping Change) { found.append(change) }
    // The change that usually succeeds comes first, since all others are retried after a success.
    if candidate.time != Self.plainTime { add { $0.time = Self.plainTime } }
    for place in candidate.others.indices {
      add { $0.others.remove(at: place) }
      if candidate.others[place].isChanged {
        add { $0.others[place].after = $0.others[place].before }
      }
    }
    for place in candidate.filters.indices { add { $0.filters.remove(at: place) } }
    if candidate.limit != nil { add { $0.limit = nil } }
    if candidate.offset != 0 { add { $0.offset = 0 } }
    for key in CandidatePart.keys(of: candidate.before, and: candidate.after) {
      add {
        $0.before?[key] = nil
        $0.after?[key] = nil
      }
      if let old = candidate.before?[key], let new = candidate.after?[key] {
        // A change without effect would be confirmed forever.
        if ConstantKey(of: old) != ConstantKey(of: new) { add { $0.after?[key] = old } }
      } else if candidate.after?[key] != nil {
        add { $0.after?[key] = nil }
      }
    }
    for place in candidate.others.indices {
      for key in CandidatePart.keys(
        of: candidate.others[place].before, and: candidate.others[place].after)
      {
        add {
          $0.others[place].before?[key] = nil
          $0.others[place].after?[key] = nil
        }
      }
    }
    found += tokens(candidate)
    return found
  }

  /// Changes that remove a claim of the token.
  private static func tokens(_ candidate: CandidateRequest) -> [Change] {
    guard let principal = candidate.principal, case .string(let uid) = principal.uid else {
      return []
    }
    let plain = Principal(uid: uid)
    return principal.token.compactMap { entry in
      if let standard = plain.token[entry.0], Value.areIdentical(standard, entry.1) { return nil }
      return { $0.principal?.token[entry.0] = plain.token[entry.0] }
    }
  }
}
