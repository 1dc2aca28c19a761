import RulesEval
import RulesLang

/// A request of an attack, with what rules say to it.
struct Shot {
  /// The request in parts.
  let draft: Draft
  /// The request, worked out.
  let prepared: PreparedRequest
  /// Whether the rules allow it.
  let isAllowed: Bool
  /// Whether a condition that was tried ended in an error.
  let fails: Bool
  /// How many requests of the kind were made before it.
  fileprivate(set) var number = 0
  /// What conditions of claims are evaluated in, once there is one.
  private var scope: ConditionScope?

  /// Takes down what rules say to a request.
  init(_ draft: Draft, _ prepared: PreparedRequest, _ decision: Decision) {
    self.draft = draft
    self.prepared = prepared
    isAllowed = decision.isAllowed
    fails = decision.tried.contains { $0.isError }
  }

  /// Whether a condition of a claim is true of the request.
  mutating func holds(_ function: FunctionID, _ claim: CompiledClaim, _ engine: Engine) -> Bool {
    if scope == nil { scope = try? ConditionScope(engine, for: draft.path, in: prepared) }
    return scope?.holds(function, claim.claim.path.arguments(for: draft.path)) ?? false
  }
}

/// The requests of one kind that an attack makes, decided by one rules file.
///
/// Two of three are made from scratch, the third is a neighbour of one that the rules grant and
/// differs from it in one thing, since conclusions are wrong where granted and refused meet. Which
/// they are depends on nothing but a seed; how many, on who asks.
struct Volley {
  /// The requests; some could not be decided and are left out.
  var shots: [Shot] = []
  /// How many were made.
  private(set) var count = 0

  /// How many there are from scratch before the first neighbour, and between two neighbours.
  private static let rhythm = 3
  /// Documents that are looked up in documents that are looked up, and so on.
  private static let lookupRounds = 2
  /// More documents are not made up for one request.
  private static let greatestOthers = 6

  private let engine: Engine
  private var maker: DraftMaker
  /// How many were made from scratch.
  private var fresh = 0
  /// Which requests are granted.
  private var granted: [Int] = []

  /// Prepares to make requests and to have them decided.
  init(_ scenario: Scenario, _ material: Material, _ engine: Engine) {
    self.engine = engine
    maker = DraftMaker(scenario, of: material, seed: 1)
  }

  /// Where the requests are that come first, so many less those that are left out; they are made and
  /// decided if they are not yet. Which they are does not depend on how many somebody else wanted.
  mutating func first(_ wanted: Int) -> Range<Int> {
    extend(to: wanted)
    if count == wanted { return shots.indices }
    return 0..<(shots.firstIndex { $0.number >= wanted } ?? shots.count)
  }

  private mutating func extend(to wanted: Int) {
    while count < wanted {
      let turn = count / Self.rhythm
      if count % Self.rhythm == Self.rhythm - 1, let start = start(turn) {
        fire(maker.neighbour(of: shots[start].draft))
      } else {
        fire(maker.draft(fresh))
        fresh += 1
      }
      count += 1
    }
  }

  /// The request that the next neighbour is one of: mostly one that is granted.
  private func start(_ turn: Int) -> Int? {
    if shots.isEmpty { return nil }
    if granted.isEmpty || turn % 4 == 3 { return turn % shots.count }
    return granted[turn % granted.count]
  }

  /// Takes a request in, if there can be one like it.
  private mutating func fire(_ draft: Draft) {
    guard draft.impossibility == nil, var (shot, lookedUp) = shot(draft) else { return }
    var draft = draft
    for _ in 0..<Self.lookupRounds {
      let wanted = lookedUp.filter { path in
        path != draft.path && !draft.others.contains { $0.path == path }
      }
      if wanted.isEmpty { break }
      for path in wanted.prefix(Self.greatestOthers) { draft.others.append(maker.other(path)) }
      guard draft.impossibility == nil, let more = self.shot(draft) else { break }
      (shot, lookedUp) = more
    }
    shot.number = count
    if shot.isAllowed { granted.append(shots.count) }
    shots.append(shot)
  }

  /// Has a request decided; nil if it is not of the kind that it was made for.
  private func shot(_ draft: Draft) -> (shot: Shot, lookedUp: [DocumentPath])? {
    guard
      let prepared = try? PreparedRequest(
        draft.request, on: draft.documents, profile: engine.profile),
      let (decision, lookedUp) = try? engine.decideNotingLookups(prepared),
      draft.isMeant(decision)
    else { return nil }
    return (Shot(draft, prepared, decision), lookedUp)
  }
}
