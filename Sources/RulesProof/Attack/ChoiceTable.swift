import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// A table of what requests about documents of one path can differ in from others, and by what: the
/// names, clients and values, each with a number.
final class ChoiceTable {
  /// What requests are made of.
  let material: Material
  /// How many tables were made before.
  let number: Int
  /// The names of fields and claims, those first of which the rules say the most.
  @exclusivity(unchecked) private(set) var names: [Text] = []
  /// How many of the names are those of fields; behind them are those of claims.
  let fieldCount: Int
  /// The values that the names are given.
  @exclusivity(unchecked) private(set) var values: [Value] = []
  /// The clients; nil for one that is not signed in.
  @exclusivity(unchecked) private(set) var clients: [Principal?] = [nil]

  @exclusivity(unchecked) private var choices: [Choices?] = []
  @exclusivity(unchecked) private var maker: DraftMaker

  /// More names are not varied.
  private static let greatestFields = 40
  /// Of what stands beside a name so much is tried, with its neighbours.
  private static let greatestBeside = 16
  /// So many lists and maps are made for a name that is asked what it contains, or that has members.
  private static let containerCount = 5
  /// So many signed-in clients are tried.
  private static let clientCount = 5

  /// What is put in the place of a value.
  enum Choice {
    /// One of the values.
    case value(Int)
    /// One of the clients.
    case client(Int)
    /// The client's user ID.
    case uid
    /// The last segment of the document's path.
    case segment
    /// Nothing.
    case missing
  }

  /// The choices for one name.
  struct Choices {
    /// What the rules compare it with, and what is nearly that.
    var near: [Choice] = [.missing]
    /// A value of each type.
    var typed: [Choice] = []
  }

  /// Makes the table for requests of any kind about the documents of a path.
  init(_ material: Material, for scenario: Scenario, number: Int) {
    self.material = material
    self.number = number
    maker = DraftMaker(scenario, of: material, seed: 2)
    let fields = material.fields.filter { $0.canNameField }
    let known = fields.filter { material.places[$0]?.isKnown ?? false }
    let others = fields.filter { !(material.places[$0]?.isKnown ?? false) }
    names = Array((known + others).prefix(Self.greatestFields)) + [DraftMaker.unnamed]
    fieldCount = names.count
    names += material.claims.filter { !Self.fixedClaims.contains($0) }
    choices = Array(repeating: nil, count: names.count)
    for turn in 0..<Self.clientCount { clients.append(maker.client(turn)) }
  }

  /// Claims that are as the sign-in makes them.
  private static let fixedClaims: [Text] = ["sub", "user_id", "firebase"]

  /// What a name can be given.
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
    if let place = material.places[names[name]] {
      for ingredient in place.beside.prefix(Self.greatestBeside) {
        if ingredient == .uid { made.near.append(.uid) }
        if ingredient == .segment { made.near.append(.segment) }
        if ingredient == .uid || ingredient == .segment { continue }
        let value = maker.value(of: ingredient, depth: 0)
        add(value, to: &made.near)
        for near in DraftMaker.neighbours(of: value) { add(near, to: &made.near) }
      }
      for _ in 0..<Self.containerCount where !place.inside.isEmpty {
        add(maker.container(place.inside, depth: 0), to: &made.near)
      }
      for _ in 0..<Self.containerCount where !place.fields.isEmpty {
        add(maker.value(names[name], depth: 0), to: &made.near)
      }
    }
    for type in ValueType.allCases { add(maker.sample(of: type), to: &made.typed) }
    return made
  }
}

extension Material.Place {
  /// Whether anything is known of the name beside that it is read.
  fileprivate var isKnown: Bool { !beside.isEmpty || !inside.isEmpty || !fields.isEmpty }
}
