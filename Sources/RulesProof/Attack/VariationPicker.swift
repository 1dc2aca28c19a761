import RulesEval
import RulesLang

/// Picks which request the next one is like, and in what it differs: each client, claim and field in
/// turn, each time by something else.
struct VariationPicker {
  private let table: ChoiceTable
  private let spots: [Variation.Spot]
  /// How often each of them was used.
  private var uses: [Int]
  private var turn = 0
  private var dice = Dice(seed: 3)

  /// So many spots are tried for one variation.
  private static let greatestAttempts = 6

  /// Prepares to pick variations of requests of a method.
  init(for method: Method, from table: ChoiceTable) {
    self.table = table
    spots = Variation.Spot.all(for: method, from: table)
    uses = Array(repeating: 0, count: spots.count)
  }

  /// The request that the next one is like, mostly one of those that are granted; nil if there is none.
  mutating func start(among count: Int, _ granted: [Int]) -> Int? {
    if count == 0 { return nil }
    if granted.isEmpty || dice.chance(25) { return dice.roll(count) }
    return dice.pick(granted)
  }

  /// In what the next request differs from one; nil if nothing is found in a few attempts.
  mutating func variation(of base: BaseRequest) -> Variation? {
    for _ in 0..<Self.greatestAttempts {
      let place = turn % spots.count
      turn += 1
      let use = uses[place]
      uses[place] += 1
      let variation = Variation(spot: spots[place], choice: choice(at: spots[place], use: use))
      if base.canVary(by: variation, from: table) { return variation }
    }
    return nil
  }

  /// What is put somewhere the next time: what is nearly right, and each type, in turn.
  private func choice(at spot: Variation.Spot, use: Int) -> ChoiceTable.Choice {
    switch spot {
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
