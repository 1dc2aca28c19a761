import RulesEval
import RulesLang
import RulesSolver

// What costs one version of rules as much as a limit allows, and another version more, is looked for near
// requests that cost about that much. What each change of one part makes of the price is measured, and
// changes are chosen whose prices come to what is missing; mostly they add up. What requests cost is found
// out as if there were no limits, so that those beyond them show the way, too; what is found is confirmed
// with the limits.

/// Changes requests until one of them is allowed by a version of rules within its limits, and not by another.
struct CostSearch {
  /// What a request costs two versions of rules.
  struct Prices {
    /// The version that is to allow it.
    var allowing: Price
    /// The version that is to be stopped, or refuses it.
    var refusing: Price
  }

  private let prices: (Draft) -> Prices?
  private let confirms: (Draft) -> Bool
  private let budget: Budget
  private var probing: Probing
  private var dice = Dice(seed: 1)
  private var attempts = greatestAttempts
  /// How many requests cost the version that is to be stopped no more than the other one.
  private var vain = 0
  /// Whether one costs it more, or it refuses one.
  private var isPossible = false

  /// So many requests are tried.
  private static let greatestAttempts = 500
  /// The same as long as none costs the one version more than the other.
  private static let greatestVain = 40
  /// So many changes are made by chance, beside those that take parts of others.
  private static let chances = 120
  /// So many choices of changes are tried.
  private static let choices = 60
  /// Sums farther away from what is missing are not looked at.
  private static let farthest = 400

  /// Prepares to change requests of a question.
  init(
    _ goal: Goal, prices: @escaping (Draft) -> Prices?, confirms: @escaping (Draft) -> Bool
  ) {
    self.prices = prices
    self.confirms = confirms
    budget = goal.budget
    probing = Probing(goal)
  }

  /// A request that the one version allows as if there were no limits.
  private struct Base {
    var draft: Draft
    var prices: Prices
    /// Whether it is lookups that come near to their limit, and not expressions.
    var isAboutLookups: Bool

    /// By how much it is beyond the limit for the version that is to allow it.
    var excess: Int { amount(prices.allowing) - limit }
    /// So much less is too much for the other version alone.
    var window: Int { amount(prices.refusing) - amount(prices.allowing) }
    /// How far it is from what it is to cost.
    var distance: Int { excess > 0 ? excess : max(0, -excess - window + 1) }

    init(_ draft: Draft, _ prices: Prices) {
      (self.draft, self.prices) = (draft, prices)
      let other = prices.refusing
      isAboutLookups =
        other.expressions * other.allowedLookups < other.lookups * Limits.expressions
    }

    /// What counts of a price.
    func amount(_ price: Price) -> Int { isAboutLookups ? price.lookups : price.expressions }

    private var limit: Int {
      isAboutLookups ? prices.allowing.allowedLookups : Limits.expressions
    }
  }

  /// A part that is made what it is in another request.
  private struct Change {
    var part: DraftPart
    var donor: Draft
    /// What that adds to the price.
    var delta: Int
  }

  /// Goes on from some requests; whether one was confirmed.
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

  /// What a request costs; nil if it is denied anyway, or is none.
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

  /// Whether a request seems to be allowed by the one version, and stopped or refused by the other one.
  private func isWanted(_ prices: Prices) -> Bool {
    let (one, other) = (prices.allowing, prices.refusing)
    return !one.isTooMuch && (!other.isAllowed || other.isTooMuch)
  }

  /// Measures changes, and tries such as come to what is missing.
  private mutating func combine(_ base: Base, with donors: [Draft]) -> Bool {
    var changes: [Change] = []
    // What another request has, and what is left out.
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

  /// Measures a change; whether it led to a request that is confirmed.
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

  /// Changes of different parts that come to what is missing, chosen by chance; nil if there are none.
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
