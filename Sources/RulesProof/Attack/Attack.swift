public import RulesEval
import RulesLang

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
  private var materials: [(path: [Text?], material: Material)] = []
  private var volleys: [(scenario: Scenario, volley: Volley)] = []
  /// The conditions of claims in whose scope a request is granted.
  private var grantsSome: Set<FunctionID> = []

  /// Of more kinds the memory would cost more than the time.
  private static let greatestCount = 100

  /// Prepares for questions about rules; `others` are files that they are compared with.
  public convenience init(_ engine: Engine, comparing others: [Engine] = []) {
    self.init(engine, [engine.rules] + others.map { $0.rules }, [])
  }

  /// Prepares for the claims of a set.
  convenience init(_ set: ClaimSet) {
    self.init(set.engine, [set.rules], set.claims.flatMap { $0.functions })
  }

  private init(_ engine: Engine, _ files: [Checked], _ functions: [FunctionID]) {
    self.engine = engine
    self.files = files
    self.functions = functions
  }

  /// The requests of a kind that come first.
  func shots(_ scenario: Scenario) -> [Shot] {
    let place = volley(scenario)
    return Array(volleys[place].volley.shots[first(Scrutiny.greatestRequests, place)])
  }

  /// Where the requests of a kind are kept.
  private func volley(_ scenario: Scenario) -> Int {
    if let known = volleys.firstIndex(where: { $0.scenario == scenario }) { return known }
    if volleys.count == Self.greatestCount { volleys = [] }
    volleys.append((scenario, Volley(scenario, material(scenario.path), engine)))
    return volleys.count - 1
  }

  private func first(_ count: Int, _ place: Int) -> Range<Int> {
    volleys[place].volley.first(count)
  }

  private func material(_ path: [Text?]) -> Material {
    if let known = materials.first(where: { $0.path == path }) { return known.material }
    let material = Material(files, at: path, with: functions)
    if materials.count == Self.greatestCount { materials = [] }
    materials.append((path, material))
    return material
  }

  // MARK: Conclusions

  /// A request among so many that shows that a claim does not hold; nil if none of them does.
  func refutation(of claim: CompiledClaim, _ scenario: Scenario, _ count: Int) -> Draft? {
    let place = volley(scenario)
    for number in first(count, place) where isSurprising(volleys[place].volley.shots[number], claim)
    {
      if !isInScope(number, place, of: claim) { continue }
      let isAllowed = volleys[place].volley.shots[number].isAllowed
      if let obligation = claim.obligation {
        if isAllowed { grantsSome.insert(obligation) }
        if holds(obligation, number, place, claim) == isAllowed { continue }
      }
      return volleys[place].volley.shots[number].draft
    }
    return nil
  }

  /// Whether a request in the scope of a claim with a condition was seen that is granted.
  func grantsSome(of claim: CompiledClaim) -> Bool {
    claim.obligation.map { grantsSome.contains($0) } ?? false
  }

  /// A request of a kind that a claim is about; nil if none of those that are made is. With `isMet` it
  /// is one that satisfies the claim's condition, too.
  func inhabitant(
    of claim: CompiledClaim, _ scenario: Scenario, isMet: Bool = false,
    among count: Int = Scrutiny.greatestRequests
  ) -> Draft? {
    let place = volley(scenario)
    for number in first(count, place) where isInScope(number, place, of: claim) {
      if isMet, let obligation = claim.obligation, !holds(obligation, number, place, claim) {
        continue
      }
      return volleys[place].volley.shots[number].draft
    }
    return nil
  }

  private func isInScope(_ number: Int, _ place: Int, of claim: CompiledClaim) -> Bool {
    claim.limits(for: volleys[place].scenario.method).allSatisfy {
      holds($0, number, place, claim)
    }
  }

  private func holds(
    _ function: FunctionID, _ number: Int, _ place: Int, _ claim: CompiledClaim
  ) -> Bool {
    volleys[place].volley.shots[number].holds(function, claim, engine)
  }

  private func isSurprising(_ shot: Shot, _ claim: CompiledClaim) -> Bool {
    switch claim.claim.obligation {
    case .onlyIf, .never: shot.isAllowed
    case .alwaysIf: !shot.isAllowed
    case .noErrors: shot.fails
    }
  }

  /// Requests that one file allows and the other denies, where none should be.
  func difference(
    _ old: ComparedRules, _ new: ComparedRules, isLoosened: Bool, _ scenario: Scenario,
    except: [[Text?]]
  ) -> Draft? {
    let (allowing, refusing) = isLoosened ? (new, old) : (old, new)
    return first(scenario) { shot in
      !except.contains { shot.draft.path.fits($0) }
        && grants(shot, refusing) == false && grants(shot, allowing) == true
        && allowing.grantsOthers(shot.prepared, at: shot.draft.path, within: Budget())
    }
  }

  /// Whether a request is granted as far as the rules decide it; nil if they cannot.
  private func grants(_ shot: Shot, _ rules: ComparedRules) -> Bool? {
    if rules.decideAll { return isAllowed(shot, rules.engine) }
    return rules.decide(shot.prepared, at: shot.draft.path, within: Budget())?.isAllowed
  }

  /// Whether a request meets an error in the newer file and none in the older one.
  func failsMore(
    _ old: Engine, _ new: Engine, _ scenario: Scenario, except: [[Text?]]
  ) -> Bool {
    first(scenario) { shot in
      !except.contains { shot.draft.path.fits($0) } && fails(shot, new) && !fails(shot, old)
    } != nil
  }

  /// The first request of a kind that shows something.
  private func first(_ scenario: Scenario, where shows: (Shot) -> Bool) -> Draft? {
    let place = volley(scenario)
    for number in first(Scrutiny.greatestRequests, place)
    where shows(volleys[place].volley.shots[number]) {
      return volleys[place].volley.shots[number].draft
    }
    return nil
  }

  private func isAllowed(_ shot: Shot, _ other: Engine) -> Bool {
    if other.rules === engine.rules { return shot.isAllowed }
    return (try? other.decide(shot.prepared))?.isAllowed ?? shot.isAllowed
  }

  private func fails(_ shot: Shot, _ other: Engine) -> Bool {
    if other.rules === engine.rules { return shot.fails }
    return (try? other.decide(shot.prepared))?.tried.contains { $0.isError } ?? false
  }
}

extension DocumentPath {
  /// Whether the path has some texts, nil for any.
  fileprivate func fits(_ texts: [Text?]) -> Bool {
    segments.count == texts.count
      && zip(segments, texts).allSatisfy { segment, text in text.map { $0 == segment } ?? true }
  }
}
