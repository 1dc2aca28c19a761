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

  /// The requests of a kind, at least so many unless some could not be decided.
  func shots(_ scenario: Scenario, _ count: Int = Volley.greatestCount) -> [Shot] {
    let known = volleys.firstIndex { $0.scenario == scenario }
    if known == nil {
      if volleys.count == Self.greatestCount { volleys = [] }
      volleys.append((scenario, Volley(scenario, material(scenario.path), engine)))
    }
    let place = known ?? volleys.count - 1
    volleys[place].volley.extend(to: count)
    return volleys[place].volley.shots
  }

  private func material(_ path: [Text?]) -> Material {
    if let known = materials.first(where: { $0.path == path }) { return known.material }
    let material = Material(files, at: path, with: functions)
    if materials.count == Self.greatestCount { materials = [] }
    materials.append((path, material))
    return material
  }

  // MARK: Conclusions

  /// So many propositions of a question are worth one request.
  private static let propositions = 32

  /// A request that shows that a claim does not hold; nil if none of those that are made does. A
  /// question that takes longer to answer is attacked with more requests.
  func refutation(of claim: CompiledClaim, _ goal: Goal) -> Draft? {
    let scenario = goal.scenario
    let worth = goal.compiler.problem.graph.count / Self.propositions
    let count = max(Volley.leastCount, min(worth, Volley.greatestCount))
    let shots = shots(scenario, count)
    for place in shots.indices where isSurprising(shots[place], claim) {
      let shot = shots[place]
      if !isInScope(shot, of: claim) { continue }
      if let obligation = claim.obligation, holds(obligation, for: shot, claim) == shot.isAllowed {
        continue
      }
      return shot.draft
    }
    return nil
  }

  /// A request of a kind that a claim is about, where there should be none; nil if none of those that
  /// are made is.
  func inhabitant(of claim: CompiledClaim, _ scenario: Scenario) -> Draft? {
    shots(scenario).first { isInScope($0, of: claim) }?.draft
  }

  private func isInScope(_ shot: Shot, of claim: CompiledClaim) -> Bool {
    claim.limits(for: shot.draft.method).allSatisfy { holds($0, for: shot, claim) }
  }

  private func holds(
    _ function: FunctionID, for shot: Shot, _ claim: CompiledClaim
  ) -> Bool {
    let outcome = try? engine.outcome(
      of: function, arguments: claim.claim.path.arguments(for: shot.draft.path),
      for: shot.draft.path, in: shot.prepared)
    if case .value(.bool(true)) = outcome { return true }
    return false
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
    _ old: Engine, _ new: Engine, isLoosened: Bool, _ scenario: Scenario, except: [[Text?]]
  ) -> Draft? {
    shots(scenario).first { shot in
      !except.contains { shot.draft.path.fits($0) }
        && isAllowed(shot, old) != isLoosened && isAllowed(shot, new) == isLoosened
    }?.draft
  }

  /// Whether a request meets an error in the newer file and none in the older one.
  func failsMore(
    _ old: Engine, _ new: Engine, _ scenario: Scenario, except: [[Text?]]
  ) -> Bool {
    shots(scenario).contains { shot in
      !except.contains { shot.draft.path.fits($0) } && fails(shot, new) && !fails(shot, old)
    }
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
