import RulesEval
import RulesLang

/// Chooses base request and mutation for the next variant: each client, claim and field in turn,
/// each time with another replacement.
struct VariationPicker {
  private let table: MutationTable
  private let spots: [Variation.Slot]
  /// The number of uses of each part.
  private var uses: [Int]
  private var turn = 0
  private var dice = Dice(seed: 3)

  /// Creates a picker for requests of a method.
  init(for method: Method, from table: MutationTable) {
    self.table = table
    spots = Variation.Slot.all(for: method, from: table)
    uses = Array(repeating: 0, count: spots.count)
  }

  /// Returns the index of a base request, usually a granted one; nil if there is none.
  mutating func start(among count: Int, _ granted: [Int]) -> Int? {
    if count == 0 { return nil }
    if granted.isEmpty || dice.chance(25) { return dice.roll(count) }
    return dice.pick(granted)
  }

  /// Returns a mutation of a base request; nil if none applies after a few attempts.
  mutating func variation(of base: BaseRequest) -> Variation? {
    for _ in 0..<Strategy.samples {
      let place = turn % spots.count
      turn += 1
      let use = uses[place]
      uses[place] += 1
      let variation = Variation(slot: spots[place], choice: choice(at: spots[place], use: use))
      if base.canVary(by: variation, from: table) { return variation }
    }
    return nil
  }

  /// Returns the next replacement for a part, alternating between near values and types.
  private func choice(at slot: Variation.Slot, use: Int) -> MutationTable.Choice {
    switch slot {
    case .client: return .client(use % table.clients.count)
    case .claim(let name), .before(let name), .after(let name), .both(let name):
      let choices = table.choices(of: name)
      if use % 2 == 1, !choices.typed.isEmpty {
        return choices.typed[use / 2 % choices.typed.count]
      }
      return choices.near[use / 2 % choices.near.count]
    }
  }
}
