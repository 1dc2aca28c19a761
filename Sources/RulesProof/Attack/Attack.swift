import RulesEncoding
public import RulesEval
import RulesLang
import RulesSolver

// The compiler of conditions and the search can be wrong, and whatever starts from the compiled
// question is then wrong in the same way. So before the absence of models counts as a proof, some
// requests that nearly meet the condition are made and decided. None of them is made from the
// compiled question. One that refutes the conclusion is a true counterexample, for the evaluator
// decides it, and a defect of ours; that none does proves nothing.

/// The requests that conclusions about one rules file are tried on, made and decided once for each
/// kind, and shared by all claims of a set, all cells of a matrix, all changes to a file. For one
/// thread.
public final class Attack {
  /// Decides the requests.
  let engine: Engine
  private let files: [Checked]
  private let functions: [FunctionID]
  private var arsenals: [(path: [Text?], arsenal: Arsenal)] = []
  private var volleys: [Volley] = []
  /// The rules, as soon as they are compiled, and the last versions that they were compared with.
  private var home: Stand?
  private var others: [Stand] = []
  /// Requests that are granted in the scope of claims, by their conditions.
  private var granted: [FunctionID: Draft] = [:]

  /// Of more kinds the memory would cost more than the time.
  private static let greatestCount = 100
  /// So many other versions of the rules are kept.
  private static let greatestOthers = 2
  /// So many requests that were no counterexamples are started from.
  private static let greatestMisses = 4
  /// So many variants of each are made.
  private static let variantsOfMiss = 12

  /// Prepares for questions about rules; `others` are files that they are compared with.
  public convenience init(_ engine: Engine, comparing others: [Engine] = []) {
    self.init(engine, files: [engine.rules] + others.map { $0.rules }, conditions: [])
  }

  /// Prepares for the claims of a set.
  convenience init(_ set: ClaimSet) {
    self.init(set.engine, files: [set.rules], conditions: set.claims.flatMap { $0.functions })
  }

  private init(_ engine: Engine, files: [Checked], conditions functions: [FunctionID]) {
    self.engine = engine
    self.files = files
    self.functions = functions
  }

  /// The requests of a kind that come first, in parts.
  func drafts(for scenario: Scenario, count: Int = Scrutiny.greatestRequests) -> [Draft] {
    let volley = volley(scenario)
    return volley.first(count, by: stand).map { volley.draft(of: volley.shots[$0]) }
  }

  // MARK: Sharing

  private var stand: Stand {
    if let home { return home }
    let made = Stand(engine, conditions: functions)
    home = made
    return made
  }

  private func stand(_ other: Engine) -> Stand {
    if other.rules === engine.rules { return stand }
    if let known = others.first(where: { $0.engine.rules === other.rules }) { return known }
    let made = Stand(other)
    if others.count == Self.greatestOthers { others.removeFirst() }
    others.append(made)
    return made
  }

  private func volley(_ scenario: Scenario) -> Volley {
    if let known = volleys.first(where: { $0.scenario == scenario }) { return known }
    if volleys.count == Self.greatestCount {
      (volleys, arsenals, others) = ([], [], [])
      home = nil
    }
    let made = Volley(for: scenario, from: arsenal(scenario), number: volleys.count)
    volleys.append(made)
    return made
  }

  private func arsenal(_ scenario: Scenario) -> Arsenal {
    if let known = arsenals.first(where: { $0.path == scenario.path }) { return known.arsenal }
    let made = Arsenal(
      Material(files, at: scenario.path, with: functions), for: scenario, number: arsenals.count)
    arsenals.append((scenario.path, made))
    return made
  }

  // MARK: Conclusions

  // A question's budget is asked for its time only, since the requests are paid for before they are made:
  // rules that are slow to decide must not hold it up. Who concludes something looks at the time once more.

  /// A request that shows that a claim does not hold, among so many of a kind and those that nearly are
  /// some others, which were no counterexamples; nil if none of them does that `confirms`.
  func refutation<Found>(
    of claim: CompiledClaim, in scenario: Scenario, count: Int, near misses: [Draft],
    within budget: Budget, confirming confirm: (Draft) -> Found?
  ) -> (draft: Draft, found: Found)? {
    let volley = volley(scenario)
    let places = volley.first(count, by: stand, within: budget)
    let known = refutation(
      of: claim, among: volley, at: places, on: stand, within: budget, confirming: confirm)
    if known != nil || misses.isEmpty { return known }
    // Of this question alone: what others find must not depend on it.
    let stand = Stand(like: stand)
    let near = Volley(for: scenario, from: volley.arsenal, number: 0)
    near.vary(misses.suffix(Self.greatestMisses), times: Self.variantsOfMiss, by: stand)
    return refutation(
      of: claim, among: near, at: near.shots.indices, on: stand, within: budget, confirming: confirm
    )
  }

