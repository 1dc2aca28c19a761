import RulesEval
import RulesLang
import RulesSolver

// Takes parts of a counterexample away as long as the evaluator still confirms it, so that what is
// left is what matters.

/// Makes drafts smaller.
struct Shrinking {
  /// No more than so many smaller drafts are tried.
  private var attempts = 200
  private let budget: Budget
  private let confirms: (Draft) -> Bool

  /// Prepares; `confirms` says whether a draft still shows what it is to show.
  init(within budget: Budget, confirms: @escaping (Draft) -> Bool) {
    self.budget = budget
    self.confirms = confirms
  }

  /// The smallest draft that was found.
  mutating func shrink(_ draft: Draft) -> Draft {
    var best = draft
    var isSmaller = true
    while isSmaller, attempts > 0 {
      isSmaller = false
      var changes = counted(Self.changes(of: best))
      var place = 0
      while place < changes.count {
        attempts -= 1
        if attempts < 0 || budget.isSpent { return best }
        // Each draft is made when it is its turn: of a large document most are never tried.
        var candidate = best
        changes[place](&candidate)
        guard confirms(candidate) else {
          place += 1
          continue
        }
        // What is gone can be taken away no more, so the next change is now in this place.
        best = candidate
        isSmaller = true
        changes = counted(Self.changes(of: best))
      }
    }
    return best
  }

  /// Changes, which cost something to make.
  private func counted(_ changes: [Change]) -> [Change] {
    budget.charge(4 * changes.count)
    return changes
  }

  /// When a request is made whose time does not matter.
  private static let plainTime =
    Timestamp(epochSeconds: 1_761_037_200, nanos: 0) ?? .epoch

  private typealias Change = (inout Draft) -> Void

  private static func changes(of draft: Draft) -> [Change] {
    var found: [Change] = []
    func add(_ change: @escaping Change) { found.append(change) }
    for place in draft.others.indices {
      add { $0.others.remove(at: place) }
      if draft.others[place].isChanged {
        add { $0.others[place].after = $0.others[place].before }
      }
    }
    for place in draft.filters.indices { add { $0.filters.remove(at: place) } }
    if draft.limit != nil { add { $0.limit = nil } }
    if draft.offset != 0 { add { $0.offset = 0 } }
    for key in keys(of: draft.before, and: draft.after) {
      add {
        $0.before?[key] = nil
        $0.after?[key] = nil
      }
      if let old = draft.before?[key], let new = draft.after?[key] {
        // A change that changes nothing would be confirmed for ever, and nothing after it be tried.
        if ConstantKey(of: old) != ConstantKey(of: new) { add { $0.after?[key] = old } }
      } else if draft.after?[key] != nil {
        add { $0.after?[key] = nil }
      }
    }
    for place in draft.others.indices {
      for key in keys(of: draft.others[place].before, and: draft.others[place].after) {
        add {
          $0.others[place].before?[key] = nil
          $0.others[place].after?[key] = nil
        }
      }
    }
    found += tokens(draft)
    if draft.time != Self.plainTime { add { $0.time = Self.plainTime } }
    return found
  }

  /// Without a claim of the token.
  private static func tokens(_ draft: Draft) -> [Change] {
    guard let principal = draft.principal, case .string(let uid) = principal.uid else { return [] }
    let plain = Principal(uid: uid)
    return principal.token.compactMap { entry in
      if let standard = plain.token[entry.0], Value.areIdentical(standard, entry.1) { return nil }
      return { $0.principal?.token[entry.0] = plain.token[entry.0] }
    }
  }

  private static func keys(of before: MapValue?, and after: MapValue?) -> [Text] {
    var keys = (before ?? MapValue()).map { $0.0 }
    let known = Set(keys)
    for (key, _) in after ?? MapValue() where !known.contains(key) { keys.append(key) }
    return keys
  }
}
