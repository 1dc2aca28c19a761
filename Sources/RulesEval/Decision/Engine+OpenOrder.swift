import RulesLang

// The documents of a commit are decided one after the other, and what one has looked up is free for
// those behind it. The emulator takes them in an order of its own, another one in each process: near
// the limits it is by chance whether such a commit is allowed (Docs/Fidelity.md §20).

extension Engine {
  /// Maximum orders of a commit's documents that are tried.
  private static let greatestOrderCount = 24

  private static let chanceNote =
    "the decision depends on which document comes first, because its lookups are free for the "
    + "others: the emulator chooses the order, so it may allow this request once and deny it another "
    + "time"

  /// Searches for an order of a commit's documents, near the lookup limits, that changes the decision.
  ///
  /// - Returns: The plan in an order that denies, with a note; nil if none was found. All orders of up to
  ///   four documents are tried; of more only some, each with another document in front.
  func settled(_ plan: Plan, isAllowed: Bool, services: Services) -> Plan? {
    for order in Self.orders(of: plan.accesses.count).dropFirst() {
      var other = plan
      other.accesses = order.map { plan.accesses[$0] }
      other.lookups.hasOpenOrder = false
      guard areGranted(other, services: services) != isAllowed else { continue }
      if !isAllowed { other.accesses = plan.accesses }
      other.notes.append(Self.chanceNote)
      other.isByChance = true
      return other
    }
    return nil
  }

  private func areGranted(_ plan: Plan, services: Services) -> Bool {
    var lookups = plan.lookups
    for access in plan.accesses {
      lookups.begin(access)
      let decision = decide(access, with: &lookups, services: services) {
        NoObserver()
      } keeping: { _ in
        nil
      }
      if !decision.isGranted { return false }
    }
    return true
  }

  /// Returns orders of `count` elements, the given one first.
  private static func orders(of count: Int) -> [[Int]] {
    let all = Array(0..<count)
    if (1...count).reduce(1, { min($0 * $1, greatestOrderCount + 1) }) <= greatestOrderCount {
      return permutations(of: all)
    }
    let places = all.prefix(greatestOrderCount - 1)
    return [all] + places.map { first in [first] + all.reversed().filter { $0 != first } }
  }

  private static func permutations(of things: [Int]) -> [[Int]] {
    guard things.count > 1 else { return [things] }
    return things.flatMap { first in
      permutations(of: things.filter { $0 != first }).map { [first] + $0 }
    }
  }
}
