import RulesEval
import RulesLang
import RulesProof

/// An exhaustive search through all states and requests of a small world.
final class StateSearch {
  /// The time of all requests.
  static let time = Timestamp(epochSeconds: 1_761_037_200, nanos: 0) ?? .epoch

  private let world: SmallWorld
  private let engine: Engine
  /// The engine of the rules with the claim's condition.
  private let claimed: Engine
  private let states: [Documents]
  private let isThere: [Bool]
  private let hasParent: [Bool]
  /// The cached decisions on commits, by client, state and commit.
  private var known: [Bool?]
  /// The cached views, by search target, client and request.
  private var views: [ViewPlace: View] = [:]

  /// Prepares the search of a world with two engines: of its rules, and of those with the claim's condition.
  init(_ world: SmallWorld, _ engine: Engine, claimed: Engine) {
    self.world = world
    self.engine = engine
    self.claimed = claimed
    states = world.states.map { world.state($0) }
    isThere = states.map { $0[world.document] != nil }
    hasParent = states.map { $0[world.paths[SmallWorld.parent]] != nil }
    known = Array(
      repeating: nil,
      count: SmallWorld.clients.count * world.states.count * SmallWorld.commits.count)
  }

  private static func isAllowed(
    _ request: Request, by engine: Engine, on state: Documents
  ) -> Bool {
    (try? engine.decide(request, on: state))?.isAllowed ?? false
  }

  /// True if a client may make a commit in a state.
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

  /// Returns the states that anybody can reach by allowed commits, beginning with no documents.
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

  /// The event that is searched.
  enum Wanted {
    /// The statement's condition becomes true.
    case statement
    /// A request is allowed although the claim's condition was false.
    case claim
  }

  /// The requests that a search covers.
  struct Reach {
    /// True if other accounts of the same person take part.
    var hasOtherAccounts = false
    /// True if the document above the claim's document may be created.
    var hasParents = false
  }

  /// Returns a sentence about an allowed commit in one of some states after which a client may do something
  /// that it could not do before, without the commit creating the document itself; nil if there is none.
  func flip(_ wanted: Wanted, from numbers: [Int], _ reach: Reach = Reach()) -> String? {
    for (client, principal) in SmallWorld.clients.enumerated() {
      for (place, asked) in world.asked(by: principal).enumerated() {
        let view = view(of: asked, at: ViewPlace(wanted, client, place))
        if let found = chosen(wanted, beside: client, place, view, from: numbers) { return found }
        if let found = flip(by: client, of: client, view, from: numbers, reach) { return found }
        guard reach.hasOtherAccounts, principal != nil else { continue }
        for writer in SmallWorld.freeClients
        where Self.uid(SmallWorld.clients[writer]) != Self.uid(principal) {
          var other = asked
          other.principal = SmallWorld.clients[writer]
          let own = self.view(of: other, at: ViewPlace(wanted, writer, place))
          var both = view
          for number in states.indices where own.wasTrue[number] { both.wasTrue[number] = true }
          if let found = flip(by: writer, of: client, both, from: numbers, reach) { return found }
        }
      }
    }
    return nil
  }

  /// The decisions about one request in each state.
  private struct View {
    var isInScope: [Bool]
    var isAllowed: [Bool]
    var wasTrue: [Bool]
  }

  /// The key of a view: the search target, the client, and the index of its request.
  private struct ViewPlace: Hashable {
    let wanted: Wanted
    let client: Int
    let request: Int

    init(_ wanted: Wanted, _ client: Int, _ request: Int) {
      self.wanted = wanted
      self.client = client
      self.request = request
    }
  }

  private func view(of asked: Request, at place: ViewPlace) -> View {
    if let view = views[place] { return view }
    let view = decided(asked, place.wanted)
    views[place] = view
    return view
  }

  private func decided(_ asked: Request, _ wanted: Wanted) -> View {
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
    return View(isInScope: isInScope, isAllowed: isAllowed, wasTrue: wasTrue)
  }

  private static func uid(_ principal: Principal?) -> Text? {
    if case .string(let text)? = principal?.uid { return text }
    return nil
  }

  /// Returns a sentence about a state in which an account, after its user has chosen another name, may do
  /// something that it could not do before.
  private func chosen(
    _ wanted: Wanted, beside client: Int, _ place: Int, _ view: View, from numbers: [Int]
  ) -> String? {
    guard SmallWorld.freeClients.contains(client), let uid = Self.uid(SmallWorld.clients[client])
    else { return nil }
    for other in SmallWorld.freeClients
    where other != client && Self.uid(SmallWorld.clients[other]) == uid {
      let asked = world.asked(by: SmallWorld.clients[other])[place]
      let renamed = self.view(of: asked, at: ViewPlace(wanted, other, place))
      for number in numbers where !view.wasTrue[number] && renamed.isAllowed[number] {
        guard view.isInScope[number] else { continue }
        return "\(uid) may choose another name where \(states[number].all) is stored"
      }
    }
    return nil
  }

  private func flip(
    by writer: Int, of client: Int, _ view: View, from numbers: [Int], _ reach: Reach
  ) -> String? {
    for number in numbers where !view.wasTrue[number] {
      guard world.method != .create || view.isInScope[number] else { continue }
      for (place, commit) in SmallWorld.commits.enumerated() {
        let left = SmallWorld.state(after: commit, on: number)
        guard view.isAllowed[left], isThere[number] || !isThere[left],
          reach.hasParents || !world.isNested || hasParent[number] || !hasParent[left],
          allows(place, by: writer, on: number)
        else { continue }
        let names = [writer, client].map { place in
          SmallWorld.clients[place].map { "\($0.uid)" } ?? "nobody"
        }
        return "\(names[0]) may turn \(states[number].all) into \(states[left].all) for \(names[1])"
      }
    }
    return nil
  }
}
