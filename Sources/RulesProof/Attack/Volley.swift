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
}

/// The requests of one kind that an attack makes, decided by one rules file.
///
/// The first are made from scratch; of those that the rules grant, neighbours are made that differ
/// in one thing, since conclusions are wrong where granted and refused meet. How many there are
/// depends on nothing but two counts, and which on nothing but a seed.
struct Volley {
  /// The requests; some could not be decided and are left out.
  private(set) var shots: [Shot] = []

  /// So many are made from scratch.
  static let fresh = 28
  /// So many neighbours of others are made.
  static let neighbours = 36
  /// Of so many granted requests neighbours are made.
  private static let greatestStarts = 9
  /// Documents that are looked up in documents that are looked up, and so on.
  private static let lookupRounds = 2
  /// More documents are not made up for one request.
  private static let greatestOthers = 6

  private let engine: Engine
  private var maker: DraftMaker

  /// Makes requests and decides them.
  init(_ scenario: Scenario, _ material: Material, _ engine: Engine) {
    self.engine = engine
    maker = DraftMaker(scenario, of: material, seed: 1)
    for number in 0..<Self.fresh { fire(maker.draft(number)) }
    let granted = shots.indices.filter { shots[$0].isAllowed }
    let starts = Array((granted.isEmpty ? Array(shots.indices) : granted).prefix(Self.greatestStarts))
    if starts.isEmpty { return }
    for number in 0..<Self.neighbours {
      fire(maker.neighbour(of: shots[starts[number % starts.count]].draft))
    }
  }

  /// Takes a request in, if there can be one like it.
  private mutating func fire(_ draft: Draft) {
    guard draft.impossibility == nil, var shot = Shot(draft, engine) else { return }
    if maker.material.looksUp {
      var draft = draft
      for _ in 0..<Self.lookupRounds {
        let wanted = engine.lookedUp(by: shot.prepared).filter { path in
          path != draft.path && !draft.others.contains { $0.path == path }
        }
        if wanted.isEmpty { break }
        for path in wanted.prefix(Self.greatestOthers) { draft.others.append(maker.other(path)) }
        guard draft.impossibility == nil, let more = Shot(draft, engine) else { break }
        shot = more
      }
    }
    shots.append(shot)
  }
}

extension Shot {
  /// Has a request decided; nil if it is not of the kind that it was made for.
  fileprivate init?(_ draft: Draft, _ engine: Engine) {
    guard
      let prepared = try? PreparedRequest(
        draft.request, on: draft.documents, profile: engine.profile),
      let decision = try? engine.decide(prepared), draft.isMeant(decision)
    else { return nil }
    self.draft = draft
    self.prepared = prepared
    isAllowed = decision.isAllowed
    fails = decision.tried.contains { $0.isError }
  }
}
