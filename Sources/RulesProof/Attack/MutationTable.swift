import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// The mutation table of requests for one path: the names, clients and values, each with a number,
/// by which requests are varied.
final class MutationTable {
  /// The seeds found in the text of the rules.
  let seeds: RequestSeeds
  /// The number of tables made before.
  let number: Int
  /// The names of fields, first those whose values the rules constrain; then one that no rule names,
  /// then the names of claims.
  @exclusivity(unchecked) private(set) var names: [Text] = []
  /// The number of field names; names of claims follow them.
  let fieldCount: Int
  /// The values for the names.
  @exclusivity(unchecked) private(set) var values: [Value] = []
  /// The clients; nil for a signed-out client.
  @exclusivity(unchecked) private(set) var clients: [Principal?] = [nil]

  @exclusivity(unchecked) private var choices: [Choices?] = []
  @exclusivity(unchecked) private var maker: RequestGenerator

  /// A replacement for a value.
  enum Choice {
    /// One of the values.
    case value(Int)
    /// One of the clients.
    case client(Int)
    /// The client's user ID.
    case uid
    /// The last segment of the document's path.
    case segment
    /// Removal.
    case missing
  }

  /// The replacements for one name.
  struct Choices {
    /// The operands that the rules compare the name with, and their neighbours.
    var near: [Choice] = [.missing]
    /// One value of each type.
    var typed: [Choice] = []
  }

  /// Creates the table for requests on the documents of a path.
  init(_ seeds: RequestSeeds, for scenario: Scenario, number: Int) {
    self.seeds = seeds
    self.number = number
    maker = RequestGenerator(scenario, of: seeds, seed: 2)
    let fields = seeds.fields.filter { $0.canNameField }
    let known = fields.filter { seeds.places[$0]?.isKnown ?? false }
    let others = fields.filter { !(seeds.places[$0]?.isKnown ?? false) }
    names = known + others + [RequestGenerator.unnamed]
    fieldCount = names.count
    names += seeds.claims.filter { !Self.fixedClaims.contains($0) }
    choices = Array(repeating: nil, count: names.count)
    for turn in 0..<Strategy.samples { clients.append(maker.client(turn)) }
  }

  /// Claims that are determined by the sign-in.
  private static let fixedClaims: [Text] = ["sub", "user_id", "firebase"]

  /// Returns the replacements for a name, generating them at first use.
  func choices(of name: Int) -> Choices {
    if let known = choices[name] { return known }
    let made = make(name)
    choices[name] = made
    return made
  }

  private func make(_ name: Int) -> Choices {
    var made = Choices()
    var seen: Set<ConstantKey> = []
    let isClaim = name >= fieldCount
    func add(_ value: Value, to list: inout [Choice]) {
      let isPossible =
        isClaim
        ? (try? value.checkClaim(as: names[name])) != nil
        : (try? value.checkStorable(as: names[name])) != nil
      guard isPossible, seen.insert(ConstantKey(of: value)).inserted else { return }
      list.append(.value(values.count))
      values.append(value)
    }
    if let place = seeds.places[names[name]] {
      for ingredient in place.beside {
        if ingredient == .uid { made.near.append(.uid) }
        if ingredient == .segment { made.near.append(.segment) }
        if ingredient == .uid || ingredient == .segment { continue }
        let value = maker.value(of: ingredient, depth: 0)
        add(value, to: &made.near)
        for near in RequestGenerator.neighbours(of: value) { add(near, to: &made.near) }
      }
      for _ in 0..<Strategy.samples where !place.inside.isEmpty {
        add(maker.container(place.inside, depth: 0), to: &made.near)
      }
      for _ in 0..<Strategy.samples where !place.fields.isEmpty {
        add(maker.value(names[name], depth: 0), to: &made.near)
      }
    }
    for type in ValueType.allCases { add(maker.sample(of: type), to: &made.typed) }
    return made
  }
}

extension RequestSeeds.Place {
  /// True if the rules do more with the name than read it.
  fileprivate var isKnown: Bool { !beside.isEmpty || !inside.isEmpty || !fields.isEmpty }
}
