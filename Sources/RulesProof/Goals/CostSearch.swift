import RulesEval
import RulesLang
import RulesSolver

// Looks for requests that cost one version of the rules at most a limit, and another version more,
// near requests that cost about that much. The effect of changing each part on the cost is
// measured, and changes are chosen whose sum makes up the difference (subset sum); effects usually
// add up. Costs are measured without limits, so that requests beyond them guide the search, too;
// results are confirmed with the limits.

/// Changes requests until one version allows one within its limits, and the other version does not.
struct CostSearch {
  /// The costs of a request in two versions.
  struct Prices {
    /// The version that is to allow the request.
    var allowing: Price
    /// The version that is to exceed a limit or to deny.
    var refusing: Price
  }

  private let prices: (Draft) -> Prices?
  private let confirms: (Draft) -> Bool
  private let budget: Budget
  private var probing: Probing
  private var dice = Dice(seed: 1)
  private var attempts = greatestAttempts
  /// The number of requests that cost the second version no more than the first.
  private var vain = 0
  /// True if some request costs the second version more, or is denied by it.
  private var isPossible = false

  /// Maximum requests tried.
  private static let greatestAttempts = 500
  /// Maximum requests tried while none costs the second version more.
  private static let greatestVain = 40
  /// The number of random changes.
  private static let chances = 120
  /// The number of combinations of changes tried.
  private static let choices = 60
  /// Maximum distance of a partial sum from the target.
  private static let farthest = 400

  /// Prepares to change requests of a query.
  init(
    _ goal: Goal, prices: @escaping (Draft) -> Prices?, confirms: @escaping (Draft) -> Bool
  ) {
    self.prices = prices
    self.confirms = confirms
    budget = goal.budget
    probing = Probing(goal)
  }

  /// A request that the first version allows, ignoring limits.
  private struct Base {
    var draft: Draft
    var prices: Prices
    /// True if lookups are nearer to their limit than expressions.
    var isAboutLookups: Bool

    /// The cost above the limit in the first version.
    var excess: Int { amount(prices.allowing) - limit }
    /// The margin by which the second version costs more.
    var window: Int { amount(prices.refusing) - amount(prices.allowing) }
    /// The distance to the wanted cost.
    var distance: Int { excess > 0 ? excess : max(0, -excess - window + 1) }

    init(_ draft: Draft, _ prices: Prices) {
      (self.draft, self.prices) = (draft, prices)
      let other = prices.refusing
      isAboutLookups =
        other.expressions * other.allowedLookups < other.lookups * Limits.expressions
    }

    /// Returns the relevant component of a cost.
    func amount(_ price: Price) -> Int { isAboutLookups ? price.lookups : price.expressions }

    private var limit: Int {
      isAboutLookups ? prices.allowing.allowedLookups : Limits.expressions
    }
  }

  /// The replacement of a part by that of another request.
  private struct Change {
    var part: DraftPart
    var donor: Draft
    /// The change in cost.
    var delta: Int
  }

  /// Searches from some requests; true if a request was confirmed.
  mutating func find(near drafts: [Draft]) -> Bool {
    var bases: [Base] = []
    for draft in drafts {
      guard let prices = price(draft) else { continue }
      if isWanted(prices), confirms(draft) { return true }
      bases.append(Base(draft, prices))
    }
    bases.sort { $0.distance < $1.distance }
    for base in bases.prefix(2) where !isOver {
      if base.window > 0 || !base.prices.refusing.isAllowed, combine(base, with: drafts) {
        return true
      }
    }
    return false
  }

  private var isOver: Bool {
    attempts <= 0 || budget.isSpent || (!isPossible && vain > Self.greatestVain)
  }

  /// Returns the cost of a request; nil if it is impossible or denied anyway.
  private mutating func price(_ draft: Draft) -> Prices? {
    attempts -= 1
    guard draft.impossibility == nil, let prices = prices(draft), prices.allowing.isAllowed
    else { return nil }
    let (one, other) = (prices.allowing, prices.refusing)
    if other.isAllowed, other.expressions <= one.expressions, other.lookups <= one.lookups {
      vain += 1
    } else {
      isPossible = true
    }
    return prices
  }

  /// True if the first version allows the request and the second does not, judging by costs.
  private func isWanted(_ prices: Prices) -> Bool {
    let (one, other) = (prices.allowing, prices.refusing)
    return !one.isTooMuch && (!other.isAllowed || other.isTooMuch)
  }

  /// Measures changes and tries combinations that reach the wanted cost.
  private mutating func combine(_ base: Base, with donors: [Draft]) -> Bool {
    var changes: [Change] = []
    // Parts of other requests, and removal of parts.
    for donor in donors + [base.draft.withoutParts] {
      for part in DraftPart.all(of: base.draft) + DraftPart.all(of: donor) where !isOver {
        if measure(part, from: donor, base, &changes) { return true }
      }
    }
    for _ in 0..<Self.chances where !isOver {
      var donor = base.draft
      probing.change(&donor)
      for part in DraftPart.all(of: base.draft) where part.differs(base.draft, donor) {
        if measure(part, from: donor, base, &changes) { return true }
      }
    }
    for _ in 0..<Self.choices where !isOver {
      guard let chosen = choice(of: changes, for: base) else { return false }
      var draft = base.draft
      for change in chosen { changes[change].part.put(into: &draft, from: changes[change].donor) }
      guard let prices = price(draft) else { continue }
      if isWanted(prices), confirms(draft) { return true }
    }
    return false
  }

  /// Measures a change; true if it led to a confirmed request.
  private mutating func measure(
    _ part: DraftPart, from donor: Draft, _ base: Base, _ changes: inout [Change]
  ) -> Bool {
    guard part.differs(base.draft, donor) else { return false }
    var draft = base.draft
    part.put(into: &draft, from: donor)
    guard let prices = price(draft) else { return false }
    if isWanted(prices), confirms(draft) { return true }
    let delta = base.amount(prices.allowing) - base.amount(base.prices.allowing)
    let isKnown = changes.contains { $0.part == part && $0.delta == delta }
    if delta != 0, !isKnown { changes.append(Change(part: part, donor: donor, delta: delta)) }
    return false
  }

  /// Returns a random combination of changes of different parts that reaches the wanted cost, or
  /// nil.
  private mutating func choice(of changes: [Change], for base: Base) -> [Int]? {
    var known: [Int: [Int]] = [0: []]
    var left = Array(changes.indices)
    while !left.isEmpty {
      let index = left.remove(at: dice.roll(left.count))
      for (sum, chosen) in known {
        let more = sum + changes[index].delta
        guard known[more] == nil, abs(base.excess + more) <= Self.farthest,
          !chosen.contains(where: { changes[$0].part == changes[index].part })
        else { continue }
        known[more] = chosen + [index]
      }
    }
    let wanted = (0..<max(1, base.window)).map { -base.excess - $0 }
    let found = wanted.compactMap { known[$0] }.filter { !$0.isEmpty }
    return found.isEmpty ? nil : dice.pick(found)
  }
}