  private func refutation<Found>(
    of claim: CompiledClaim, among volley: Volley, at places: Range<Int>, on stand: Stand,
    within budget: Budget, confirming confirm: (Draft) -> Found?
  ) -> (draft: Draft, found: Found)? {
    let conditions = stand.conditions(
      limits: claim.limits(for: volley.scenario.method), obligation: claim.obligation, of: claim,
      in: volley)
    let surprise = Surprise(claim)
    for place in places where surprise.has(volley.shots[place]) {
      if Self.isLate(budget, at: place) { break }
      let shot = volley.shots[place]
      let (isInScope, isMet) = stand.holds(conditions, for: shot, of: volley)
      if !isInScope { continue }
      if let obligation = claim.obligation {
        if shot.isAllowed, granted[obligation] == nil {
          granted[obligation] = volley.draft(of: shot)
        }
        if isMet == shot.isAllowed { continue }
      }
      let draft = volley.draft(of: shot)
      if let found = confirm(draft) { return (draft, found) }
    }
    return nil
  }

  /// A request in the scope of a claim with a condition that was seen to be granted.
  func granted(of claim: CompiledClaim) -> Draft? { claim.obligation.flatMap { granted[$0] } }

  /// A request of a kind that a claim is about; nil if none of those that are made is. With `isMet` it
  /// is one that satisfies the claim's condition, too.
  func inhabitant(
    of claim: CompiledClaim, _ scenario: Scenario, isMet: Bool = false,
    among count: Int = Scrutiny.questionRequests, within budget: Budget
  ) -> Draft? {
    let volley = volley(scenario)
    let obligation = isMet ? claim.obligation : nil
    let places = volley.first(count, by: stand, within: budget)
    let conditions = stand.conditions(
      limits: claim.limits(for: scenario.method), obligation: obligation, of: claim, in: volley)
    for place in places {
      if Self.isLate(budget, at: place) { break }
      let shot = volley.shots[place]
      let answer = stand.holds(conditions, for: shot, of: volley)
      if answer.isInScope, obligation == nil || answer.isMet { return volley.draft(of: shot) }
    }
    return nil
  }

  /// Whether it is late, as far as it is asked at a place.
  private static func isLate(_ budget: Budget, at place: Int) -> Bool {
    place.isMultiple(of: Volley.pace) && budget.lateness != nil
  }

  /// What a request comes to that may refute a claim.
  private enum Surprise {
    case isAllowed, isDenied, fails

    init(_ claim: CompiledClaim) {
      self =
        switch claim.claim.obligation {
        case .onlyIf, .never: .isAllowed
        case .alwaysIf: .isDenied
        case .noErrors: .fails
        }
    }

    func has(_ shot: Shot) -> Bool {
      switch self {
      case .isAllowed: shot.isAllowed
      case .isDenied: !shot.isAllowed
      case .fails: shot.fails
      }
    }
  }

  /// A request that one file allows and the other denies, where none should be, as far as it is
  /// confirmed.
  func difference<Found>(
    from old: Engine, to new: Engine, isLoosened: Bool, in scenario: Scenario, except: [[Text?]],
    within budget: Budget, confirming confirm: (Draft) -> Found?
  ) -> (draft: Draft, found: Found)? {
    first(in: scenario, from: old, to: new, except: except, within: budget) { before, after in
      before.isAllowed != isLoosened && after.isAllowed == isLoosened
    } confirming: {
      confirm($0)
    }
  }

  /// Whether a request meets an error in the newer file and none in the older one.
  func failsMore(
    from old: Engine, to new: Engine, in scenario: Scenario, except: [[Text?]],
    within budget: Budget
  ) -> Bool {
    first(in: scenario, from: old, to: new, except: except, within: budget) { before, after in
      after.fails && !before.fails
    } confirming: { draft in
      fails(draft, under: new) && !fails(draft, under: old) ? true : nil
    } != nil
  }

  /// The first request of a kind that two versions of the rules say something of.
  private func first<Found>(
    in scenario: Scenario, from old: Engine, to new: Engine, except: [[Text?]],
    within budget: Budget, where shows: (Ruling, Ruling) -> Bool,
    confirming confirm: (Draft) -> Found?
  ) -> (draft: Draft, found: Found)? {
    let volley = volley(scenario)
    let (before, after) = (stand(old), stand(new))
    let places = volley.first(Scrutiny.greatestRequests, by: stand, within: budget)
    let isExcepted = volley.paths.map { path in except.contains { path.fits($0) } }
    for place in places where !isExcepted[volley.bases[volley.shots[place].base].path] {
      if Self.isLate(budget, at: place) { break }
      let shot = volley.shots[place]
      guard let one = ruling(on: shot, by: before, in: volley),
        let two = ruling(on: shot, by: after, in: volley),
        shows(one, two)
      else { continue }
      let draft = volley.draft(of: shot)
      if let found = confirm(draft) { return (draft, found) }
    }
    return nil
  }

  private func ruling(on shot: Shot, by other: Stand, in volley: Volley) -> Ruling? {
    if other.engine.rules === engine.rules {
      return Ruling(isAllowed: shot.isAllowed, fails: shot.fails, isAboutDocument: true)
    }
    return other.ruling(on: shot, of: volley)
  }

  private func fails(_ draft: Draft, under engine: Engine) -> Bool {
    let decision = try? engine.decide(draft.request, on: draft.documents)
    return decision?.tried.contains { $0.isError } ?? false
  }
}

extension DocumentPath {
  /// Whether the path has some texts, nil for any.
  fileprivate func fits(_ texts: [Text?]) -> Bool {
    segments.count == texts.count
      && zip(segments, texts).allSatisfy { segment, text in text.map { $0 == segment } ?? true }
  }
}
