import RulesEval
import RulesLang
import RulesProof

/// A search through all states and requests of a small world.
struct StateSearch {
  /// When everything happens.
  static let time = Timestamp(epochSeconds: 1_761_037_200, nanos: 0) ?? .epoch

  private let world: SmallWorld
  private let set: ClaimSet
  private let states: [Documents]

  /// Prepares for a world and its rules.
  init(_ world: SmallWorld, _ set: ClaimSet) {
    self.world = world
    self.set = set
    states = world.states.map { world.state($0) }
  }

  /// The requests of a client that the condition is about.
  private func asked(by client: Principal?) -> [Request] {
    if world.method == .get {
      return [
        Request(principal: client, time: Self.time, operation: .get([SmallWorld.document]))
      ]
    }
    return world.contents.map { content in
      let write = Write(
        to: SmallWorld.document, .set(content, mask: nil), precondition: .exists)
      return Request(principal: client, time: Self.time, operation: .commit([write]))
    }
  }

  private func isAllowed(_ request: Request, on state: Documents) -> Bool {
    (try? set.engine.decide(request, on: state))?.isAllowed ?? false
  }

  private func commit(_ commit: [Int?], by client: Principal?) -> Request {
    Request(
      principal: client, time: Self.time, operation: .commit(world.writes(of: commit)))
  }

  /// The states that allowed commits of anybody lead to from no documents at all.
  func reached() -> [Int] {
    var found: [Int] = [0]
    var known: Set<Int> = [0]
    var next = 0
    while next < found.count {
      let number = found[next]
      next += 1
      for commit in SmallWorld.commits {
        let left = SmallWorld.state(after: commit, on: number)
        guard !known.contains(left),
          SmallWorld.clients.contains(where: {
            isAllowed(self.commit(commit, by: $0), on: states[number])
          })
        else { continue }
        known.insert(left)
        found.append(left)
      }
    }
    return found
  }

  /// An allowed commit in one of some states after which the condition, which is that of the only
  /// statement for these requests, is true of one for which it was false before; the document itself is
  /// not created by it.
  func flip(from numbers: [Int]) -> String? {
    let isThere = states.map { $0[SmallWorld.document] != nil }
    for client in SmallWorld.clients {
      for asked in asked(by: client) {
        let isTrue = states.indices.map { number in
          (isThere[number] || world.method == .get) && isAllowed(asked, on: states[number])
        }
        for number in numbers where !isTrue[number] {
          for commit in SmallWorld.commits {
            let left = SmallWorld.state(after: commit, on: number)
            guard isTrue[left], isThere[number] || !isThere[left],
              isAllowed(self.commit(commit, by: client), on: states[number])
            else { continue }
            let who = client.map { "\($0.uid)" } ?? "nobody"
            return "\(who) may turn \(states[number].all) into \(states[left].all)"
          }
        }
      }
    }
    return nil
  }
}
