import RulesEval
import RulesLang
import RulesProof

/// A search through all states and requests of a small world.
final class StateSearch {
  /// When everything happens.
  static let time = Timestamp(epochSeconds: 1_761_037_200, nanos: 0) ?? .epoch

  private let world: SmallWorld
  private let engine: Engine
  /// Decides whether the claim's condition is true.
  private let claimed: Engine
  private let states: [Documents]
  private let isThere: [Bool]
  /// What is known of commits, by client, state and commit.
  private var known: [Bool?]

  /// Prepares for a world, its rules, and those where the claim's condition decides.
  init(_ world: SmallWorld, _ engine: Engine, claimed: Engine) {
    self.world = world
    self.engine = engine
    self.claimed = claimed
    states = world.states.map { world.state($0) }
    isThere = states.map { $0[SmallWorld.document] != nil }
    known = Array(
      repeating: nil,
      count: SmallWorld.clients.count * world.states.count * SmallWorld.commits.count)
  }

  private static func isAllowed(
    _ request: Request, by engine: Engine, on state: Documents
  ) -> Bool {
    (try? engine.decide(request, on: state))?.isAllowed ?? false
  }

  /// Whether a client may make a commit.
  private func allows(_ commit: Int, by client: Int, on number: Int) -> Bool {
    let place =
      (client * states.count + number) * SmallWorld.commits.count + commit
    if let answer = known[place] { return answer }
    let request = Request(
      principal: SmallWorld.clients[client], time: Self.time,
      operation: .commit(world.writes(of: SmallWorld.commits[commit])))
    let answer = Self.isAllowed(request, by: engine, on: states[number])
    known[place] = answer
    return answer
  }

  /// The states that allowed commits of anybody lead to from no documents at all.
  func reached() -> [Int] {
    reached(from: [0], by: Array(SmallWorld.clients.indices)) { _ in true }
  }

  private func reached(
    from first: [Int], by clients: [Int], through isPassed: (Int) -> Bool
  ) -> [Int] {
    var found = first
    var known = Set(first)
    var next = 0
    while next < found.count {
      let number = found[next]
      next += 1
      for (place, commit) in SmallWorld.commits.enumerated() {
        let left = SmallWorld.state(after: commit, on: number)
        guard !known.contains(left), isPassed(left),
          clients.contains(where: { allows(place, by: $0, on: number) })
        else { continue }
        known.insert(left)
        found.append(left)
      }
    }
    return found
  }

  /// What is looked for.
  enum Wanted {
    /// That the statement's condition becomes true.
    case statement
    /// That a request is allowed for which the claim's condition was false.
    case claim
  }

  /// An allowed commit in one of some states after which a client may do what it was not to do before;
  /// the document itself is not created by it.
  func flip(_ wanted: Wanted, from numbers: [Int]) -> String? {
    for (client, principal) in SmallWorld.clients.enumerated() {
      for asked in world.asked(by: principal) {
        let isInScope = states.indices.map { number in
          world.method == .get || isThere[number] != (world.method == .create)
        }
        let isAllowed = states.indices.map { number in
          isInScope[number] && Self.isAllowed(asked, by: engine, on: states[number])
        }
        let wasTrue =
          switch wanted {
          case .statement: isAllowed
          case .claim:
            states.indices.map { number in
              isInScope[number] && Self.isAllowed(asked, by: claimed, on: states[number])
            }
          }
        for number in numbers where !wasTrue[number] {
          guard world.method != .create || isInScope[number] else { continue }
          for (place, commit) in SmallWorld.commits.enumerated() {
            let left = SmallWorld.state(after: commit, on: number)
            guard isAllowed[left], isThere[number] || !isThere[left],
              allows(place, by: client, on: number)
            else { continue }
            let who = principal.map { "\($0.uid)" } ?? "nobody"
            return "\(who) may turn \(states[number].all) into \(states[left].all)"
          }
        }
      }
    }
    return nil
  }
}
